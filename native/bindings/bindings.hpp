// What all bindings share: plain values in, plain values out, the GIL released in long work. Only
// the files of this folder know Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/task.hpp"
#include "ground/state_space.hpp"
#include "parse/plan_text.hpp"

namespace nb = nanobind;

namespace nanobind::detail {

// An id of the kernel is an int of Python.
template <typename Id>
struct id_caster {
  NB_TYPE_CASTER(Id, const_name("int"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<int32_t> number;
    if (!number.from_python(source, flags, cleanup)) return false;
    value = Id{number.value};
    return true;
  }
  static handle from_cpp(Id id, rv_policy policy, cleanup_list* cleanup) noexcept {
    return make_caster<int32_t>::from_cpp(pg3::number_of(id), policy, cleanup);
  }
};

template <>
struct type_caster<pg3::TypeId> : id_caster<pg3::TypeId> {};
template <>
struct type_caster<pg3::PredicateId> : id_caster<pg3::PredicateId> {};
template <>
struct type_caster<pg3::FunctionId> : id_caster<pg3::FunctionId> {};
template <>
struct type_caster<pg3::SchemaId> : id_caster<pg3::SchemaId> {};
template <>
struct type_caster<pg3::Term> : id_caster<pg3::Term> {};
template <>
struct type_caster<pg3::RuleId> : id_caster<pg3::RuleId> {};
template <>
struct type_caster<pg3::RelationId> : id_caster<pg3::RelationId> {};
template <>
struct type_caster<pg3::FluentId> : id_caster<pg3::FluentId> {};
template <>
struct type_caster<pg3::ActionId> : id_caster<pg3::ActionId> {};
template <>
struct type_caster<pg3::StateId> : id_caster<pg3::StateId> {};

}  // namespace nanobind::detail

namespace pg3 {

// One for each folder of the kernel, and one for its largest class.
void bind_parse(nb::module_& m);
void bind_core(nb::module_& m);
void bind_ground(nb::module_& m);
void bind_training_set(nb::module_& m);
void bind_lifted(nb::module_& m);

// Takes the GIL by `take`, or waits for the end of the process. A thread that asks for the GIL when
// the interpreter ends is ended there and then, in a way that unwinds its stack: C++ would abort
// the process where that comes by a destructor, and where a handler is left. This one never is.
template <typename Take>
auto take_gil(Take take) {
  try {
    return take();
  } catch (...) {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    take_gil([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

template <typename Number>
std::vector<Number> numbers(const nb::bytes& bytes) {
  std::vector<Number> result(bytes.size() / sizeof(Number));
  if (!result.empty()) std::memcpy(result.data(), bytes.c_str(), result.size() * sizeof(Number));
  return result;
}

inline std::vector<int32_t> integers(const nb::bytes& bytes) {
  return numbers<int32_t>(bytes);
}

// An object of Python is made here, so its lock must be held: never within `locked` or `limited`.
template <typename Number>
nb::bytes to_bytes(const std::vector<Number>& values) {
  if (!PyGILState_Check()) throw std::logic_error("bytes are made without Python's lock");
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
}

// Whether Python has a signal to deliver (Ctrl-C); the pending exception is left set.
bool signalled();

Limits make_limits(std::optional<int64_t> expansions, std::optional<double> seconds,
                   std::optional<double> megabytes, std::optional<double> process_megabytes = {});

const char* name(Status status);

// Long work without the GIL: running out of memory is a status, Ctrl-C is Python's exception.
template <typename Work>
auto run_released(Work work) {
  decltype(work()) result;
  {
    const GilReleased release;
    try {
      result = work();
    } catch (const std::bad_alloc&) {
      result = {};
      result.status = Status::memory_limit;
    } catch (const std::length_error&) {  // more than any vector holds
      result = {};
      result.status = Status::memory_limit;
    }
  }
  if (result.status == Status::interrupted) throw nb::python_error();
  return result;
}

// Runs work with a watch and the GIL released. Stopped, or Ctrl-C as Python's exception, if a limit
// is reached first.
template <typename Work>
auto watched(const Limits& limits, Work work) {
  try {
    const GilReleased release;
    Watch watch(limits);
    return work(watch);
  } catch (const Stopped& stopped) {
    if (stopped.status == Status::interrupted) throw nb::python_error();
    throw;
  }
}

// The same without limits: Ctrl-C ends it all the same.
template <typename Work>
auto interruptible(Work work) {
  return watched(Limits{.interrupted = signalled}, work);
}

// ((action name, arity) ..., object names)
using NameCode = std::pair<std::vector<std::pair<std::string, int32_t>>, std::vector<std::string>>;
PlanNames plan_names(const NameCode& code);

// Throw unless the space has such a state, or its task such an action.
void check_state(const StateSpace& space, StateId state);
void check_action(const GroundTask& ground, ActionId action);

}  // namespace pg3
