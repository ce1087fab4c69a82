// The one file that knows Python: plain values in, plain values out, the GIL released in long work.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "tokens.hpp"

namespace nb = nanobind;
using namespace pg3;

NB_MODULE(_native, m) {
  m.doc() = "The kernel of pg3: everything that touches tokens or states in a loop.";

  nb::class_<Tokens>(m, "Tokens")
      .def(
          "__init__",
          [](Tokens* self, nb::bytes text) {
            std::string copy(text.c_str(), text.size());
            nb::gil_scoped_release release;
            new (self) Tokens(std::move(copy));
          },
          nb::arg("text"))
      .def("__len__", &Tokens::size)
      .def("word", &Tokens::word, nb::arg("index"))
      .def(
          "begin", [](const Tokens& t, size_t i) { return t.token(i).begin; }, nb::arg("index"))
      .def(
          "end", [](const Tokens& t, size_t i) { return t.token(i).end; }, nb::arg("index"))
      .def("closing", &Tokens::closing, nb::arg("index"))
      .def("unclosed", &Tokens::unclosed)
      .def("buried_section", [](const Tokens& t) {
        const Tokens::Buried buried = t.buried_section();
        return nb::make_tuple(buried.section, buried.around);
      });
}
