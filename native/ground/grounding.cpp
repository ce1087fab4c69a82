#include "ground/grounding.hpp"

#include <algorithm>
#include <utility>

#include "ground/reachability.hpp"

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// Makes a ground task of what is reachable: sorted, with fluents for atoms. Throws Stopped.
class Builder {
 public:
  Builder(std::shared_ptr<const Task> task, Reached& reached, GroundingWatch& watch)
      : shared_task_(std::move(task)), task_(*shared_task_), reached_(reached), watch_(watch) {}

  std::shared_ptr<const GroundTask> build() {
    auto ground = std::make_shared<GroundTask>();
    ground->task = shared_task_;
    const auto is_fluent = [&](Tuple atom) { return task_.is_fluent(Atom{atom}.predicate()); };
    insert_sorted(reached_.atoms, ground->statics, [&](Tuple atom) { return !is_fluent(atom); });
    insert_sorted(reached_.atoms, ground->fluents, is_fluent);
    insert_sorted(reached_.actions, ground->actions, [](Tuple) { return true; });

    std::vector<FluentId> needs, forbids, adds, deletes;
    const auto effects = sorted_effects(*ground);
    auto effect = effects.begin();
    for (int32_t a = 0; a < ground->num_actions(); ++a) {
      go_on();
      const GroundAction action = ground->action(ActionId{a});
      const ActionSchema& schema = task_.schema(action.schema());
      binding_.assign(action.objects().begin(), action.objects().end());
      find_fluents(*ground, schema.preconditions, needs, forbids);
      find_fluents(*ground, schema.effects, adds, deletes);
      const auto first = effect;
      while (effect != effects.end() && effect->first == ActionId{a}) ++effect;
      if (!effects.empty()) {
        add_effects(*ground, {first, effect}, needs, forbids, adds, deletes);
      }
      erase_all(deletes, adds);
      ground->needs.append(needs);
      ground->forbids.append(forbids);
      ground->adds.append(adds);
      ground->deletes.append(deletes);
      ground->costs.push_back(task_.cost(action.schema(), binding_.data()));
      if (task_.num_numbers() > 0) ground->changes.push_back(changes_of(schema));
    }
    build_axioms(*ground);
    build_comparisons(*ground);
    for_each_atom(task_, task_.init, [&](Atom atom) {
      if (task_.is_fluent(atom.predicate())) ground->initial.push_back(ground->find(atom));
    });
    const auto add_goals = [&](const auto& atoms, bool positive, std::vector<FluentId>& goals) {
      for_each_atom(task_, atoms, [&](Atom atom) {
        const FluentId fluent = ground->find(atom);
        if (fluent != FluentId::none) {
          goals.push_back(fluent);
        } else if ((ground->statics.find(atom.code) >= 0) != positive) {
          ++ground->impossible_goals;
        }
      });
    };
    add_goals(task_.goal, true, ground->goal);
    add_goals(task_.negative_goal, false, ground->negative_goal);
    for (auto* list : {&ground->initial, &ground->goal, &ground->negative_goal}) sort_once(*list);
    return ground;
  }

 private:
  void go_on() {
    if (watch_.must_stop()) throw Stopped(watch_.status());
  }

  // The fluents among these conditions on a state, apart for those that are to hold and those that
  // are not. One that can never become true is left out: nothing needs it, and to nothing that
  // forbids it is it an obstacle.
  void find_fluents(const GroundTask& ground, const std::vector<Condition>& conditions,
                    std::vector<FluentId>& positive, std::vector<FluentId>& negative) {
    positive.clear();
    negative.clear();
    for (const Condition& condition : conditions) {
      if (condition.kind != Kind::state || !task_.is_fluent(condition.predicate())) continue;
      const FluentId fluent = ground.find(
          Atom{instantiate(condition.predicate(), condition.terms, binding_.data(), atom_)});
      if (fluent != FluentId::none) (condition.positive ? positive : negative).push_back(fluent);
    }
    sort_once(positive);
    sort_once(negative);
  }

  static void sort_once(std::vector<FluentId>& fluents) {
    std::ranges::sort(fluents);
    fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
  }

  // The ground conditional effects, by the number in their table, with their actions: in the order
  // of these, then of the domain, then of objects.
  std::vector<std::pair<ActionId, int32_t>> sorted_effects(const GroundTask& ground) {
    std::vector<std::pair<ActionId, int32_t>> found;
    TupleTable codes;
    insert_sorted(reached_.effects, codes, [](Tuple) { return true; });
    std::swap(codes, reached_.effects);
    for (int32_t i = 0; i < reached_.effects.size(); ++i) {
      go_on();
      const Tuple code = reached_.effects[i];
      const SchemaId schema = reached_.effect_of[code[0]].action;
      scratch_.assign(1, number_of(schema));
      const Tuple objects = code.subspan(1, task_.schema(schema).parameter_types.size());
      scratch_.insert(scratch_.end(), objects.begin(), objects.end());
      found.push_back({ground.find(GroundAction{scratch_}), i});
      assert(found.back().first != ActionId::none);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    return found;
  }

  static bool is_in(const std::vector<FluentId>& sorted, FluentId fluent) {
    return std::binary_search(sorted.begin(), sorted.end(), fluent);
  }
  static void erase_all(std::vector<FluentId>& from, const std::vector<FluentId>& sorted) {
    std::erase_if(from, [&](FluentId fluent) { return is_in(sorted, fluent); });
  }
  static bool have_common(const std::vector<FluentId>& one, const std::vector<FluentId>& sorted) {
    return std::ranges::any_of(one, [&](FluentId fluent) { return is_in(sorted, fluent); });
  }

  // Appends the conditional effects of an action, or adds them to what it does in any case.
  void add_effects(GroundTask& ground, std::span<const std::pair<ActionId, int32_t>> effects,
                   const std::vector<FluentId>& needs, const std::vector<FluentId>& forbids,
                   std::vector<FluentId>& adds, std::vector<FluentId>& deletes) {
    struct Found {
      std::vector<FluentId> needs, forbids, adds, deletes;
    };
    std::vector<Found> conditional;
    for (const auto& [action, number] : effects) {
      const Tuple code = reached_.effects[number];
      const ConditionalEffect& source = *reached_.effect_of[code[0]].source;
      binding_.assign(code.begin() + 1, code.end());
      Found found;
      find_fluents(ground, source.conditions, found.needs, found.forbids);
      find_fluents(ground, source.effects, found.adds, found.deletes);
      erase_all(found.deletes, found.adds);
      if (have_common(found.needs, forbids) || have_common(found.forbids, needs) ||
          have_common(found.needs, found.forbids)) {
        continue;  // it never happens
      }
      erase_all(found.needs, needs);
      erase_all(found.forbids, forbids);
      if (!found.needs.empty() || !found.forbids.empty()) {
        conditional.push_back(std::move(found));
        continue;
      }
      adds.insert(adds.end(), found.adds.begin(), found.adds.end());
      deletes.insert(deletes.end(), found.deletes.begin(), found.deletes.end());
    }
    sort_once(adds);
    sort_once(deletes);
    std::vector<EffectId> numbers;
    for (Found& found : conditional) {
      erase_all(found.adds, adds);
      erase_all(found.deletes, adds);
      if (found.adds.empty() && found.deletes.empty()) continue;
      numbers.push_back(EffectId{static_cast<int32_t>(ground.effect_needs.size())});
      ground.effect_needs.append(found.needs);
      ground.effect_forbids.append(found.forbids);
      ground.effect_adds.append(found.adds);
      ground.effect_deletes.append(found.deletes);
    }
    ground.effects.append(numbers);
  }

  void build_axioms(GroundTask& ground) {
    ground.derived.assign(ground.num_words(), 0);
    for (int32_t i = 0; i < ground.num_fluents(); ++i) {
      const FluentId fluent{i};
      const size_t predicate = index_of(ground.atom(fluent).predicate());
      if (!task_.derived[predicate] || task_.comparison_of[predicate] >= 0) continue;
      GroundTask::add(ground.derived.data(), fluent);
    }
    TupleTable codes;
    insert_sorted(reached_.axioms, codes, [](Tuple) { return true; });
    std::vector<std::vector<AxiomId>> needing(reached_.axiom_of.empty() ? 0 : ground.num_fluents());
    std::vector<FluentId> needs, forbids;
    const auto next_axiom = [&] {
      return AxiomId{static_cast<int32_t>(ground.axiom_heads.size())};
    };
    int32_t first = 0, at = 0;
    for (const auto& group : task_.axioms) {
      first += static_cast<int32_t>(group.size());
      for (; at < codes.size() && codes[at][0] < first; ++at) {
        go_on();
        const Axiom& axiom = *reached_.axiom_of[codes[at][0]];
        binding_.assign(codes[at].begin() + 1, codes[at].end());
        find_fluents(ground, axiom.conditions, needs, forbids);
        for (FluentId fluent : needs) needing[index_of(fluent)].push_back(next_axiom());
        ground.axiom_heads.push_back(ground.find(head_of(task_, axiom, binding_, atom_)));
        ground.axiom_needs.append(needs);
        ground.axiom_forbids.append(forbids);
      }
      ground.group_ends.push_back(next_axiom());
    }
    for (const auto& list : needing) ground.axioms_needing.append(list);
  }

  std::vector<NumberChange> changes_of(const ActionSchema& schema) const {
    std::vector<NumberChange> found;
    for (const NumericEffect& effect : schema.numeric) {
      found.push_back({task_.find_number(effect.function, effect.terms, binding_.data()),
                       effect.assigns, *task_.amount(effect, binding_.data())});
    }
    return found;
  }

  void build_comparisons(GroundTask& ground) {
    ground.comparisons_of.resize(task_.num_numbers());
    for (const ComparisonPredicate& compared : task_.comparisons) {
      const PredicateId predicate = compared.predicate;
      const Order order = compared.comparison.order;
      const LinearSum& sum = compared.comparison.sum;
      task_.for_each_instance(sum, task_.arity(predicate), [&](const auto& objects) {
        go_on();
        atom_.assign(1, number_of(predicate));
        atom_.insert(atom_.end(), objects.begin(), objects.end());
        const FluentId fluent = ground.find(Atom{atom_});
        if (fluent == FluentId::none) return;
        GroundComparison made{fluent, order, *task_.ground_sum(sum, objects.data())};
        for (const auto& [coefficient, number] : made.sum.numbers) {
          auto& readers = ground.comparisons_of[index_of(number)];
          const size_t place = ground.comparisons.size();
          if (readers.empty() || readers.back() != place) readers.push_back(place);
        }
        ground.comparisons.push_back(std::move(made));
        ground.compared.push_back(fluent);
      });
    }
    sort_once(ground.compared);
  }

  template <typename Keep>
  void insert_sorted(const TupleTable& from, TupleTable& to, Keep keep) {
    std::vector<int32_t> order;
    for (int32_t i = 0; i < from.size(); ++i) {
      if (keep(from[i])) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      go_on();
      return std::ranges::lexicographical_compare(from[a], from[b]);
    });
    for (int32_t i : order) {
      go_on();
      to.insert(from[i]);
    }
  }

  std::shared_ptr<const Task> shared_task_;
  const Task& task_;
  Reached& reached_;
  GroundingWatch& watch_;
  std::vector<int32_t> binding_, scratch_, atom_;
};

}  // namespace

GroundingResult ground(std::shared_ptr<const Task> task, const Limits& limits) {
  Reached reached;
  GroundingWatch watch(limits, reached);
  reach(*task, reached, watch);
  if (watch.stopped()) return {nullptr, watch.status()};
  try {
    return {Builder(std::move(task), reached, watch).build(), Status::solved};
  } catch (const Stopped& stopped) {
    return {nullptr, stopped.status};
  }
}

}  // namespace pg3
