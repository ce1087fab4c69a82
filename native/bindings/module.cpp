// The module `_native`.
#include <cerrno>
#include <cmath>
#include <exception>
#include <system_error>

#include "bindings/bindings.hpp"

namespace pg3 {

bool signalled() {
  const PyGILState_STATE state = take_gil(PyGILState_Ensure);
  const bool pending = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return pending;
}

Limits make_limits(std::optional<int64_t> expansions, std::optional<double> seconds,
                   std::optional<double> megabytes, std::optional<double> process_megabytes) {
  Limits limits;
  if (expansions) limits.expansions = *expansions;
  if (seconds) limits.seconds = *seconds;
  const auto bad = [](const std::optional<double>& number) { return number && !(*number >= 0); };
  if ((seconds && std::isnan(*seconds)) || bad(megabytes) || bad(process_megabytes)) {
    throw std::invalid_argument("a limit must be a number, and not negative");
  }
  // Beyond this there is no such memory, nor a number for it.
  const auto bytes = [](double number, size_t& limit) {
    if (number < 0x1p40) limit = static_cast<size_t>(number * 0x1p20);
  };
  if (megabytes) bytes(*megabytes, limits.bytes);
  if (process_megabytes) bytes(*process_megabytes, limits.process_bytes);
  limits.interrupted = signalled;
  return limits;
}

const char* name(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::unsolvable:
      return "unsolvable";
    case Status::not_applicable:
      return "not applicable";
    case Status::horizon:
      return "horizon";
    case Status::cycle:
      return "cycle";
    case Status::expansion_limit:
      return "expansion limit";
    case Status::time_limit:
      return "time limit";
    case Status::memory_limit:
      return "memory limit";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace pg3

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
  pg3::bind_gnn(m);
  m.def("resident_bytes", &pg3::resident_bytes,
        "The memory of this process that is in use, as the system counts it; 0 if unknown.");
}
