#include "ground/action_index.hpp"

#include <algorithm>
#include <bit>

namespace pg3 {

ActionIndex::ActionIndex(const GroundTask& ground) {
  std::vector<int32_t> sharing(ground.num_fluents(), 0);
  for (FluentId fluent : ground.needs.flat) ++sharing[index_of(fluent)];
  std::vector<std::vector<ActionId>> keyed(ground.num_fluents());
  for (int32_t i = 0; i < ground.num_actions(); ++i) {
    const ActionId action{i};
    const auto needs = ground.needs[action];
    if (needs.empty()) {
      free_.push_back(action);
    } else {
      const auto shared = [&](FluentId fluent) { return sharing[index_of(fluent)]; };
      keyed[index_of(*std::ranges::min_element(needs, {}, shared))].push_back(action);
    }
  }
  for (const auto& actions : keyed) keyed_.append(actions);
}

void ActionIndex::find_applicable(const GroundTask& ground, const uint64_t* state,
                                  std::vector<ActionId>& found) const {
  found.clear();
  auto consider = [&](ActionId action) {
    if (ground.is_applicable(state, action)) found.push_back(action);
  };
  for (ActionId action : free_) consider(action);
  for (size_t word = 0; 64 * word < keyed_.size(); ++word) {
    for (uint64_t bits = state[word]; bits; bits &= bits - 1) {
      const FluentId fluent{static_cast<int32_t>(64 * word + std::countr_zero(bits))};
      for (ActionId action : keyed_[fluent]) consider(action);
    }
  }
  std::sort(found.begin(), found.end());
}

}  // namespace pg3
