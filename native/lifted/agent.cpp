#include "lifted/agent.hpp"

#include <algorithm>
#include <stdexcept>

namespace pg3 {

Agent::Agent(std::shared_ptr<const Task> task,
             const std::vector<std::shared_ptr<const Rule>>& policy, const RuleTable& table,
             const Tuning& tuning, const Limits& limits)
    : limits_(limits),
      watch_(limits_),
      lowered_(lower(std::move(task), policy, table)),
      world_(lowered_, watch_, tuning),
      rules_(lowered_.rules, world_.views()) {}

void Agent::check(const Change& change) const {
  const Task& task = *lowered_.task;
  const Atom atom{change.atom};
  const auto is_object = [&](int32_t number) {
    return in_range(ObjectId{number}, task.object_types.size());
  };
  if (change.atom.empty() || !in_range(atom.predicate(), task.arities.size()) ||
      atom.objects().size() != task.arity(atom.predicate()) || !task.is_fluent(atom.predicate()) ||
      !std::ranges::all_of(atom.objects(), is_object)) {
    throw std::invalid_argument("not an atom that can change");
  }
}

Agent::Answer Agent::ask(const std::vector<Change>& changes) {
  const std::lock_guard lock(mutex_);
  for (const Change& change : changes) check(change);
  Answer answer;
  try {
    for (const auto& [present, atom] : changes) world_.set({atom}, present);
    world_.settle();
    answer.is_goal = world_.state().is_goal();
    const LiftedQuery::Answer found = rules_.first(watch_);
    if (found == LiftedQuery::Answer::stopped) throw Stopped(watch_.status());
    if (found == LiftedQuery::Answer::found) {
      answer.choice.push_back(static_cast<int32_t>(rules_.rule()));
      answer.choice.insert(answer.choice.end(), rules_.binding().begin(), rules_.binding().end());
    }
  } catch (const Stopped& stopped) {
    answer.status = stopped.status;
  }
  return answer;
}

}  // namespace pg3
