#include "parse/plan_text.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace pg3 {

namespace {

[[noreturn]] void fail(int error) {
  throw std::system_error(error, std::generic_category());
}

}  // namespace

PlanWriter::PlanWriter(const std::string& path, PlanNames names)
    : names_(std::move(names)), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail(errno);
}

PlanWriter::~PlanWriter() {
  if (file_) std::fclose(file_);
}

void PlanWriter::write(GroundAction action) {
  line_.assign(1, '(');
  line_ += names_.actions[index_of(action.schema())];
  for (int32_t object : action.objects()) {
    line_ += ' ';
    line_ += names_.objects[object];
  }
  line_ += ")\n";
  if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) fail(errno);
}

void PlanWriter::close() {
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail(errno);
}

PlanCodes read_plan_codes(const Tokens& tokens, const PlanNames& names) {
  auto numbers = [](const std::vector<std::string>& list) {
    std::unordered_map<std::string_view, int32_t> map;
    map.reserve(list.size());
    for (size_t i = 0; i < list.size(); ++i) map.emplace(list[i], static_cast<int32_t>(i));
    return map;
  };
  const auto actions = numbers(names.actions);
  const auto objects = numbers(names.objects);
  PlanCodes result;
  auto faulty = [&](size_t token) {
    result.fault = static_cast<int64_t>(token);
    return std::move(result);
  };
  for (size_t i = 0; i < tokens.size();) {
    if (!tokens.is_open(i) || i + 1 >= tokens.size()) return faulty(i);
    const auto action = actions.find(tokens.word(i + 1));
    if (action == actions.end()) return faulty(i + 1);
    result.codes.push_back(action->second);
    const size_t end = i + 2 + names.arities[action->second];
    for (i += 2; i < end; ++i) {
      const auto object = i < tokens.size() ? objects.find(tokens.word(i)) : objects.end();
      if (object == objects.end()) return faulty(i);
      result.codes.push_back(object->second);
    }
    if (i >= tokens.size() || !tokens.is_close(i)) return faulty(i);
    ++i;
  }
  return result;
}

}  // namespace pg3
