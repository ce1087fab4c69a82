// Texts: words, problems, plans.
#include <nanobind/stl/string_view.h>

#include <algorithm>

#include "bindings/bindings.hpp"
#include "parse/plan_text.hpp"
#include "parse/problem_reader.hpp"
#include "parse/tokens.hpp"

namespace pg3 {

namespace {

size_t checked(const Tokens& tokens, size_t index) {
  if (index >= tokens.size()) throw nb::index_error("no such token");
  return index;
}

using SymbolSpec = std::pair<std::string, std::vector<std::string>>;

// Throws unless the numbers of a vocabulary fit each other and the sections are closed expressions
// that begin with a word: the reader relies on it.
void check_reading(const Tokens& tokens, const Vocabulary& vocabulary, const Sections& sections) {
  auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("malformed question: ") + what);
  };
  auto is_type = [&](TypeId type) { return in_range(type, vocabulary.types.size()); };
  require(is_type(vocabulary.default_type), "type out of range");
  require(std::ranges::all_of(vocabulary.constant_types, is_type), "type out of range");
  require(vocabulary.constant_types.size() == vocabulary.constants.size(), "types of constants");
  for (const auto* list : {&vocabulary.predicates, &vocabulary.functions}) {
    for (const Symbol& symbol : *list) {
      for (const std::string& accepted : symbol.accepts) {
        require(accepted.size() == vocabulary.types.size(), "types of a symbol");
      }
    }
  }
  auto is_section = [&](size_t token) {
    return token < tokens.size() && tokens.is_open(token) &&
           tokens.closing(token) < tokens.size() && tokens.closing(token) > token + 1;
  };
  require(sections.objects >= tokens.size() || is_section(sections.objects), "no section");
  require(is_section(sections.init) && is_section(sections.goal), "no section");
}

std::vector<Symbol> symbols(std::vector<SymbolSpec>& specs) {
  std::vector<Symbol> result;
  for (SymbolSpec& spec : specs) result.push_back({std::move(spec.first), std::move(spec.second)});
  return result;
}

}  // namespace

PlanNames plan_names(const NameCode& code) {
  PlanNames names;
  for (const auto& [action, arity] : code.first) {
    names.actions.push_back(action);
    names.arities.push_back(arity);
  }
  names.objects = code.second;
  return names;
}

void bind_parse(nb::module_& m) {
  nb::class_<Tokens>(m, "Tokens")
      .def(
          "__init__",
          [](Tokens* self, nb::bytes text) {
            std::string copy(text.c_str(), text.size());
            GilReleased release;
            new (self) Tokens(std::move(copy));
          },
          nb::arg("text"))
      .def("__len__", &Tokens::size)
      .def(
          "word", [](const Tokens& t, size_t i) { return t.word(checked(t, i)); }, nb::arg("index"))
      .def(
          "begin", [](const Tokens& t, size_t i) { return t.token(checked(t, i)).begin; },
          nb::arg("index"))
      .def(
          "end", [](const Tokens& t, size_t i) { return t.token(checked(t, i)).end; },
          nb::arg("index"))
      .def(
          "closing", [](const Tokens& t, size_t i) { return t.closing(checked(t, i)); },
          nb::arg("index"))
      .def("unclosed", &Tokens::unclosed)
      .def("buried_section", [](const Tokens& t) {
        const Tokens::Buried buried = t.buried_section();
        return nb::make_tuple(buried.section, buried.around);
      });
  nb::class_<ProblemLists>(m, "ProblemLists")
      .def_prop_ro("names",
                   [](const ProblemLists& lists) {
                     nb::list names;
                     for (std::string_view name : lists.names) {
                       names.append(nb::str(name.data(), name.size()));
                     }
                     return names;
                   })
      .def_prop_ro("types", [](const ProblemLists& lists) { return to_bytes(lists.types); })
      .def_prop_ro("init", [](const ProblemLists& lists) { return to_bytes(lists.init.flat()); })
      .def_prop_ro("goal", [](const ProblemLists& lists) { return to_bytes(lists.goal.flat()); })
      .def_prop_ro("negative_goal",
                   [](const ProblemLists& lists) { return to_bytes(lists.negative_goal.flat()); })
      .def_prop_ro("valued",
                   [](const ProblemLists& lists) { return to_bytes(lists.valued.flat()); })
      .def_ro("odd_values", &ProblemLists::odd_values)
      .def_prop_ro("values", [](const ProblemLists& lists) { return to_bytes(lists.values); })
      .def_ro("repeated_constants", &ProblemLists::repeated_constants)
      .def_ro("joined_facts", &ProblemLists::joined_facts)
      .def_prop_ro("fault",
                   [](const ProblemLists& lists) {
                     switch (lists.fault) {
                       case Fault::objects:
                         return ":objects";
                       case Fault::init:
                         return ":init";
                       case Fault::goal:
                         return ":goal";
                       default:
                         return "";
                     }
                   })
      .def_ro("fault_at", &ProblemLists::fault_at)
      .def_ro("contradicts", &ProblemLists::contradicts);

  m.def(
      "read_problem_lists",
      [](const Tokens& tokens, std::vector<std::string> types, std::vector<std::string> constants,
         std::vector<TypeId> constant_types, std::vector<SymbolSpec> predicates,
         std::vector<SymbolSpec> functions, TypeId default_type, FunctionId total_cost,
         size_t objects, size_t init, size_t goal) {
        GilReleased release;
        const Vocabulary vocabulary{
            std::move(types),    std::move(constants), std::move(constant_types),
            symbols(predicates), symbols(functions),   default_type,
            total_cost};
        const Sections sections{objects, init, goal};
        check_reading(tokens, vocabulary, sections);
        return read_problem_lists(tokens, vocabulary, sections);
      },
      nb::arg("tokens"), nb::kw_only(), nb::arg("types"), nb::arg("constants"),
      nb::arg("constant_types"), nb::arg("predicates"), nb::arg("functions"),
      nb::arg("default_type"), nb::arg("total_cost"), nb::arg("objects"), nb::arg("init"),
      nb::arg("goal"), nb::keep_alive<0, 1>());
  m.def(
      "read_plan",
      [](const Tokens& tokens, const NameCode& code) {
        const PlanNames names = plan_names(code);
        PlanCodes result;
        {
          const GilReleased release;
          result = read_plan_codes(tokens, names);
        }
        return nb::make_tuple(to_bytes(result.codes), result.fault);
      },
      nb::arg("tokens"), nb::arg("names"),
      "The codes of a plan text, and the number of the first token that does not fit or -1.");
}

}  // namespace pg3
