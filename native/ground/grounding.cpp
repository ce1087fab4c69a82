#include "ground/grounding.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// Relaxed reachability as a semi-naive fixpoint: atoms are processed in order of arrival, and each
// is joined, at every precondition that it matches, with the atoms that arrived before it.
class Grounder {
 public:
  Grounder(std::shared_ptr<const Task> task, const Limits& limits)
      : task_(std::move(task)), limits_(limits), watch_(limits) {
    for (const ActionSchema& action : task_->actions) {
      add_schema(action.parameter_types, {&action.preconditions});
    }
    for (const auto& group : task_->axioms) {
      for (const Axiom& axiom : group) {
        add_schema(axiom.parameter_types, {&axiom.conditions});
        axioms_.push_back(&axiom);
      }
    }
    for (size_t a = 0; a < task_->actions.size(); ++a) {
      const ActionSchema& action = task_->actions[a];
      for (const ConditionalEffect& effect : action.conditional) {
        add_schema(all_types(action, effect), {&action.preconditions, &effect.conditions});
        effects_.push_back({SchemaId{static_cast<int32_t>(a)}, &effect});
      }
    }
    std::vector<bool> inhabited(task_->num_types, false);
    for (TypeId type : task_->object_types) inhabited[index_of(type)] = true;
    auto has_objects = [&](const std::vector<bool>& types) {
      for (size_t type = 0; type < types.size(); ++type) {
        if (types[type] && inhabited[type]) return true;
      }
      return false;
    };
    watchers_.resize(task_->num_predicates());
    for (size_t s = 0; s < schemas_.size(); ++s) {
      schemas_[s].possible = std::ranges::all_of(schemas_[s].types, has_objects);
      if (!schemas_[s].possible) continue;
      for (size_t i = 0; i < schemas_[s].positive.size(); ++i) {
        watchers_[index_of(schemas_[s].positive[i]->predicate())].push_back({s, i});
      }
    }
    by_predicate_.resize(task_->num_predicates());
    by_object_.resize(task_->num_predicates());
    for (int32_t p = 0; p < task_->num_predicates(); ++p) by_object_[p].resize(task_->arities[p]);
  }

  GroundingResult run() {
    for_each_atom(*task_, task_->init, [&](Atom atom) { reach(atom); });
    reach_comparisons();
    for (size_t s = 0; s < schemas_.size() && !stopped_; ++s) {
      if (schemas_[s].positive.empty() && schemas_[s].possible) start(s, 0);
    }
    for (int32_t atom = 0; atom < atoms_.size() && !stopped_; ++atom) {
      newest_ = atom;
      for (const auto& [s, i] : watchers_[atoms_[atom][0]]) {
        delta_ = i;
        start(s, i);
        if (stopped_) break;
      }
    }
    if (stopped_) return {nullptr, status_};
    try {
      return {build(), Status::solved};
    } catch (const Stopped&) {
      return {nullptr, status_};
    }
  }

 private:
  // Thrown while the result is built, from deep inside of sorting.
  struct Stopped {};

  struct Schema {
    std::vector<std::vector<bool>> types;
    std::vector<const Condition*> positive;
    std::vector<const Condition*> checks;  // equalities and negative preconditions
    bool possible = true;                  // every parameter has objects of its type
  };

  // An effect that depends on conditions, and its action.
  struct Effect {
    SchemaId action;
    const ConditionalEffect* source;
  };

  void add_schema(const ParameterTypes& parameter_types,
                  std::initializer_list<const std::vector<Condition>*> all_conditions) {
    Schema& schema = schemas_.emplace_back();
    for (const auto& types : parameter_types) schema.types.push_back(task_->type_mask(types));
    for (const auto* conditions : all_conditions) {
      for (const Condition& condition : *conditions) {
        if (condition.kind == Kind::state && condition.positive) {
          schema.positive.push_back(&condition);
        } else {
          schema.checks.push_back(&condition);
        }
      }
    }
  }

  void reach(Atom atom) {
    const auto [number, is_new] = atoms_.insert(atom.code);
    if (!is_new) return;
    const size_t predicate = index_of(atom.predicate());
    const Tuple objects = atom.objects();
    by_predicate_[predicate].push_back(number);
    for (size_t i = 0; i < objects.size(); ++i) {
      auto& lists = by_object_[predicate][i];
      if (lists.empty()) {
        // Asked before it is there: the lists of one wide predicate can be more than there is.
        index_bytes_ += task_->num_objects() * sizeof(lists[0]);
        if (index_bytes_ > limits_.bytes) stop(Status::memory_limit);
        if (stopped_) return;
        lists.resize(task_->num_objects());
      }
      lists[objects[i]].push_back(number);
      index_entries_ += 1;
    }
  }

  // Any comparison may hold in some state, unless it is of numbers that never change.
  void reach_comparisons() {
    for (const ComparisonPredicate& compared : task_->comparisons) {
      const PredicateId predicate = compared.predicate;
      const Order order = compared.comparison.order;
      const LinearSum& sum = compared.comparison.sum;
      task_->for_each_instance(sum, task_->arity(predicate), [&](const auto& objects) {
        if (stop_now()) return;
        const auto ground = task_->ground_sum(sum, objects.data());
        if (ground->numbers.empty() && !pg3::holds(order, ground->constant)) return;
        atom_.assign(1, number_of(predicate));
        atom_.insert(atom_.end(), objects.begin(), objects.end());
        reach({atom_});
      });
    }
  }

  // Begins the join of an action at precondition i, which the newest atom must match.
  void start(size_t s, size_t i) {
    const Schema& schema = schemas_[s];
    binding_.assign(schema.types.size(), -1);
    matched_.assign(schema.positive.size(), false);
    if (schema.positive.empty()) {
      complete(s, 0);
      return;
    }
    matched_[i] = true;
    trail_.clear();
    if (bind(s, *schema.positive[i], newest_)) join(s);
  }

  // Binds the condition's free variables to the atom's objects; returns whether they fit. Either
  // way what was bound is on the trail.
  bool bind(size_t s, const Condition& condition, int32_t atom_number) {
    bool fits = true;
    for (size_t k = 0; k < condition.terms.size() && fits; ++k) {
      const Term term = condition.terms[k];
      const ObjectId object{atoms_[atom_number][k + 1]};
      if (!is_variable(term)) {
        fits = object_of(term) == object;
      } else if (int32_t& bound = binding_[index_of(term)]; bound >= 0) {
        fits = ObjectId{bound} == object;
      } else if (schemas_[s].types[index_of(term)][index_of(task_->type_of(object))]) {
        bound = number_of(object);
        trail_.push_back(variable_of(term));
      } else {
        fits = false;
      }
    }
    return fits;
  }

  void unbind(size_t trail) {
    while (trail_.size() > trail) {
      binding_[index_of(trail_.back())] = -1;
      trail_.pop_back();
    }
  }

  // Matches the open preconditions one after the other, in all ways, always the one with the
  // fewest candidate atoms next; with none left the action is complete. A loop and not a recursion,
  // because an action may have more preconditions than the stack has room for.
  void join(size_t s) {
    const Schema& schema = schemas_[s];
    levels_.clear();
    descend(s);
    // A candidate that does not fit takes its time as well.
    while (!levels_.empty() && !stop_now()) {
      Level& level = levels_.back();
      unbind(level.trail);
      // Before the delta's position only older atoms may stand, so that each action comes up once.
      const int32_t end = level.condition < delta_ ? newest_ : newest_ + 1;
      // The list may have become longer meanwhile, past `end`.
      if (level.next == level.candidates->size() || (*level.candidates)[level.next] >= end) {
        matched_[level.condition] = false;
        levels_.pop_back();
      } else if (bind(s, *schema.positive[level.condition], (*level.candidates)[level.next++])) {
        descend(s);
      }
    }
  }

  // Opens the next level of a join, or completes the action if no precondition is open.
  void descend(size_t s) {
    if (stop_now()) return;
    const Schema& schema = schemas_[s];
    Level level{0, nullptr, 0, trail_.size()};
    for (size_t i = 0; i < schema.positive.size(); ++i) {
      if (matched_[i]) continue;
      const std::vector<int32_t>* list = fewest(*schema.positive[i]);
      if (!level.candidates || list->size() < level.candidates->size()) {
        level.condition = i;
        level.candidates = list;
      }
    }
    if (!level.candidates) {
      complete(s, 0);
      return;
    }
    matched_[level.condition] = true;
    levels_.push_back(level);
  }

  const std::vector<int32_t>* fewest(const Condition& condition) const {
    const size_t predicate = index_of(condition.predicate());
    const std::vector<int32_t>* best = &by_predicate_[predicate];
    for (size_t k = 0; k < condition.terms.size(); ++k) {
      const ObjectId object = value_of(condition.terms[k], binding_.data());
      if (object == ObjectId::none) continue;
      const auto& lists = by_object_[predicate][k];
      if (lists.empty()) return &none_;
      const auto& list = lists[index_of(object)];
      if (list.size() < best->size()) best = &list;
    }
    return best;
  }

  // Binds the parameters that no positive precondition mentions, then adds the action.
  void complete(size_t s, size_t parameter) {
    if (stop_now()) return;
    const Schema& schema = schemas_[s];
    while (parameter < binding_.size() && binding_[parameter] >= 0) ++parameter;
    if (parameter < binding_.size()) {
      for (int32_t object = 0; object < task_->num_objects() && !stopped_; ++object) {
        if (!schema.types[parameter][index_of(task_->type_of(ObjectId{object}))]) continue;
        binding_[parameter] = object;
        complete(s, parameter + 1);
      }
      binding_[parameter] = -1;
      return;
    }
    for (const Condition* check : schema.checks) {
      if (!holds(*check)) return;
    }
    const size_t num_actions = task_->actions.size();
    const size_t num_axioms = axioms_.size();
    if (s < num_actions) {
      const SchemaId action{static_cast<int32_t>(s)};
      if (task_->cost(action, binding_.data()) < 0) return;
      if (!task_->has_amounts(action, binding_.data())) return;
      keep(actions_, s);
      reach_all(task_->schema(action).effects);
    } else if (s < num_actions + num_axioms) {
      keep(ground_axioms_, s - num_actions);
      reach(head_of(*axioms_[s - num_actions]));
    } else {
      const Effect& effect = effects_[s - num_actions - num_axioms];
      if (task_->cost(effect.action, binding_.data()) < 0) return;
      if (!task_->has_amounts(effect.action, binding_.data())) return;
      keep(ground_effects_, s - num_actions - num_axioms);
      reach_all(effect.source->effects);
    }
  }

  // Adds the complete binding of something with this number to a table.
  void keep(TupleTable& table, size_t number) {
    scratch_.assign(1, static_cast<int32_t>(number));
    scratch_.insert(scratch_.end(), binding_.begin(), binding_.end());
    table.insert(scratch_);
  }

  void reach_all(const std::vector<Condition>& effects) {
    for (const Condition& effect : effects) {
      if (effect.positive) reach(ground_atom(effect));
    }
  }

  // Whether an equality or a static negative precondition holds; fluent ones are left to states.
  bool holds(const Condition& check) {
    if (check.kind == Kind::equality) {
      const bool same =
          value_of(check.terms[0], binding_.data()) == value_of(check.terms[1], binding_.data());
      return same == check.positive;
    }
    return task_->is_fluent(check.predicate()) || atoms_.find(ground_atom(check).code) < 0;
  }

  // Stands until the next one.
  Atom ground_atom(const Condition& condition) {
    return {instantiate(condition.predicate(), condition.terms, binding_.data(), atom_)};
  }

  // The atom that an axiom makes true: of its first parameters.
  Atom head_of(const Axiom& axiom) {
    const auto arity = static_cast<std::ptrdiff_t>(task_->arity(axiom.predicate));
    atom_.assign(1, number_of(axiom.predicate));
    atom_.insert(atom_.end(), binding_.begin(), binding_.begin() + arity);
    return {atom_};
  }

  // The fluents among these conditions on a state, apart for those that are to hold and those that
  // are not. One that can never become true is left out: nothing needs it, and to nothing that
  // forbids it is it an obstacle.
  void find_fluents(const GroundTask& ground, const std::vector<Condition>& conditions,
                    std::vector<FluentId>& positive, std::vector<FluentId>& negative) {
    positive.clear();
    negative.clear();
    for (const Condition& condition : conditions) {
      if (condition.kind != Kind::state || !task_->is_fluent(condition.predicate())) continue;
      const FluentId fluent = ground.find(ground_atom(condition));
      if (fluent != FluentId::none) (condition.positive ? positive : negative).push_back(fluent);
    }
    sort_once(positive);
    sort_once(negative);
  }

  static void sort_once(std::vector<FluentId>& fluents) {
    std::ranges::sort(fluents);
    fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
  }

  void stop(Status why) {
    if (!stopped_) status_ = why;
    stopped_ = true;
  }

  bool stop_now() {
    if (stopped_) return true;
    if (watch_.must_stop(1024)) {
      stop(watch_.status());
    } else if (++memory_checks_ % 1024 == 0) {
      // What is still to be built from the actions takes about as much again as they do now.
      const size_t bytes =
          atoms_.bytes() +
          3 * (actions_.bytes() + ground_axioms_.bytes() + ground_effects_.bytes()) +
          index_entries_ * 8 + index_bytes_;
      if (bytes > limits_.bytes) stop(Status::memory_limit);
    }
    return stopped_;
  }

  void go_on() {
    if (stop_now()) throw Stopped{};
  }

  std::shared_ptr<const GroundTask> build() {
    auto ground = std::make_shared<GroundTask>();
    ground->task = task_;
    const auto is_fluent = [&](Tuple atom) { return task_->is_fluent(Atom{atom}.predicate()); };
    insert_sorted(atoms_, ground->statics, [&](Tuple atom) { return !is_fluent(atom); });
    insert_sorted(atoms_, ground->fluents, is_fluent);
    insert_sorted(actions_, ground->actions, [](Tuple) { return true; });

    std::vector<FluentId> needs, forbids, adds, deletes;
    const auto effects = sorted_effects(*ground);
    auto effect = effects.begin();
    for (int32_t a = 0; a < ground->num_actions(); ++a) {
      go_on();
      const GroundAction action = ground->action(ActionId{a});
      const ActionSchema& schema = task_->schema(action.schema());
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
      ground->costs.push_back(task_->cost(action.schema(), binding_.data()));
      if (task_->num_numbers() > 0) ground->changes.push_back(changes_of(schema));
    }
    build_axioms(*ground);
    build_comparisons(*ground);
    for_each_atom(*task_, task_->init, [&](Atom atom) {
      if (task_->is_fluent(atom.predicate())) ground->initial.push_back(ground->find(atom));
    });
    for_each_atom(*task_, task_->goal, [&](Atom atom) {
      const FluentId fluent = ground->find(atom);
      if (fluent != FluentId::none) {
        ground->goal.push_back(fluent);
      } else if (ground->statics.find(atom.code) < 0) {
        ++ground->impossible_goals;
      }
    });
    for_each_atom(*task_, task_->negative_goal, [&](Atom atom) {
      const FluentId fluent = ground->find(atom);
      if (fluent != FluentId::none) {
        ground->negative_goal.push_back(fluent);
      } else if (ground->statics.find(atom.code) >= 0) {
        ++ground->impossible_goals;
      }
    });
    for (auto* list : {&ground->initial, &ground->goal, &ground->negative_goal}) sort_once(*list);
    return ground;
  }

  // The ground conditional effects, by the number in their table, with their actions: in the order
  // of these, then of the domain, then of objects.
  std::vector<std::pair<ActionId, int32_t>> sorted_effects(const GroundTask& ground) {
    std::vector<std::pair<ActionId, int32_t>> found;
    TupleTable codes;
    insert_sorted(ground_effects_, codes, [](Tuple) { return true; });
    std::swap(codes, ground_effects_);
    for (int32_t i = 0; i < ground_effects_.size(); ++i) {
      go_on();
      const Tuple code = ground_effects_[i];
      const SchemaId schema = effects_[code[0]].action;
      scratch_.assign(1, number_of(schema));
      const Tuple objects = code.subspan(1, task_->schema(schema).parameter_types.size());
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
      const Tuple code = ground_effects_[number];
      const ConditionalEffect& source = *effects_[code[0]].source;
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
      if (!task_->derived[predicate] || task_->comparison_of[predicate] >= 0) continue;
      GroundTask::add(ground.derived.data(), fluent);
    }
    TupleTable codes;
    insert_sorted(ground_axioms_, codes, [](Tuple) { return true; });
    std::vector<std::vector<AxiomId>> needing(axioms_.empty() ? 0 : ground.num_fluents());
    std::vector<FluentId> needs, forbids;
    const auto next_axiom = [&] {
      return AxiomId{static_cast<int32_t>(ground.axiom_heads.size())};
    };
    int32_t first = 0, at = 0;
    for (const auto& group : task_->axioms) {
      first += static_cast<int32_t>(group.size());
      for (; at < codes.size() && codes[at][0] < first; ++at) {
        go_on();
        const Axiom& axiom = *axioms_[codes[at][0]];
        binding_.assign(codes[at].begin() + 1, codes[at].end());
        find_fluents(ground, axiom.conditions, needs, forbids);
        for (FluentId fluent : needs) needing[index_of(fluent)].push_back(next_axiom());
        ground.axiom_heads.push_back(ground.find(head_of(axiom)));
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
      found.push_back({task_->find_number(effect.function, effect.terms, binding_.data()),
                       effect.assigns, *task_->amount(effect, binding_.data())});
    }
    return found;
  }

  void build_comparisons(GroundTask& ground) {
    ground.comparisons_of.resize(task_->num_numbers());
    for (const ComparisonPredicate& compared : task_->comparisons) {
      const PredicateId predicate = compared.predicate;
      const Order order = compared.comparison.order;
      const LinearSum& sum = compared.comparison.sum;
      task_->for_each_instance(sum, task_->arity(predicate), [&](const auto& objects) {
        go_on();
        atom_.assign(1, number_of(predicate));
        atom_.insert(atom_.end(), objects.begin(), objects.end());
        const FluentId fluent = ground.find(Atom{atom_});
        if (fluent == FluentId::none) return;
        GroundComparison made{fluent, order, *task_->ground_sum(sum, objects.data())};
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

  std::shared_ptr<const Task> task_;
  const Limits& limits_;
  Watch watch_;
  std::vector<Schema> schemas_;
  std::vector<std::vector<std::pair<size_t, size_t>>> watchers_;  // predicate -> (schema, position)

  TupleTable atoms_;
  TupleTable actions_;
  std::vector<const Axiom*> axioms_;  // those of the task, one group after the other
  TupleTable ground_axioms_;          // (axiom, object, ...)
  std::vector<Effect> effects_;       // the conditional ones of all actions
  TupleTable ground_effects_;         // (effect, object, ...)
  std::vector<std::vector<int32_t>> by_predicate_;
  std::vector<std::vector<std::vector<std::vector<int32_t>>>>
      by_object_;  // [predicate][place][object]
  const std::vector<int32_t> none_;
  size_t index_entries_ = 0;
  size_t index_bytes_ = 0;

  int32_t newest_ = -1;  // the atom being joined
  size_t delta_ = 0;     // the position that it takes
  std::vector<int32_t> binding_;
  std::vector<VariableId> trail_;
  std::vector<bool> matched_;
  struct Level {
    size_t condition;                        // the precondition that is being matched
    const std::vector<int32_t>* candidates;  // atoms that may match it
    size_t next;                             // the first of them that has not been tried
    size_t trail;                            // how much was bound before
  };
  std::vector<Level> levels_;
  std::vector<int32_t> scratch_, atom_;

  uint32_t memory_checks_ = 0;
  bool stopped_ = false;
  Status status_ = Status::solved;
};

}  // namespace

size_t GroundTask::bytes() const {
  return fluents.bytes() + statics.bytes() + actions.bytes() + needs.bytes() + forbids.bytes() +
         adds.bytes() + deletes.bytes() + costs.capacity() * sizeof(int32_t) + axiom_needs.bytes() +
         axiom_forbids.bytes() + axioms_needing.bytes() + effects.bytes() + effect_needs.bytes() +
         effect_forbids.bytes() + effect_adds.bytes() + effect_deletes.bytes();
}

bool GroundTask::is_goal(const uint64_t* state) const {
  auto holds_now = [&](FluentId fluent) { return holds(state, fluent); };
  return impossible_goals == 0 && std::ranges::all_of(goal, holds_now) &&
         std::ranges::none_of(negative_goal, holds_now);
}

void GroundTask::apply(uint64_t* state, ActionId action) const {
  if (effects.flat.empty()) {
    for (FluentId fluent : deletes[action]) remove(state, fluent);
    for (FluentId fluent : adds[action]) add(state, fluent);
  } else {
    // All conditions are about the state as it was.
    std::vector<EffectId> happening;
    for (EffectId effect : effects[action]) {
      if (happens(state, effect)) happening.push_back(effect);
    }
    for (FluentId fluent : deletes[action]) remove(state, fluent);
    for (EffectId effect : happening) {
      for (FluentId fluent : effect_deletes[effect]) remove(state, fluent);
    }
    for (FluentId fluent : adds[action]) add(state, fluent);
    for (EffectId effect : happening) {
      for (FluentId fluent : effect_adds[effect]) add(state, fluent);
    }
  }
  if (!changes.empty() && !changes[index_of(action)].empty()) {
    int64_t* numbers = values(state);
    for (const auto& [number, assigns, amount] : changes[index_of(action)]) {
      int64_t& value = numbers[index_of(number)];
      value = assigns ? amount : capped(Wide{value} + amount);
    }
    for (const NumberChange& change : changes[index_of(action)]) {
      for (const size_t place : comparisons_of[index_of(change.number)]) {
        const GroundComparison& one = comparisons[place];
        if (one.holds(numbers)) {
          add(state, one.fluent);
        } else {
          remove(state, one.fluent);
        }
      }
    }
  }
  derive(state);
}

void GroundTask::compare(uint64_t* state) const {
  for (FluentId fluent : compared) remove(state, fluent);
  for (const GroundComparison& one : comparisons) {
    if (one.holds(values(state))) add(state, one.fluent);
  }
}

void GroundTask::derive(uint64_t* state) const {
  if (axiom_heads.empty()) return;
  for (size_t w = 0; w < derived.size(); ++w) state[w] &= ~derived[w];
  std::vector<FluentId> pending;
  auto holds_now = [&](FluentId fluent) { return holds(state, fluent); };
  auto try_axiom = [&](AxiomId axiom) {
    const FluentId head = axiom_heads[index_of(axiom)];
    if (holds(state, head) || !std::ranges::all_of(axiom_needs[axiom], holds_now) ||
        !std::ranges::none_of(axiom_forbids[axiom], holds_now)) {
      return;
    }
    add(state, head);
    pending.push_back(head);
  };
  AxiomId begin{0};
  for (AxiomId end : group_ends) {
    for (int32_t i = number_of(begin); i < number_of(end); ++i) try_axiom(AxiomId{i});
    while (!pending.empty()) {
      const FluentId fluent = pending.back();
      pending.pop_back();
      // Those of other groups have their turn, or have had it.
      for (AxiomId axiom : axioms_needing[fluent]) {
        if (axiom >= begin && axiom < end) try_axiom(axiom);
      }
    }
    begin = end;
  }
}

GroundingResult ground(std::shared_ptr<const Task> task, const Limits& limits) {
  return Grounder(std::move(task), limits).run();
}

}  // namespace pg3
