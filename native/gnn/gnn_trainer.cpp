#include "gnn/gnn_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gnn/gnn_passes.hpp"
#include "gnn/gnn_weights.hpp"
#include "gnn/rows.hpp"

namespace pg3 {

namespace {

// torch's numbers for Adam
constexpr double kMeanDecay = 0.9;
constexpr double kSquareDecay = 0.999;
constexpr float kAdamEpsilon = 1e-8f;

void require(bool fits) {
  if (!fits) throw std::invalid_argument("malformed samples or state");
}

// The kernel indexes without further checks, so nothing unchecked may pass here.
void check(const GnnShape& shape, const GnnSamples& samples) {
  for (int32_t size :
       {shape.node_width, shape.edge_width, shape.global_width, shape.arguments, shape.actions}) {
    require(0 <= size && size <= (1 << 20));
  }
  const size_t count = samples.actions.size();
  auto rows = [&](const std::vector<float>& values, int32_t width) {
    // Rows without features are all alike: then there is one at most.
    return width == 0 ? int32_t{1} : static_cast<int32_t>(values.size() / width);
  };
  auto in_range = [](const std::vector<int32_t>& values, int32_t low, int32_t end) {
    return std::ranges::all_of(values, [&](int32_t v) { return low <= v && v < end; });
  };
  auto grows = [&](const std::vector<int32_t>& begins, size_t total) {
    return begins.size() == count + 1 && begins[0] == 0 && std::ranges::is_sorted(begins) &&
           static_cast<size_t>(begins[count]) == total;
  };
  require(count > 0);
  require(grows(samples.node_begins, samples.nodes.size()));
  require(grows(samples.edge_begins, samples.edges.size()));
  require(samples.sources.size() == samples.edges.size() &&
          samples.targets.size() == samples.edges.size() && samples.globals.size() == count &&
          samples.node_counts.size() == samples.nodes.size() &&
          samples.edge_counts.size() == samples.edges.size() &&
          samples.arguments.size() == count * shape.arguments);
  require(in_range(samples.nodes, 0, rows(samples.node_rows, shape.node_width)));
  require(in_range(samples.edges, 0, rows(samples.edge_rows, shape.edge_width)));
  require(in_range(samples.globals, 0, rows(samples.global_rows, shape.global_width)));
  require(in_range(samples.actions, 0, shape.actions));
  require(in_range(samples.node_counts, 1, 1 << 24) && in_range(samples.edge_counts, 1, 1 << 24));
  for (size_t s = 0; s < count; ++s) {
    const int32_t nodes = samples.node_begins[s + 1] - samples.node_begins[s];
    for (int32_t e = samples.edge_begins[s]; e < samples.edge_begins[s + 1]; ++e) {
      require(0 <= samples.sources[e] && samples.sources[e] < nodes);
      require(0 <= samples.targets[e] && samples.targets[e] < nodes);
    }
    for (int32_t i = 0; i < shape.arguments; ++i) {
      const int32_t object = samples.arguments[s * shape.arguments + i];
      require(-1 <= object && object < nodes);
    }
  }
}

// Work on a batch, compiled for several kinds of processors.
double run_plain(GnnPasses& passes, int32_t begin, int32_t end) {
  return passes.run(begin, end);
}

#if defined(__x86_64__)
// "flatten" puts everything that is called into this function, so that it is compiled for AVX2.
__attribute__((flatten, target("avx2"))) double run_avx2(GnnPasses& passes, int32_t begin,
                                                         int32_t end) {
  return passes.run(begin, end);
}
#endif

auto run_for(bool plain) {
#if defined(__x86_64__)
  if (!plain && __builtin_cpu_supports("avx2")) return run_avx2;
#endif
  return run_plain;
}

}  // namespace

class GnnTrainer::Work {
 public:
  Work(const GnnShape& shape, GnnSamples samples, GnnState state, const GnnOptions& options);

  Epoch run_epoch(const Limits& limits);
  GnnState state() const;

 private:
  void adam();

  GnnSamples samples_;
  GnnOptions options_;
  int64_t epoch_;
  int64_t steps_;
  std::unique_ptr<GnnWeights> weights_;
  std::unique_ptr<GnnPasses> passes_;
  Rows means_, squares_;
};

GnnTrainer::Work::Work(const GnnShape& shape, GnnSamples samples, GnnState state,
                       const GnnOptions& options)
    : samples_(std::move(samples)), options_(options), epoch_(state.epoch) {
  check(shape, samples_);
  require(epoch_ >= 0 && options_.batch > 0);
  weights_ = std::make_unique<GnnWeights>(shape);
  auto load = [&](Rows& rows, const std::vector<float>& values) {
    require(values.size() == weights_->count());
    rows.assign(weights_->weights.size(), Row{});
    std::copy(values.begin(), values.end(), reinterpret_cast<float*>(rows.data()));
  };
  load(weights_->weights, state.weights);
  load(means_, state.means);
  load(squares_, state.squares);
  passes_ = std::make_unique<GnnPasses>(shape, samples_, *weights_);
  const auto count = static_cast<int64_t>(samples_.actions.size());
  steps_ = epoch_ * ((count + options_.batch - 1) / options_.batch);
}

// As torch's Adam: the same formulas in the same order.
void GnnTrainer::Work::adam() {
  ++steps_;
  auto power = [](double base, int64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent >>= 1, base *= base) {
      if (exponent & 1) result *= base;
    }
    return result;
  };
  const auto step = static_cast<float>(options_.learning_rate / (1.0 - power(kMeanDecay, steps_)));
  const auto root = static_cast<float>(std::sqrt(1.0 - power(kSquareDecay, steps_)));
  const auto mean_share = static_cast<float>(1.0 - kMeanDecay);
  const auto square_decay = static_cast<float>(kSquareDecay);
  const auto square_share = static_cast<float>(1.0 - kSquareDecay);
  auto* __restrict weights = reinterpret_cast<float*>(weights_->weights.data());
  auto* __restrict means = reinterpret_cast<float*>(means_.data());
  auto* __restrict squares = reinterpret_cast<float*>(squares_.data());
  const auto* __restrict gradients = reinterpret_cast<const float*>(weights_->gradients.data());
  const size_t size = weights_->weights.size() * kWidth;
  for (size_t i = 0; i < size; ++i) {
    means[i] += mean_share * (gradients[i] - means[i]);
    squares[i] = squares[i] * square_decay + square_share * (gradients[i] * gradients[i]);
    weights[i] -= step * (means[i] / (std::sqrt(squares[i]) / root + kAdamEpsilon));
  }
}

GnnTrainer::Epoch GnnTrainer::Work::run_epoch(const Limits& limits) {
  Watch watch(limits);
  const auto run = run_for(options_.plain);
  // Half an epoch is of no use to anybody.
  const Rows weights = weights_->weights, means = means_, squares = squares_;
  const int64_t steps = steps_;
  auto restore = [&] {
    weights_->weights = weights;
    means_ = means;
    squares_ = squares;
    steps_ = steps;
    --epoch_;
  };
  const auto count = static_cast<int32_t>(samples_.actions.size());
  ++epoch_;
  double total = 0.0;
  try {
    for (int32_t begin = 0; begin < count; begin += options_.batch) {
      if (watch.must_stop(1)) {
        restore();
        return {watch.status(), 0.0};
      }
      total += run(*passes_, begin, std::min(begin + options_.batch, count));
      adam();
    }
  } catch (...) {  // no memory
    restore();
    throw;
  }
  return {Status::solved, total / count};
}

GnnState GnnTrainer::Work::state() const {
  auto floats = [&](const Rows& rows) {
    const auto* begin = reinterpret_cast<const float*>(rows.data());
    return std::vector<float>(begin, begin + weights_->count());
  };
  return {epoch_, floats(weights_->weights), floats(means_), floats(squares_)};
}

GnnTrainer::GnnTrainer(const GnnShape& shape, GnnSamples samples, GnnState state,
                       const GnnOptions& options)
    : work_(std::make_unique<Work>(shape, std::move(samples), std::move(state), options)) {}

GnnTrainer::~GnnTrainer() = default;

GnnTrainer::Epoch GnnTrainer::run_epoch(const Limits& limits) {
  return work_->run_epoch(limits);
}

GnnState GnnTrainer::state() const {
  return work_->state();
}

}  // namespace pg3
