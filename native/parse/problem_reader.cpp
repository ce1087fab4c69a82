#include "parse/problem_reader.hpp"

#include <algorithm>
#include <optional>

#include "parse/name_table.hpp"

namespace pg3 {

namespace {

// Numbers above this are refused; the same limit as in the front end.
constexpr int64_t kLargestNumber = INT32_MAX;

// Whether a word can be the name of an object or a type.
bool is_name(std::string_view word) {
  const char c = word.front();
  return c != '(' && c != ')' && c != '?' && c != ':' && c != '-' && c != '=';
}

NameTable numbers_of(const std::vector<Symbol>& symbols) {
  NameTable numbers;
  for (const Symbol& symbol : symbols) numbers.insert(symbol.name);
  return numbers;
}

// A whole number as the front end reads it: digits, and perhaps a point followed by zeros.
std::optional<int32_t> number_of(std::string_view word) {
  const size_t point = std::min(word.find('.'), word.size());
  if (point == 0) return std::nullopt;
  int64_t value = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (i < point) {
      if (c < '0' || c > '9') return std::nullopt;
      value = 10 * value + (c - '0');
      if (value > kLargestNumber) return std::nullopt;
    } else if (i > point && c != '0') {
      return std::nullopt;
    }
  }
  return static_cast<int32_t>(value);
}

// Whether it is any number: perhaps a sign, digits with perhaps a point among, before or after
// them, and perhaps an exponent, as other readers and the programs that print such files have it.
bool is_number(std::string_view word) {
  const auto skip_sign = [&] {
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  };
  const auto skip_digits = [&] {
    size_t digits = 0;
    while (digits < word.size() && word[digits] >= '0' && word[digits] <= '9') ++digits;
    word.remove_prefix(digits);
    return digits;
  };
  skip_sign();
  size_t digits = skip_digits();
  if (!word.empty() && word[0] == '.') {
    word.remove_prefix(1);
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (word.empty() || word[0] != 'e') return word.empty();
  word.remove_prefix(1);
  skip_sign();
  return skip_digits() > 0 && word.empty();
}

// Whether a word for which `is_number` holds means 0.
bool is_zero(std::string_view word) {
  return word.substr(0, word.find('e')).find_first_of("123456789") == std::string_view::npos;
}

// Every method that reads returns false at a fault, and otherwise leaves `at_` behind what it read.
class Reader {
 public:
  Reader(const Tokens& tokens, const Vocabulary& vocabulary)
      : tokens_(tokens),
        vocabulary_(vocabulary),
        predicates_(numbers_of(vocabulary.predicates)),
        functions_(numbers_of(vocabulary.functions)),
        object_types_(vocabulary.constant_types),
        constant_repeated_(vocabulary.constants.size()) {
    for (const std::string& name : vocabulary.constants) objects_.insert(name);
  }

  ProblemLists read(const Sections& sections) {
    if (!objects(sections.objects)) {
      lists_.fault = Fault::objects;
    } else if (!init(sections.init)) {
      lists_.fault = Fault::init;
    } else if (!goal(sections.goal)) {
      lists_.fault = Fault::goal;
    }
    return std::move(lists_);
  }

 private:
  bool take(char parenthesis) { return tokens_.word(at_++).front() == parenthesis; }

  bool objects(size_t section) {
    if (section >= tokens_.size()) return true;
    NameTable types;
    for (const std::string& name : vocabulary_.types) types.insert(name);
    const size_t end = tokens_.closing(section);
    size_t group = section + 2;  // the first object that still waits for its type
    for (at_ = group; at_ < end;) {
      const std::string_view word = tokens_.word(at_);
      if (is_name(word)) {
        ++at_;
        continue;
      }
      const size_t group_end = at_++;
      if (word != "-" || group_end == group || at_ == end) return false;
      const TypeId type = object_type(types);
      if (type == TypeId::none || !declare(group, group_end, type)) return false;
      group = at_;
    }
    return declare(group, end, vocabulary_.default_type);
  }

  // The type that follows a '-'; none at a fault. `(either t)` counts as t.
  TypeId object_type(const NameTable& types) {
    const auto named = [&](size_t at) { return TypeId{types.find(tokens_.word(at))}; };
    if (!tokens_.is_open(at_)) return named(at_++);
    const size_t end = tokens_.closing(at_);
    if (tokens_.word(at_ + 1) != "either" || end == at_ + 2) return TypeId::none;
    const TypeId type = named(at_ + 2);
    for (size_t i = at_ + 3; i < end; ++i) {
      if (named(i) != type) return TypeId::none;
    }
    at_ = end + 1;
    return type;
  }

  bool declare(size_t begin, size_t end, TypeId type) {
    for (size_t i = begin; i < end; ++i) {
      const std::string_view name = tokens_.word(i);
      const int32_t number = objects_.insert(name);
      if (number == static_cast<int32_t>(object_types_.size())) {
        lists_.names.push_back(name);
        lists_.types.push_back(type);
        object_types_.push_back(type);
        continue;
      }
      const auto constant = static_cast<size_t>(number);
      if (constant >= vocabulary_.constants.size() || object_types_[constant] != type) return false;
      if (constant_repeated_[constant]) return false;
      constant_repeated_[constant] = true;
      lists_.repeated_constants.push_back(static_cast<uint32_t>(i));
    }
    return true;
  }

  bool init(size_t section) {
    const size_t end = tokens_.closing(section);
    TupleTable negative;
    std::vector<size_t> positive_tokens, negative_tokens;
    size_t depth = 0;  // of `and`s, which are forgiven
    for (at_ = section + 2; at_ < end;) {
      const size_t element = lists_.fault_at = at_;
      if (depth > 0 && tokens_.is_close(at_)) {
        --depth;
        ++at_;
        continue;
      }
      if (!tokens_.is_open(at_)) return false;
      const std::string_view head = tokens_.word(at_ + 1);
      if (head == "and") {
        lists_.joined_facts.push_back(static_cast<uint32_t>(element));
        ++depth;
        at_ += 2;
        continue;
      }
      if (head == "not") {
        at_ += 2;
        if (!application(vocabulary_.predicates, predicates_) || !take(')')) return false;
        if (negative.insert(tuple_).second) negative_tokens.push_back(element);
      } else if (head == "=") {
        at_ += 2;
        if (!value()) return false;
      } else {
        if (!application(vocabulary_.predicates, predicates_)) return false;
        if (lists_.init.insert(tuple_).second) positive_tokens.push_back(element);
      }
    }
    lists_.fault_at = end;
    for (int32_t i = 0; i < negative.size(); ++i) {
      const int32_t same = lists_.init.find(negative[i]);
      if (same < 0) continue;
      const auto [first, second] = std::minmax(negative_tokens[i], positive_tokens[same]);
      if (second < lists_.fault_at) {
        lists_.fault_at = second;
        lists_.contradicts = first;
      }
    }
    return lists_.fault_at == end;
  }

  static constexpr int32_t kOdd = -1;  // instead of an odd value

  // The rest of `(= (function object ...) number)`.
  bool value() {
    const size_t element = at_ - 2;
    if (!application(vocabulary_.functions, functions_)) return false;
    const std::string_view word = tokens_.word(at_++);
    const std::optional<int32_t> number = number_of(word);
    const bool is_odd = !number && is_number(word);
    if ((!number && !is_odd) || !take(')')) return false;
    if (FunctionId{tuple_.front()} == vocabulary_.total_cost) return is_zero(word);
    const auto [entry, is_new] = lists_.valued.insert(tuple_);
    if (is_new) {
      lists_.values.push_back(number.value_or(kOdd));
      value_tokens_.push_back(element);
    }
    if (is_odd && lists_.values[entry] != kOdd) {
      // Whether a second value is the same as the first, too, is for the front end to say.
      lists_.odd_values.push_back({entry, value_tokens_[entry]});
      lists_.values[entry] = kOdd;
    }
    if (lists_.values[entry] == kOdd) {
      lists_.odd_values.push_back({entry, element});
    } else if (lists_.values[entry] != *number) {
      lists_.contradicts = value_tokens_[entry];
      return false;
    }
    return true;
  }

  bool goal(size_t section) {
    at_ = section + 2;
    if (at_ == tokens_.closing(section)) return false;
    if (tokens_.is_open(at_) && tokens_.is_close(at_ + 1)) {
      at_ += 2;
    } else if (!conjunction()) {
      return false;
    }
    return at_ == tokens_.closing(section);
  }

  bool conjunction() {
    size_t depth = 0;
    do {
      if (tokens_.is_close(at_)) {
        if (depth-- == 0) return false;
        ++at_;
      } else if (!tokens_.is_open(at_)) {
        return false;
      } else if (tokens_.word(at_ + 1) == "and") {
        at_ += 2;
        ++depth;
      } else if (!goal_literal()) {
        return false;
      }
    } while (depth > 0);
    return true;
  }

  bool goal_literal() {
    size_t negations = 0;
    for (; tokens_.is_open(at_) && tokens_.word(at_ + 1) == "not"; at_ += 2) ++negations;
    if (!application(vocabulary_.predicates, predicates_)) return false;
    for (size_t i = 0; i < negations; ++i) {
      if (!take(')')) return false;
    }
    (negations % 2 == 0 ? lists_.goal : lists_.negative_goal).insert(tuple_);
    return true;
  }

  // One symbol applied to objects, left in `tuple_`.
  bool application(const std::vector<Symbol>& symbols, const NameTable& numbers) {
    if (!tokens_.is_open(at_)) return false;
    const size_t end = tokens_.closing(at_);
    const int32_t symbol = numbers.find(tokens_.word(at_ + 1));
    if (symbol < 0) return false;
    const std::vector<std::string>& accepts = symbols[symbol].accepts;
    if (end - at_ - 2 != accepts.size()) return false;
    tuple_.assign(1, symbol);
    for (size_t i = 0; i < accepts.size(); ++i) {
      const int32_t object = objects_.find(tokens_.word(at_ + 2 + i));
      if (object < 0 || accepts[i][index_of(object_types_[object])] != '1') return false;
      tuple_.push_back(object);
    }
    at_ = end + 1;
    return true;
  }

  const Tokens& tokens_;
  const Vocabulary& vocabulary_;
  NameTable predicates_;
  NameTable functions_;
  NameTable objects_;
  std::vector<TypeId> object_types_;  // constants first
  std::vector<bool> constant_repeated_;
  std::vector<size_t> value_tokens_;  // of the entries of `valued`
  std::vector<int32_t> tuple_;
  ProblemLists lists_;
  size_t at_ = 0;
};

}  // namespace

ProblemLists read_problem_lists(const Tokens& tokens, const Vocabulary& vocabulary,
                                const Sections& sections) {
  return Reader(tokens, vocabulary).read(sections);
}

}  // namespace pg3
