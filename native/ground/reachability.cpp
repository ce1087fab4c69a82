#include "ground/reachability.hpp"

#include <algorithm>
#include <initializer_list>

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// A semi-naive fixpoint: atoms are processed in order of arrival, and each is joined, at every
// precondition that it matches, with the atoms that arrived before it.
class Reachability {
 public:
  Reachability(const Task& task, Reached& reached, GroundingWatch& watch)
      : task_(task), reached_(reached), watch_(watch) {
    for (const ActionSchema& action : task_.actions) {
      add_schema(action.parameter_types, {&action.preconditions});
    }
    for (const auto& group : task_.axioms) {
      for (const Axiom& axiom : group) {
        add_schema(axiom.parameter_types, {&axiom.conditions});
        reached_.axiom_of.push_back(&axiom);
      }
    }
    for (size_t a = 0; a < task_.actions.size(); ++a) {
      const ActionSchema& action = task_.actions[a];
      for (const ConditionalEffect& effect : action.conditional) {
        add_schema(all_types(action, effect), {&action.preconditions, &effect.conditions});
        reached_.effect_of.push_back({SchemaId{static_cast<int32_t>(a)}, &effect});
      }
    }
    std::vector<bool> inhabited(task_.num_types, false);
    for (TypeId type : task_.object_types) inhabited[index_of(type)] = true;
    auto has_objects = [&](const std::vector<bool>& types) {
      for (size_t type = 0; type < types.size(); ++type) {
        if (types[type] && inhabited[type]) return true;
      }
      return false;
    };
    watchers_.resize(task_.num_predicates());
    for (size_t s = 0; s < schemas_.size(); ++s) {
      schemas_[s].possible = std::ranges::all_of(schemas_[s].types, has_objects);
      if (!schemas_[s].possible) continue;
      for (size_t i = 0; i < schemas_[s].positive.size(); ++i) {
        watchers_[index_of(schemas_[s].positive[i]->predicate())].push_back({s, i});
      }
    }
    reached_.by_predicate.resize(task_.num_predicates());
    reached_.by_object.resize(task_.num_predicates());
    for (int32_t p = 0; p < task_.num_predicates(); ++p)
      reached_.by_object[p].resize(task_.arities[p]);
  }

  void run() {
    for_each_atom(task_, task_.init, [&](Atom atom) { reach(atom); });
    reach_comparisons();
    for (size_t s = 0; s < schemas_.size() && !watch_.stopped(); ++s) {
      if (schemas_[s].positive.empty() && schemas_[s].possible) start(s, 0);
    }
    for (int32_t atom = 0; atom < reached_.atoms.size() && !watch_.stopped(); ++atom) {
      newest_ = atom;
      for (const auto& [s, i] : watchers_[reached_.atoms[atom][0]]) {
        delta_ = i;
        start(s, i);
        if (watch_.stopped()) break;
      }
    }
  }

 private:
  struct Schema {
    std::vector<std::vector<bool>> types;
    std::vector<const Condition*> positive;
    std::vector<const Condition*> checks;  // equalities and negative preconditions
    bool possible = true;                  // every parameter has objects of its type
  };

  void add_schema(const ParameterTypes& parameter_types,
                  std::initializer_list<const std::vector<Condition>*> all_conditions) {
    Schema& schema = schemas_.emplace_back();
    for (const auto& types : parameter_types) schema.types.push_back(task_.type_mask(types));
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
    const auto [number, is_new] = reached_.atoms.insert(atom.code);
    if (!is_new) return;
    const size_t predicate = index_of(atom.predicate());
    const Tuple objects = atom.objects();
    reached_.by_predicate[predicate].push_back(number);
    for (size_t i = 0; i < objects.size(); ++i) {
      auto& lists = reached_.by_object[predicate][i];
      if (lists.empty()) {
        // Asked before it is there: the lists of one wide predicate can be more than there is.
        reached_.index_bytes += task_.num_objects() * sizeof(lists[0]);
        watch_.check_bytes(reached_.index_bytes);
        if (watch_.stopped()) return;
        lists.resize(task_.num_objects());
      }
      lists[objects[i]].push_back(number);
      reached_.index_entries += 1;
    }
  }

  // Any comparison may hold in some state, unless it is of numbers that never change.
  void reach_comparisons() {
    for (const ComparisonPredicate& compared : task_.comparisons) {
      const PredicateId predicate = compared.predicate;
      const Order order = compared.comparison.order;
      const LinearSum& sum = compared.comparison.sum;
      task_.for_each_instance(sum, task_.arity(predicate), [&](const auto& objects) {
        if (watch_.must_stop()) return;
        const auto ground = task_.ground_sum(sum, objects.data());
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
      const ObjectId object{reached_.atoms[atom_number][k + 1]};
      if (!is_variable(term)) {
        fits = object_of(term) == object;
      } else if (int32_t& bound = binding_[index_of(term)]; bound >= 0) {
        fits = ObjectId{bound} == object;
      } else if (schemas_[s].types[index_of(term)][index_of(task_.type_of(object))]) {
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
    while (!levels_.empty() && !watch_.must_stop()) {
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
    if (watch_.must_stop()) return;
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
    const std::vector<int32_t>* best = &reached_.by_predicate[predicate];
    for (size_t k = 0; k < condition.terms.size(); ++k) {
      const ObjectId object = value_of(condition.terms[k], binding_.data());
      if (object == ObjectId::none) continue;
      const auto& lists = reached_.by_object[predicate][k];
      if (lists.empty()) return &none_;
      const auto& list = lists[index_of(object)];
      if (list.size() < best->size()) best = &list;
    }
    return best;
  }

  // Binds the parameters that no positive precondition mentions, then adds the action.
  void complete(size_t s, size_t parameter) {
    if (watch_.must_stop()) return;
    const Schema& schema = schemas_[s];
    while (parameter < binding_.size() && binding_[parameter] >= 0) ++parameter;
    if (parameter < binding_.size()) {
      for (int32_t object = 0; object < task_.num_objects() && !watch_.stopped(); ++object) {
        if (!schema.types[parameter][index_of(task_.type_of(ObjectId{object}))]) continue;
        binding_[parameter] = object;
        complete(s, parameter + 1);
      }
      binding_[parameter] = -1;
      return;
    }
    for (const Condition* check : schema.checks) {
      if (!holds(*check)) return;
    }
    const size_t num_actions = task_.actions.size();
    const size_t num_axioms = reached_.axiom_of.size();
    if (s < num_actions) {
      const SchemaId action{static_cast<int32_t>(s)};
      if (task_.cost(action, binding_.data()) < 0) return;
      if (!task_.has_amounts(action, binding_.data())) return;
      keep(reached_.actions, s);
      reach_all(task_.schema(action).effects);
    } else if (s < num_actions + num_axioms) {
      keep(reached_.axioms, s - num_actions);
      reach(head_of(task_, *reached_.axiom_of[s - num_actions], binding_, atom_));
    } else {
      const Reached::Effect& effect = reached_.effect_of[s - num_actions - num_axioms];
      if (task_.cost(effect.action, binding_.data()) < 0) return;
      if (!task_.has_amounts(effect.action, binding_.data())) return;
      keep(reached_.effects, s - num_actions - num_axioms);
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
    return task_.is_fluent(check.predicate()) || reached_.atoms.find(ground_atom(check).code) < 0;
  }

  // Stands until the next one.
  Atom ground_atom(const Condition& condition) {
    return {instantiate(condition.predicate(), condition.terms, binding_.data(), atom_)};
  }

  const Task& task_;
  Reached& reached_;
  GroundingWatch& watch_;
  std::vector<Schema> schemas_;  // of actions, then of axioms, then of conditional effects
  std::vector<std::vector<std::pair<size_t, size_t>>> watchers_;  // predicate -> (schema, position)
  const std::vector<int32_t> none_;

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
};

}  // namespace

Atom head_of(const Task& task, const Axiom& axiom, const std::vector<int32_t>& binding,
             std::vector<int32_t>& code) {
  const auto arity = static_cast<std::ptrdiff_t>(task.arity(axiom.predicate));
  code.assign(1, number_of(axiom.predicate));
  code.insert(code.end(), binding.begin(), binding.begin() + arity);
  return {code};
}

void reach(const Task& task, Reached& reached, GroundingWatch& watch) {
  Reachability(task, reached, watch).run();
}

}  // namespace pg3
