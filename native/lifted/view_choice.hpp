// Which conditions of a rule are worth a view of their own.
#pragma once

#include <cstddef>
#include <vector>

#include "lifted/view.hpp"

namespace pg3 {

// Which views a rule may have. Each level includes those before.
enum class Level {
  plain,     // none
  filtered,  // of a condition with others on its variables, which only narrow it down
  joined,    // of any conditions that share variables
};

// Conditions of a pattern, by their numbers, that are to be one view; or a single literal.
struct ViewConditions {
  std::vector<size_t> literals;
  std::vector<size_t> checks;
};

// Every literal is in one of them, a check in at most one. A view is chosen only if, as far as the
// state has shown up to now, no atom takes part in more than `most` of its answers: this is what it
// costs to keep when the atom comes or goes.
std::vector<ViewConditions> choose_views(const Pattern& pattern, ViewedState& state, Level level,
                                         double most);

}  // namespace pg3
