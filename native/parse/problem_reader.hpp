// The long lists of a PDDL problem (:objects, :init, :goal) as integers.
//
// The reader accepts exactly what the PDDL front end in Python accepts. Where it stops it only says
// which section is at fault: the front end then reads that section itself, slowly, and makes the
// message, so that there is one place that speaks to the user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/tuple_table.hpp"
#include "parse/tokens.hpp"

namespace pg3 {

// A declared predicate or numeric function: accepts[i][t] is '1' if an object of type t may be
// argument i, else '0'.
struct Symbol {
  std::string name;
  std::vector<std::string> accepts;
};

// What a problem of a domain can speak of; everything is numbered in this order.
struct Vocabulary {
  std::vector<std::string> types;
  std::vector<std::string> constants;
  std::vector<TypeId> constant_types;
  std::vector<Symbol> predicates;
  std::vector<Symbol> functions;
  TypeId default_type;    // of objects that are declared without one
  FunctionId total_cost;  // that function, if the domain has it
};

// The opening parentheses of the sections; one past the last token where a section is absent.
struct Sections {
  size_t objects;
  size_t init;
  size_t goal;
};

enum class Fault { none, objects, init, goal };

// The contents of the lists. Objects are numbered constants first. A tuple is the number of a
// predicate followed by those of objects, each kept once, in the order of the text.
struct ProblemLists {
  std::vector<std::string_view> names;  // into the tokens' text: objects without constants
  std::vector<TypeId> types;            // of the same objects
  TupleTable init;
  TupleTable goal;
  TupleTable negative_goal;
  TupleTable valued;            // functions instead of predicates
  std::vector<int32_t> values;  // of `valued`
  // Values that are left to the front end, as they are no plain digits: the place in `valued`, and
  // the token of the element.
  std::vector<std::pair<int32_t, size_t>> odd_values;
  std::vector<uint32_t> repeated_constants;  // tokens in :objects that declare a constant again
  std::vector<uint32_t> joined_facts;        // tokens in :init that begin an `(and ...)`

  Fault fault = Fault::none;
  size_t fault_at = 0;     // in :init, the token at which the faulty element begins
  size_t contradicts = 0;  // in :init, the token of the earlier element that it contradicts, or 0
};

ProblemLists read_problem_lists(const Tokens& tokens, const Vocabulary& vocabulary,
                                const Sections& sections);

}  // namespace pg3
