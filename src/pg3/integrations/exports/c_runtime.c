/* == head == */
/* C99 and nothing else. Memory is taken once, by pg3_start; no call allocates after that.

     int types[] = {pg3_find(pg3_type_names, "car"), ...}; // of the objects after the constants
     Pg3 *agent = pg3_start(number_of_objects, types);
     int at = pg3_find(pg3_predicate_names, "at");
     pg3_set(agent, at, (int[]){car, dock}, 1);          // a fact of the state: 1 true, 0 false
     pg3_want(agent, at, (int[]){car, home}, 1);         // a goal: 1 wanted true, -1 false, 0 not
     int objects[PG3_MAX_ARITY];
     int action = pg3_act(agent, objects);               // a number of pg3_action_names, or -1
     pg3_apply(agent, action, objects);                  // or pg3_set what the sensors say

   Numbers, if the domain has any, are fractions whose denominators divide PG3_SCALE, which is 1000
   where the compiler is not told otherwise (-DPG3_SCALE=60). 0 comes back for others.

     int fuel = pg3_find(pg3_function_names, "fuel");
     pg3_set_number(agent, fuel, (int[]){car}, 5, 2);    // 2.5; a denominator of 0: it has no value
     int least = pg3_find(pg3_comparison_names, ">=");
     pg3_want_number(agent, fuel, (int[]){car}, least, 4, 1, 1); // a goal as in pg3_want: at least 4
     double value = pg3_number(agent, fuel, (int[]){car});

   Objects are numbers: the constants first, in the order of pg3_constant_names, then those of the
   problem. Their order decides which objects a rule tries first. A step takes time and an agent
   takes memory by powers of the number of objects: this is for hundreds, not for thousands. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A term is the number of a variable; a constant c is -1 - c. */
#define PG3_ANY INT16_MIN /* any object */

enum { PG3_ATOM, PG3_EQUALS, PG3_SOME, PG3_REACH, PG3_NEXT };

typedef struct {
  int8_t kind, positive;
  int8_t of_goal;   /* 0: of the state, 1: wanted true, 2: wanted false */
  int16_t depth;    /* it can be tested once so many variables are bound */
  int16_t relation; /* a predicate, or after those one that the policy defines */
  int16_t graph;    /* of PG3_REACH and PG3_NEXT */
  const int16_t* terms;
} Pg3Condition;

typedef struct {
  int16_t variables, conditions;
  const uint8_t* const* types; /* for each variable which types it may have */
  const Pg3Condition* condition;
} Pg3Query;

typedef struct {
  Pg3Query query;
  int16_t action;
  const int16_t* arguments;
} Pg3Rule;

typedef struct {
  Pg3Query query;
  int16_t relation; /* of the first variables */
} Pg3Clause;

typedef struct {
  int16_t clauses;
  const Pg3Clause* clause;
} Pg3Group;

typedef struct {
  Pg3Query query; /* the action's parameters first */
  int16_t effects;
  const Pg3Condition* effect;
} Pg3Effect;

typedef struct {
  Pg3Query query;
  int16_t effects;
  const Pg3Effect* effect;
} Pg3Action;

typedef struct {
  int8_t of_goal;
  int16_t relation;
} Pg3Graph;

/* Numbers are counted in parts, of which PG3_PARTS make one. Of a function the first number is the
   value in a state; the next ones are what goals compare it with, in the order of the words. */
typedef struct {
  int64_t coefficient;
  int16_t number;
  const int16_t* terms;
} Pg3Value;

typedef struct {
  int16_t values;
  const Pg3Value* value;
  int64_t constant;
} Pg3Sum;

typedef struct {
  Pg3Query query; /* of the places */
  int16_t relation;
  int8_t order; /* the sum is 0: at least, or 1: more than 0, or 2: it is 0 */
  Pg3Sum sum;
} Pg3Comparison;

typedef struct {
  int16_t action;
  int8_t assigns; /* else it adds */
  int16_t number;
  const int16_t* terms;
  Pg3Sum amount;
  int64_t divisor; /* of the amount */
} Pg3Change;

/* == the policy == */
#define PG3_CONSTANTS 0
#define PG3_TYPES 1
#define PG3_PREDICATES 0
#define PG3_RELATIONS 0
#define PG3_RULES 0
#define PG3_ACTIONS 0
#define PG3_GROUPS 0
#define PG3_GRAPHS 0
#define PG3_FUNCTIONS 0
#define PG3_COMPARISONS 0
#define PG3_CHANGES 0
#define PG3_DIVISOR 1
#define PG3_MAX_ARITY 1
#define PG3_MAX_VARIABLES 1
/* == the policy ends == */

#ifndef PG3_SCALE
#define PG3_SCALE 1000
#endif
#define PG3_PARTS ((int64_t)PG3_SCALE * PG3_DIVISOR)
#define PG3_WORDS 5 /* of comparisons */
#define PG3_NUMBERS (PG3_FUNCTIONS * (1 + PG3_WORDS))

typedef struct Pg3 {
  int objects, changed;
  int64_t* number[PG3_NUMBERS + 1];
  uint8_t* known[PG3_NUMBERS + 1]; /* which numbers there are */
  int* type;
  uint8_t *state[PG3_RELATIONS + 1], *goal[PG3_PREDICATES + 1], *unwanted[PG3_PREDICATES + 1];
  uint8_t *added[PG3_PREDICATES + 1], *deleted[PG3_PREDICATES + 1];
  size_t size[PG3_RELATIONS + 1]; /* bytes of a table */
  uint16_t* distance[PG3_GRAPHS + 1];
  int* queue;
  int binding[PG3_MAX_VARIABLES];
} Pg3;

static size_t pg3_cell(const Pg3* agent, int arity, const int* objects) {
  size_t place = 0;
  for (int i = 0; i < arity; ++i) place = place * (size_t)agent->objects + (size_t)objects[i];
  return place;
}

static size_t pg3_place(const Pg3* agent, int relation, const int* objects) {
  return pg3_cell(agent, pg3_arities[relation], objects);
}

static int pg3_get(const uint8_t* table, size_t place) {
  return table[place / 8] >> (place % 8) & 1;
}

static void pg3_put(uint8_t* table, size_t place, int value) {
  const uint8_t bit = (uint8_t)(1u << (place % 8));
  table[place / 8] = (uint8_t)(value ? table[place / 8] | bit : table[place / 8] & ~bit);
}

static int pg3_value(const Pg3* agent, int16_t term) {
  return term >= 0 ? agent->binding[term] : -1 - term;
}

/* The atoms that hold, or that the goal wants true, or false. */
static const uint8_t* pg3_table(const Pg3* agent, int of_goal, int relation) {
  return of_goal == 0   ? agent->state[relation]
         : of_goal == 1 ? agent->goal[relation]
                        : agent->unwanted[relation];
}

/* Whether some objects for the terms PG3_ANY, from the term `at` on, make the atom hold. */
static int pg3_some(const Pg3* agent, const Pg3Condition* one, int at, int* objects) {
  const uint8_t* table = pg3_table(agent, one->of_goal, one->relation);
  for (; at < pg3_arities[one->relation]; ++at) {
    if (one->terms[at] == PG3_ANY) {
      for (objects[at] = 0; objects[at] < agent->objects; ++objects[at]) {
        if (pg3_some(agent, one, at + 1, objects)) return 1;
      }
      return 0;
    }
    objects[at] = pg3_value(agent, one->terms[at]);
  }
  return pg3_get(table, pg3_place(agent, one->relation, objects));
}

static int pg3_holds(const Pg3* agent, const Pg3Condition* one) {
  int objects[PG3_MAX_ARITY + 1];
  const int arity = pg3_arities[one->relation < 0 ? 0 : one->relation];
  int holds;
  if (one->kind == PG3_EQUALS) {
    holds = pg3_value(agent, one->terms[0]) == pg3_value(agent, one->terms[1]);
  } else if (one->kind == PG3_REACH) {
    for (int i = 0; i < arity; ++i) objects[i] = pg3_value(agent, one->terms[i]);
    holds = agent->distance[one->graph][pg3_place(agent, one->relation, objects)] != UINT16_MAX;
  } else if (one->kind == PG3_NEXT) {
    const uint16_t* distance = agent->distance[one->graph];
    const uint8_t* table = pg3_table(agent, one->of_goal, one->relation);
    for (int i = 0; i <= arity; ++i) objects[i] = pg3_value(agent, one->terms[i]);
    const int stop = objects[arity - 1], target = objects[arity];
    const int edge = pg3_get(table, pg3_place(agent, one->relation, objects));
    objects[arity - 1] = target;
    const int from_start = distance[pg3_place(agent, one->relation, objects)];
    objects[arity - 2] = stop;
    const int from_stop = distance[pg3_place(agent, one->relation, objects)];
    holds = edge && from_stop != UINT16_MAX && from_start == from_stop + 1;
  } else {
    holds = pg3_some(agent, one, 0, objects);
  }
  return holds == one->positive;
}

/* All conditions that can be tested now, and could not be before. */
static int pg3_tested(const Pg3* agent, const Pg3Query* query, int depth) {
  for (int i = 0; i < query->conditions; ++i) {
    const Pg3Condition* one = &query->condition[i];
    if (one->depth == depth && !pg3_holds(agent, one)) return 0;
  }
  return 1;
}

/* Binds the variables from `depth` on in every way that fits, in order; stops when a visit says so.
 */
static int pg3_each(Pg3* agent, const Pg3Query* query, int depth, int (*visit)(Pg3*, const void*),
                    const void* what) {
  if (depth == query->variables) return visit(agent, what);
  for (int object = 0; object < agent->objects; ++object) {
    agent->binding[depth] = object;
    if (query->types[depth][agent->type[object]] && pg3_tested(agent, query, depth + 1) &&
        pg3_each(agent, query, depth + 1, visit, what)) {
      return 1;
    }
  }
  return 0;
}

static int pg3_match(Pg3* agent, const Pg3Query* query, int (*visit)(Pg3*, const void*),
                     const void* what) {
  return pg3_tested(agent, query, 0) && pg3_each(agent, query, 0, visit, what);
}

static int pg3_stop(Pg3* agent, const void* what) {
  (void)agent, (void)what;
  return 1;
}

/* The distances of all objects to all others along a relation, for whatever stands before. */
static void pg3_measure(Pg3* agent, int graph) {
  const Pg3Graph* one = &pg3_graphs[graph];
  const uint8_t* table = pg3_table(agent, one->of_goal, one->relation);
  uint16_t* distance = agent->distance[graph];
  const size_t count = (size_t)agent->objects;
  size_t leading = 1;
  for (int i = 2; i < pg3_arities[one->relation]; ++i) leading *= count;
  memset(distance, 0xff, leading * count * count * sizeof *distance);
  for (size_t block = 0; block < leading; ++block) {
    const size_t begin = block * count * count;
    for (size_t target = 0; target < count; ++target) {
      int filled = 1;
      agent->queue[0] = (int)target;
      distance[begin + target * count + target] = 0;
      for (int next = 0; next < filled; ++next) {
        const size_t node = (size_t)agent->queue[next];
        const uint16_t near = distance[begin + node * count + target];
        for (size_t before = 0; before < count; ++before) {
          uint16_t* far = &distance[begin + before * count + target];
          if (*far == UINT16_MAX && pg3_get(table, begin + before * count + node)) {
            *far = (uint16_t)(near + 1);
            agent->queue[filled++] = (int)before;
          }
        }
      }
    }
  }
}

/* The cell of a number for the objects that the terms stand for. */
static size_t pg3_of_terms(const Pg3* agent, int number, const int16_t* terms) {
  int objects[PG3_MAX_ARITY];
  const int arity = pg3_number_arities[number];
  for (int i = 0; i < arity; ++i) objects[i] = pg3_value(agent, terms[i]);
  return pg3_cell(agent, arity, objects);
}

/* Whether all that a sum adds up is known; if so, the sum in parts. */
static int pg3_sum(const Pg3* agent, const Pg3Sum* sum, int64_t* total) {
  *total = sum->constant * PG3_PARTS;
  for (int i = 0; i < sum->values; ++i) {
    const Pg3Value* one = &sum->value[i];
    const size_t cell = pg3_of_terms(agent, one->number, one->terms);
    if (!pg3_get(agent->known[one->number], cell)) return 0;
    *total += one->coefficient * agent->number[one->number][cell];
  }
  return 1;
}

static int pg3_compare(Pg3* agent, const void* what) {
  const Pg3Comparison* one = what;
  int64_t sum;
  if (!pg3_sum(agent, &one->sum, &sum)) return 0;
  if (one->order == 0 ? sum >= 0 : one->order == 1 ? sum > 0 : sum == 0) {
    pg3_put(agent->state[one->relation], pg3_place(agent, one->relation, agent->binding), 1);
  }
  return 0;
}

static int pg3_derive(Pg3* agent, const void* what) {
  const Pg3Clause* clause = what;
  uint8_t* table = agent->state[clause->relation];
  const size_t place = pg3_place(agent, clause->relation, agent->binding);
  agent->changed |= !pg3_get(table, place);
  pg3_put(table, place, 1);
  return 0;
}

/* What follows from numbers, and what axioms and definitions derive, group by group, each until
   nothing new comes. */
static void pg3_settle(Pg3* agent) {
  if (!agent->changed) return;
  for (int i = 0; i < PG3_COMPARISONS; ++i) {
    const Pg3Comparison* one = &pg3_comparisons[i];
    memset(agent->state[one->relation], 0, agent->size[one->relation]);
    pg3_match(agent, &one->query, pg3_compare, one);
  }
  for (int graph = 0; graph < PG3_GRAPHS; ++graph) {
    if (pg3_graphs[graph].of_goal || pg3_derived[pg3_graphs[graph].relation] != 1) {
      pg3_measure(agent, graph);
    }
  }
  for (int i = 0; i < PG3_GROUPS; ++i) {
    const Pg3Group* group = &pg3_groups[i];
    for (int c = 0; c < group->clauses; ++c) {
      const int relation = group->clause[c].relation;
      memset(agent->state[relation], 0, agent->size[relation]);
    }
    do {
      agent->changed = 0;
      for (int c = 0; c < group->clauses; ++c) {
        pg3_match(agent, &group->clause[c].query, pg3_derive, &group->clause[c]);
      }
    } while (agent->changed);
    for (int graph = 0; graph < PG3_GRAPHS; ++graph) {
      for (int c = 0; c < group->clauses; ++c) {
        if (!pg3_graphs[graph].of_goal && pg3_graphs[graph].relation == group->clause[c].relation) {
          pg3_measure(agent, graph);
          break;
        }
      }
    }
  }
  agent->changed = 0;
}

/* The number of a name in one of the lists of names, or -1. */
int pg3_find(const char* const* names, const char* name) {
  for (int i = 0; names[i]; ++i) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

/* An agent with nothing true and nothing wanted, or NULL if there is not enough memory. `types` are
   the numbers in pg3_type_names of the objects that come after the constants. */
Pg3* pg3_start(int count, const int* types) {
  const int objects = PG3_CONSTANTS + count;
  size_t size[PG3_RELATIONS + 1], cells[PG3_RELATIONS + 1], total = sizeof(Pg3), at;
  size_t valued[PG3_NUMBERS + 1];
  if (count < 0 || objects > UINT16_MAX - 1) return NULL;
  for (int r = 0; r < PG3_RELATIONS; ++r) {
    cells[r] = 1;
    for (int i = 0; i < pg3_arities[r]; ++i) {
      if (objects && cells[r] > SIZE_MAX / 64 / (size_t)objects) return NULL;
      cells[r] *= (size_t)objects;
    }
    size[r] = (cells[r] / 8 / 16 + 1) * 16;
    total += size[r] * (r < PG3_PREDICATES ? 5 : 1);
  }
  for (int g = 0; g < PG3_GRAPHS; ++g) {
    total += (cells[pg3_graphs[g].relation] / 8 + 1) * 8 * sizeof(uint16_t);
  }
  for (int n = 0; n < PG3_NUMBERS; ++n) {
    valued[n] = pg3_number_arities[n] < 0 ? 0 : 1;
    for (int i = 0; i < pg3_number_arities[n]; ++i) {
      if (objects && valued[n] > SIZE_MAX / 64 / (size_t)objects) return NULL;
      valued[n] *= (size_t)objects;
    }
    if (pg3_number_arities[n] >= 0) total += valued[n] * 8 + (valued[n] / 8 / 16 + 1) * 16;
  }
  total += 2 * sizeof(int) * ((size_t)objects + 2) + 64;
  uint8_t* memory = calloc(1, total);
  if (!memory) return NULL;
  Pg3* agent = (Pg3*)memory;
  at = (sizeof(Pg3) / 16 + 1) * 16;
  agent->objects = objects;
  agent->changed = 1;
  for (int r = 0; r < PG3_RELATIONS; ++r) {
    uint8_t** tables[] = {&agent->state[r], &agent->goal[r < PG3_PREDICATES ? r : 0],
                          &agent->unwanted[r < PG3_PREDICATES ? r : 0],
                          &agent->added[r < PG3_PREDICATES ? r : 0],
                          &agent->deleted[r < PG3_PREDICATES ? r : 0]};
    agent->size[r] = size[r];
    for (int t = 0; t < (r < PG3_PREDICATES ? 5 : 1); ++t, at += size[r]) *tables[t] = memory + at;
  }
  for (int n = 0; n < PG3_NUMBERS; ++n) {
    if (pg3_number_arities[n] < 0) continue;
    agent->known[n] = memory + at;
    at += (valued[n] / 8 / 16 + 1) * 16;
    agent->number[n] = (int64_t*)(void*)(memory + at);
    at += valued[n] * 8;
  }
  for (int g = 0; g < PG3_GRAPHS; ++g) {
    agent->distance[g] = (uint16_t*)(void*)(memory + at);
    at += (cells[pg3_graphs[g].relation] / 8 + 1) * 8 * sizeof(uint16_t);
  }
  agent->queue = (int*)(void*)(memory + at);
  agent->type = agent->queue + objects + 1;
  for (int i = 0; i < PG3_CONSTANTS; ++i) agent->type[i] = pg3_constant_types[i];
  for (int i = 0; i < count; ++i) agent->type[PG3_CONSTANTS + i] = types[i];
  return agent;
}

void pg3_end(Pg3* agent) {
  free(agent);
}

/* What axioms derive cannot be set: it follows from the rest. */
void pg3_set(Pg3* agent, int predicate, const int* objects, int value) {
  if (pg3_derived[predicate]) return;
  const size_t place = pg3_place(agent, predicate, objects);
  agent->changed |= pg3_get(agent->state[predicate], place) != !!value;
  pg3_put(agent->state[predicate], place, value);
}

void pg3_want(Pg3* agent, int predicate, const int* objects, int value) {
  const size_t place = pg3_place(agent, predicate, objects);
  agent->changed = 1;
  pg3_put(agent->goal[predicate], place, value > 0);
  pg3_put(agent->unwanted[predicate], place, value < 0);
}

/* Gives a number a value, or none: 1, or 0 if it cannot have this one. */
static int pg3_give(Pg3* agent, int number, const int* objects, int64_t above, int64_t below) {
  if (pg3_number_arities[number] < 0) return 0;
  if (below && above * PG3_SCALE % below) return 0;
  const size_t cell = pg3_cell(agent, pg3_number_arities[number], objects);
  agent->changed = 1;
  pg3_put(agent->known[number], cell, below != 0);
  agent->number[number][cell] = below ? above * PG3_SCALE / below * PG3_DIVISOR : 0;
  return 1;
}

/* Gives a function the value above / below; none if below is 0. */
int pg3_set_number(Pg3* agent, int function, const int* objects, int64_t above, int64_t below) {
  return pg3_give(agent, function * (1 + PG3_WORDS), objects, above, below);
}

/* The value of a function, 0 if it has none. */
double pg3_number(const Pg3* agent, int function, const int* objects) {
  const int number = function * (1 + PG3_WORDS);
  if (pg3_number_arities[number] < 0) return 0;
  const size_t cell = pg3_cell(agent, pg3_number_arities[number], objects);
  return (double)agent->number[number][cell] / (double)PG3_PARTS;
}

/* A goal that compares a function with above / below: 1 wanted true, -1 false, 0 not. */
int pg3_want_number(Pg3* agent, int function, const int* objects, int word, int64_t above,
                    int64_t below, int value) {
  const int number = function * (1 + PG3_WORDS) + 1 + word;
  if (pg3_goal_relations[number] < 0) return 0;
  if (!pg3_give(agent, number, objects, above, value ? below : 0)) return 0;
  pg3_want(agent, pg3_goal_relations[number], objects, value);
  return 1;
}

/* Whether all goals hold. */
int pg3_solved(Pg3* agent) {
  pg3_settle(agent);
  for (int p = 0; p < PG3_PREDICATES; ++p) {
    for (size_t i = 0; i < agent->size[p]; ++i) {
      if (agent->goal[p][i] & ~agent->state[p][i]) return 0;
      if (agent->unwanted[p][i] & agent->state[p][i]) return 0;
    }
  }
  return 1;
}

/* The action that the first applicable rule chooses, its objects in `objects`; -1 if none applies.
 */
int pg3_act(Pg3* agent, int objects[PG3_MAX_ARITY]) {
  pg3_settle(agent);
  for (int r = 0; r < PG3_RULES; ++r) {
    const Pg3Rule* rule = &pg3_rules[r];
    if (!pg3_match(agent, &rule->query, pg3_stop, NULL)) continue;
    for (int i = 0; i < pg3_actions[rule->action].query.variables; ++i) {
      objects[i] = pg3_value(agent, rule->arguments[i]);
    }
    return rule->action;
  }
  return -1;
}

static int pg3_note(Pg3* agent, const void* what) {
  const Pg3Effect* effect = what;
  for (int i = 0; i < effect->effects; ++i) {
    const Pg3Condition* one = &effect->effect[i];
    int objects[PG3_MAX_ARITY];
    for (int t = 0; t < pg3_arities[one->relation]; ++t) {
      objects[t] = pg3_value(agent, one->terms[t]);
    }
    pg3_put((one->positive ? agent->added : agent->deleted)[one->relation],
            pg3_place(agent, one->relation, objects), 1);
  }
  return 0;
}

/* Does an action: 1, or 0 if it cannot be done, and nothing changes. Adding comes after deleting.
 */
int pg3_apply(Pg3* agent, int number, const int* objects) {
  if (number < 0 || number >= PG3_ACTIONS) return 0;
  const Pg3Action* action = &pg3_actions[number];
  pg3_settle(agent);
  for (int i = 0; i < action->query.variables; ++i) {
    agent->binding[i] = objects[i];
    if (!action->query.types[i][agent->type[objects[i]]]) return 0;
  }
  for (int i = 0; i < action->query.conditions; ++i) {
    if (!pg3_holds(agent, &action->query.condition[i])) return 0;
  }
  for (int i = 0; i < PG3_CHANGES; ++i) {
    const Pg3Change* one = &pg3_changes[i];
    int64_t amount;
    if (one->action != number) continue;
    if (!pg3_get(agent->known[one->number], pg3_of_terms(agent, one->number, one->terms)) ||
        !pg3_sum(agent, &one->amount, &amount)) {
      return 0;
    }
  }
  for (int p = 0; p < PG3_PREDICATES; ++p) {
    memset(agent->added[p], 0, agent->size[p]);
    memset(agent->deleted[p], 0, agent->size[p]);
  }
  for (int i = 0; i < action->effects; ++i) {
    const Pg3Effect* effect = &action->effect[i];
    int fits = 1;
    for (int depth = 0; depth <= action->query.variables; ++depth) {
      fits = fits && pg3_tested(agent, &effect->query, depth);
    }
    if (fits) pg3_each(agent, &effect->query, action->query.variables, pg3_note, effect);
  }
  for (int i = 0; i < PG3_CHANGES; ++i) {
    const Pg3Change* one = &pg3_changes[i];
    int64_t amount;
    if (one->action != number || !pg3_sum(agent, &one->amount, &amount)) continue;
    int64_t* value = &agent->number[one->number][pg3_of_terms(agent, one->number, one->terms)];
    *value = (one->assigns ? 0 : *value) + amount / one->divisor;
  }
  for (int p = 0; p < PG3_PREDICATES; ++p) {
    for (size_t i = 0; i < agent->size[p]; ++i) {
      agent->state[p][i] =
          (uint8_t)((agent->state[p][i] & ~agent->deleted[p][i]) | agent->added[p][i]);
    }
  }
  agent->changed = 1;
  return 1;
}
