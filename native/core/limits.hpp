// What a search may use, and how it says that it stopped.
#pragma once

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>

namespace pg3 {

// The memory of this process that is in use now, as the system counts it; 0 where it does not say.
// Looked up anew every few milliseconds only, so that it can be asked in every loop.
inline size_t resident_bytes() {
#if defined(__linux__)
  using Clock = std::chrono::steady_clock;
  thread_local size_t known = 0;
  thread_local Clock::time_point looked{};
  const Clock::time_point now = Clock::now();
  if (now - looked < std::chrono::milliseconds(5)) return known;
  looked = now;
  char text[128] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return known;
  const ssize_t count = read(file, text, sizeof(text) - 1);
  close(file);
  size_t pages = 0;
  const char* at = text;
  while (count > 0 && *at && *at != ' ') ++at;  // the first number is the size of the address space
  while (*at == ' ') ++at;
  for (; *at >= '0' && *at <= '9'; ++at) pages = 10 * pages + static_cast<size_t>(*at - '0');
  known = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return known;
#else
  return 0;
#endif
}

enum class Status {
  solved,
  unsolvable,      // the whole space was searched
  not_applicable,  // the policy has no answer in the state reached
  horizon,         // the step limit of an execution
  cycle,           // an execution came back to a state
  expansion_limit,
  time_limit,
  memory_limit,
  interrupted,  // the caller asked to stop (Ctrl-C)
};

struct Limits {
  int64_t expansions = std::numeric_limits<int64_t>::max();
  // States met: where each has thousands of successors, a few expansions take long.
  int64_t generated = std::numeric_limits<int64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  size_t bytes = std::numeric_limits<size_t>::max();
  // Of the whole process: a learner has many searches, and what the system counts is what kills.
  size_t process_bytes = std::numeric_limits<size_t>::max();
  // Asked now and then, never in the middle of an update; may be empty.
  std::function<bool()> interrupted;
};

// Thrown out of the depth of a computation that nobody could use half of; `status` says why.
struct Stopped : std::runtime_error {
  explicit Stopped(Status why) : std::runtime_error("stopped"), status(why) {}
  Status status;
};

// Watches the clock, the memory of the process and the caller's wish to stop, cheaply enough to be
// asked in every loop.
class Watch {
 public:
  explicit Watch(const Limits& limits) : limits_(limits), start_(Clock::now()) {}

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Whether to stop; looks at the clock only every `stride`-th call.
  bool must_stop(uint32_t stride = 64) {
    if (stopped_) return true;
    if (calls_++ % stride != 0) return false;  // the first call looks
    const double now = elapsed();
    if (now >= limits_.seconds) {
      stopped_ = true;
      status_ = Status::time_limit;
    } else if (limits_.process_bytes != std::numeric_limits<size_t>::max() &&
               resident_bytes() > limits_.process_bytes) {
      stopped_ = true;
      status_ = Status::memory_limit;
    } else if (limits_.interrupted && now >= next_question_) {
      next_question_ = now + 0.05;  // a person does not notice 50 ms; the question takes the GIL
      if (limits_.interrupted()) {
        stopped_ = true;
        status_ = Status::interrupted;
      }
    }
    return stopped_;
  }

  // The same by work instead of calls: a unit takes some nanoseconds, and the clock is looked at
  // first, then once in 262,144 of them. For loops whose turns may take long, or come a million at
  // a time.
  bool must_stop_after(uint64_t work) {
    if (stopped_) return true;
    work_ += work;
    if (work_ < kLook) return false;
    work_ = 0;
    return must_stop(1);
  }
  // Throws Stopped instead.
  void spend(uint64_t work) {
    if (must_stop_after(work)) throw Stopped(status_);
  }
  // Throws Stopped if so much memory is more than allowed.
  void check_bytes(size_t bytes) const {
    if (bytes > limits_.bytes) throw Stopped(Status::memory_limit);
  }

  // Why to stop; meaningful once must_stop() has said so.
  Status status() const { return status_; }

 private:
  using Clock = std::chrono::steady_clock;
  const Limits& limits_;
  Clock::time_point start_;
  static constexpr uint64_t kLook = 1 << 18;
  uint32_t calls_ = 0;
  uint64_t work_ = kLook;
  double next_question_ = 0.05;
  bool stopped_ = false;
  Status status_ = Status::time_limit;
};

}  // namespace pg3
