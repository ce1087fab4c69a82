#include "parse/tokens.hpp"

#include <stdexcept>

namespace pg3 {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool ends_word(char c) {
  return is_space(c) || c == '(' || c == ')' || c == ';';
}

}  // namespace

Tokens::Tokens(std::string text) : text_(std::move(text)) {
  if (text_.size() >= UINT32_MAX) throw std::length_error("a text must be smaller than 4 GiB");
  std::vector<uint32_t>& open = unclosed_;
  const size_t n = text_.size();
  size_t i = 0;
  while (i < n) {
    const char c = text_[i];
    if (is_space(c)) {
      ++i;
    } else if (c == ';') {
      while (i < n && text_[i] != '\n' && text_[i] != '\r') ++i;
    } else if (c == '(' || c == ')') {
      if (c == '(') {
        open.push_back(static_cast<uint32_t>(tokens_.size()));
      } else if (!open.empty()) {
        closing_[open.back()] = static_cast<uint32_t>(tokens_.size());
        open.pop_back();
      }
      tokens_.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1)});
      closing_.push_back(UINT32_MAX);
      ++i;
    } else {
      const size_t begin = i;
      for (; i < n && !ends_word(text_[i]); ++i) {
        if (text_[i] >= 'A' && text_[i] <= 'Z')
          text_[i] = static_cast<char>(text_[i] + ('a' - 'A'));
      }
      tokens_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(i)});
      closing_.push_back(UINT32_MAX);
    }
  }
  for (uint32_t& closing : closing_) {
    if (closing == UINT32_MAX) closing = static_cast<uint32_t>(tokens_.size());
  }
}

Tokens::Buried Tokens::buried_section() const {
  std::vector<size_t> open;
  for (size_t i = 0; i < size(); ++i) {
    if (is_close(i)) {
      if (!open.empty()) open.pop_back();
    } else if (is_open(i)) {
      // One parenthesis is open around a section: that of the definition.
      if (open.size() > 1 && i + 1 < size() && text_[tokens_[i + 1].begin] == ':') {
        return {i, open.back()};
      }
      open.push_back(i);
    }
  }
  return {size(), size()};
}

}  // namespace pg3
