// The words and parentheses of an s-expression text (PDDL, policies), with their byte positions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pg3 {

// One token: a parenthesis or a word, as the half-open byte range [begin, end) of the text.
struct Token {
  uint32_t begin;
  uint32_t end;
};

// A text cut into tokens once, for readers that then work on token numbers.
//
// Words are folded to lower case (PDDL ignores case; only ASCII letters are folded) in a copy of
// the text of the same length, so positions stay those of the file. White space and comments
// (from ';' to the end of the line) separate tokens and vanish.
class Tokens {
 public:
  explicit Tokens(std::string text);

  size_t size() const { return tokens_.size(); }
  const Token& token(size_t i) const { return tokens_[i]; }
  std::string_view word(size_t i) const {
    return std::string_view(text_).substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_open(size_t i) const { return text_[tokens_[i].begin] == '('; }
  bool is_close(size_t i) const { return text_[tokens_[i].begin] == ')'; }

  // The number of the token that closes the parenthesis opened at token i, or size() if none does.
  size_t closing(size_t i) const { return closing_[i]; }

  // The opening parentheses that nothing closes, outermost first.
  const std::vector<uint32_t>& unclosed() const { return unclosed_; }

  // Where a "(:keyword" stands inside a section of a definition instead of beside it, which is what
  // a forgotten parenthesis looks like: the number of its '(' and of the '(' around it. Both are
  // size() if there is no such place.
  struct Buried {
    size_t section;
    size_t around;
  };
  Buried buried_section() const;

 private:
  std::string text_;
  std::vector<Token> tokens_;
  std::vector<uint32_t> closing_;  // meaningful at opening parentheses only
  std::vector<uint32_t> unclosed_;
};

}  // namespace pg3
