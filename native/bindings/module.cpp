// The module `_native`.
#include <cerrno>
#include <exception>
#include <system_error>

#include "bindings/bindings.hpp"

NB_MODULE(_native, m) {
  // Whoever is interrupted leaves objects behind, which is nothing to tell users about.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& fault, void*) {
    try {
      std::rethrow_exception(fault);
    } catch (const std::system_error& error) {
      errno = error.code().value();
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });

  m.doc() = "The kernel of pg3: everything that touches tokens or states in a loop.";

  pg3::bind_parse(m);
  pg3::bind_core(m);
  pg3::bind_ground(m);
  pg3::bind_training_set(m);
  pg3::bind_lifted(m);
  m.def("resident_bytes", &pg3::resident_bytes,
        "The memory of this process that is in use, as the system counts it; 0 if unknown.");
}
