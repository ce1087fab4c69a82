// What the bindings of both modules need of limits and statuses.
#include "bindings/bindings.hpp"

#include <cmath>

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
