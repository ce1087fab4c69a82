#include "ground/landmarks.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace pg3 {

namespace {

using PropositionId = RelaxedPlanHeuristic::PropositionId;
using AchieverId = RelaxedPlanHeuristic::AchieverId;
// In order of their numbers.
using Propositions = std::vector<PropositionId>;

// Steps of all unions and intersections together, about a second; and entries of all labels, 80 MB.
// Beyond that goals alone have to do.
constexpr uint64_t kMostWork = 200'000'000;
constexpr size_t kMostEntries = 20'000'000;

bool contains(const Propositions& set, PropositionId proposition) {
  return std::ranges::binary_search(set, proposition);
}

// What must have been true before each proposition, as far as deletes are ignored: its label. It is
// the intersection over all achievers of the union over their needs, each with its own label. The
// labels begin with too much, and lose what some achiever does without until nothing changes.
class Labels {
 public:
  Labels(const RelaxedPlanHeuristic& relaxed, const uint64_t* start, Watch& watch)
      : relaxed_(relaxed),
        watch_(watch),
        labels_(relaxed.num_propositions()),
        is_initial_(relaxed.num_propositions()),
        is_queued_(relaxed.num_achievers()) {
    for (int32_t p = 0; p < relaxed.num_propositions(); ++p) {
      if (!relaxed.holds(start, PropositionId{p})) continue;
      is_initial_[p] = true;
      labels_[p].emplace();
    }
    for (int32_t a = 0; a < relaxed.num_achievers(); ++a) consider(AchieverId{a});
  }

  // False if that took too much work.
  bool compute() {
    while (!queue_.empty()) {
      const AchieverId achiever = queue_.front();
      queue_.pop_front();
      is_queued_[index_of(achiever)] = false;
      const Propositions& needed = needed_by(achiever);
      for (PropositionId effect : relaxed_.effects(achiever)) restrict(effect, needed);
      if (work_ > kMostWork || entries_ > kMostEntries) return false;
    }
    return true;
  }

  // Nothing if it cannot be reached.
  const std::optional<Propositions>& operator[](PropositionId proposition) const {
    return labels_[index_of(proposition)];
  }
  bool is_initial(PropositionId proposition) const { return is_initial_[index_of(proposition)]; }

  // Whether a proposition may become true for the first time by one of its achievers.
  bool may_be_first(AchieverId achiever, PropositionId proposition) {
    return is_reached(achiever) && !contains(needed_by(achiever), proposition);
  }

 private:
  bool is_reached(AchieverId achiever) const {
    const auto has_label = [&](PropositionId need) { return labels_[index_of(need)].has_value(); };
    return std::ranges::all_of(relaxed_.needs(achiever), has_label);
  }

  void consider(AchieverId achiever) {
    if (is_queued_[index_of(achiever)] || !is_reached(achiever)) return;
    is_queued_[index_of(achiever)] = true;
    queue_.push_back(achiever);
  }

  // The union of an achiever's needs and of their labels.
  const Propositions& needed_by(AchieverId achiever) {
    union_.clear();
    for (PropositionId need : relaxed_.needs(achiever)) {
      const Propositions& label = *labels_[index_of(need)];
      union_.push_back(need);
      union_.insert(union_.end(), label.begin(), label.end());
    }
    std::ranges::sort(union_);
    union_.erase(std::unique(union_.begin(), union_.end()), union_.end());
    spend(4 * union_.size());
    return union_;
  }

  void restrict(PropositionId proposition, const Propositions& needed) {
    spend(4);
    if (is_initial(proposition) || contains(needed, proposition)) return;
    std::optional<Propositions>& label = labels_[index_of(proposition)];
    if (!label) {
      label = needed;
      entries_ += needed.size();
    } else {
      const size_t before = label->size();
      spend(before + needed.size());
      std::erase_if(*label, [&, at = needed.begin()](PropositionId one) mutable {
        while (at != needed.end() && *at < one) ++at;
        return at == needed.end() || *at != one;
      });
      if (label->size() == before) return;
      entries_ -= before - label->size();
    }
    for (AchieverId achiever : relaxed_.needing(proposition)) consider(achiever);
  }

  void spend(uint64_t work) {
    work_ += work;
    watch_.spend(work);
  }

  const RelaxedPlanHeuristic& relaxed_;
  Watch& watch_;
  std::vector<std::optional<Propositions>> labels_;
  std::vector<bool> is_initial_, is_queued_;
  std::deque<AchieverId> queue_;
  Propositions union_;
  uint64_t work_ = 0;
  size_t entries_ = 0;
};

// For each of some propositions, in number order, the achievers that can be the first.
std::vector<std::vector<AchieverId>> first_achievers(const RelaxedPlanHeuristic& relaxed,
                                                     Labels& labels, const Propositions& of) {
  std::vector<std::vector<AchieverId>> found(of.size());
  for (int32_t a = 0; a < relaxed.num_achievers(); ++a) {
    const AchieverId achiever{a};
    for (PropositionId effect : relaxed.effects(achiever)) {
      const auto at = std::ranges::lower_bound(of, effect);
      if (at == of.end() || *at != effect || !labels.may_be_first(achiever, effect)) continue;
      found[static_cast<size_t>(at - of.begin())].push_back(achiever);
    }
  }
  return found;
}

// The needs that all these achievers share.
Propositions shared_needs(const RelaxedPlanHeuristic& relaxed,
                          const std::vector<AchieverId>& achievers) {
  Propositions shared;
  for (size_t i = 0; i < achievers.size(); ++i) {
    const auto needs = relaxed.needs(achievers[i]);
    if (i == 0) shared.assign(needs.begin(), needs.end());
    std::erase_if(shared, [&](PropositionId one) { return std::ranges::count(needs, one) == 0; });
  }
  return shared;
}

}  // namespace

Landmarks::Landmarks(const RelaxedPlanHeuristic& relaxed, const uint64_t* start,
                     const RelaxedPlanHeuristic::Goal& goal, bool use_costs, Watch& watch)
    : relaxed_(&relaxed) {
  Propositions found = goal.propositions;
  Labels labels(relaxed, start, watch);
  const bool complete = labels.compute();
  for (PropositionId proposition : goal.propositions) {
    const auto& label = labels[proposition];
    if (complete && label) found.insert(found.end(), label->begin(), label->end());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (PropositionId proposition : found) {
    landmarks_.push_back({proposition, goal.is_goal[index_of(proposition)]});
  }
  if (!complete) return;
  const auto first = first_achievers(relaxed, labels, found);
  for (size_t i = 0; i < found.size(); ++i) {
    const auto& achievers = first[i];
    if (use_costs && !achievers.empty()) {
      landmarks_[i].price = relaxed.price(*std::ranges::min_element(
          achievers, {}, [&](AchieverId achiever) { return relaxed.price(achiever); }));
    }
    if (labels.is_initial(found[i])) continue;
    for (PropositionId need : shared_needs(relaxed, achievers)) {
      const auto at = std::ranges::lower_bound(found, need);
      if (at == found.end() || *at != need) continue;
      const auto before = static_cast<size_t>(at - found.begin());
      landmarks_[before].right_before.push_back(static_cast<int32_t>(i));
    }
  }
}

void Landmarks::accept(const uint64_t* state, uint64_t* accepted) const {
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    if (relaxed_->holds(state, landmarks_[i].proposition)) accepted[i >> 6] |= 1ull << (i & 63);
  }
}

int32_t Landmarks::ahead(const uint64_t* state, const uint64_t* accepted) const {
  int64_t total = 0;
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    const Landmark& landmark = landmarks_[i];
    if (has(accepted, i)) {
      if (relaxed_->holds(state, landmark.proposition)) continue;
      const auto is_open = [&](int32_t next) { return !has(accepted, static_cast<size_t>(next)); };
      if (!landmark.is_goal && std::ranges::none_of(landmark.right_before, is_open)) continue;
    }
    total += landmark.price;
  }
  return static_cast<int32_t>(std::min<int64_t>(total, kUnreachable - 1));
}

}  // namespace pg3
