// A policy in a world that also changes by itself: told what has changed, it says what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/limits.hpp"
#include "core/rule.hpp"
#include "core/task.hpp"
#include "lifted/effects.hpp"
#include "lifted/lifted_policy.hpp"
#include "lifted/lowering.hpp"

namespace pg3 {

class Agent {
 public:
  // An atom that holds, or does not hold, from now on.
  struct Change {
    bool present;
    std::vector<int32_t> atom;
  };
  struct Answer {
    Status status = Status::solved;  // else the limit that was reached; the agent is then of no use
    bool is_goal = false;
    std::vector<int32_t> choice;  // the place of the rule and its first tuple; empty: no rule
  };

  // Starts in the initial state of the task. Throws Stopped if a limit is reached.
  Agent(std::shared_ptr<const Task> task, const std::vector<std::shared_ptr<const Rule>>& policy,
        const RuleTable& table, const Tuning& tuning, const Limits& limits);

  // What the policy does after these changes. Throws, and changes nothing, if one of them is not
  // about an atom that actions can change. Threads wait for each other.
  Answer ask(const std::vector<Change>& changes);

 private:
  void check(const Change& change) const;

  std::mutex mutex_;
  const Limits limits_;
  Watch watch_;
  const LoweredPolicy lowered_;
  World world_;
  LiftedPolicy rules_;
};

}  // namespace pg3
