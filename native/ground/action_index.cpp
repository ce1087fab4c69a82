#include "ground/action_index.hpp"

#include <algorithm>
#include <bit>

namespace pg3 {

ActionIndex::ActionIndex(const GroundTask& ground) {
  std::vector<int32_t> sharing(ground.num_fluents(), 0);
  for (int32_t fluent : ground.needs.flat) ++sharing[fluent];
  std::vector<std::vector<int32_t>> keyed(ground.num_fluents());
  for (int32_t action = 0; action < ground.num_actions(); ++action) {
    const auto needs = ground.needs[action];
    if (needs.empty()) {
      free_.push_back(action);
    } else {
      const auto key = std::ranges::min_element(needs, {}, [&](int32_t f) { return sharing[f]; });
      keyed[*key].push_back(action);
    }
  }
  for (const auto& actions : keyed) keyed_.append(actions);
}

void ActionIndex::find_applicable(const GroundTask& ground, const uint64_t* state,
                                  std::vector<int32_t>& found) const {
  found.clear();
  auto consider = [&](int32_t action) {
    if (ground.is_applicable(state, action)) found.push_back(action);
  };
  for (int32_t action : free_) consider(action);
  for (size_t word = 0; 64 * word < keyed_.size(); ++word) {
    for (uint64_t bits = state[word]; bits; bits &= bits - 1) {
      for (int32_t action : keyed_[64 * word + std::countr_zero(bits)]) consider(action);
    }
  }
  std::sort(found.begin(), found.end());
}

}  // namespace pg3
