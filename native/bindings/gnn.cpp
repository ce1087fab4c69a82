// The module `_gnn`: the trainer of the graph neural network.
#include <nanobind/stl/array.h>

#include <array>

#include "bindings/bindings.hpp"
#include "gnn/gnn_trainer.hpp"

NB_MODULE(_gnn, m) {
  using namespace pg3;
  using Bytes = nb::bytes;
  nb::set_leak_warnings(false);
  m.doc() = "The trainer of the GNN baseline.";
  nb::class_<GnnTrainer>(m, "GnnTrainer")
      .def(
          "__init__",
          [](GnnTrainer* trainer, const std::array<int32_t, 5>& shape,
             const std::array<Bytes, 3>& rows, const std::array<Bytes, 11>& samples, int64_t epoch,
             const std::array<Bytes, 3>& state, int32_t batch, double learning_rate, bool plain) {
            GnnSamples data{
                numbers<float>(rows[0]), numbers<float>(rows[1]), numbers<float>(rows[2]),
                integers(samples[0]),    integers(samples[1]),    integers(samples[2]),
                integers(samples[3]),    integers(samples[4]),    integers(samples[5]),
                integers(samples[6]),    integers(samples[7]),    integers(samples[8]),
                integers(samples[9]),    integers(samples[10])};
            new (trainer)
                GnnTrainer({shape[0], shape[1], shape[2], shape[3], shape[4]}, std::move(data),
                           {epoch, numbers<float>(state[0]), numbers<float>(state[1]),
                            numbers<float>(state[2])},
                           {batch, learning_rate, plain});
          },
          nb::kw_only(), nb::arg("shape"), nb::arg("rows"), nb::arg("samples"), nb::arg("epoch"),
          nb::arg("state"), nb::arg("batch"), nb::arg("learning_rate"), nb::arg("plain") = false)
      .def(
          "run_epoch",
          [](GnnTrainer& trainer, std::optional<double> seconds) -> nb::object {
            const Limits limits = make_limits({}, seconds, {});
            const auto epoch = run_released([&] { return trainer.run_epoch(limits); });
            if (epoch.status != Status::solved) return nb::cast(name(epoch.status));
            return nb::cast(epoch.loss);
          },
          nb::arg("seconds").none() = nb::none(),
          "The mean loss, or the name of the limit that was reached: then nothing has happened.")
      .def("state", [](const GnnTrainer& trainer) {
        const GnnState state = trainer.state();
        return nb::make_tuple(to_bytes(state.weights), to_bytes(state.means),
                              to_bytes(state.squares));
      });
}
