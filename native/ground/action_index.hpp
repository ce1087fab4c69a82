// Which actions of a ground task are applicable, without a look at all of them: each is filed under
// the one of its needs that the fewest other actions share.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/ground_task.hpp"

namespace pg3 {

class ActionIndex {
 public:
  explicit ActionIndex(const GroundTask& ground);

  // Writes to `found` the actions that are applicable in a state, in number order.
  void find_applicable(const GroundTask& ground, const uint64_t* state,
                       std::vector<ActionId>& found) const;

  size_t bytes() const { return keyed_.bytes() + free_.capacity() * sizeof(ActionId); }

 private:
  Lists<FluentId, ActionId> keyed_;
  std::vector<ActionId> free_;  // those that need nothing
};

}  // namespace pg3
