// Ready-made operators on a device, against the same on the host: all of them, for several kinds,
// layouts, exchanges and forms of spectra.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <weft/plan.hpp>

#include "device/device_arrays.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "truth/truth.hpp"

namespace weft::test {
namespace {

struct ApplyCase {
  std::string name;
  Transform transform;
  std::string options;
};

Transform with_modes(Transform transform, Index first_grid = 5, Index last_grid = 7) {
  transform.modes.resize(static_cast<std::size_t>(transform.shape.size()));
  transform.modes[0].grid = first_grid;
  transform.modes[2].grid = last_grid;
  return transform;
}

Transform with_ellipse(Transform transform) {
  transform.ellipse = {3, 2, 4};
  return transform;
}

void PrintTo(const ApplyCase& one, std::ostream* out) { *out << one.name; }

Transform with_zeros(Transform transform) {
  transform.modes.resize(static_cast<std::size_t>(transform.shape.size()));
  transform.modes[1] = Modes::up_to(2);
  transform.dropped = Dropped::zero;
  return transform;
}

std::vector<ApplyCase> apply_cases() {
  Transform single({8, 6, 10}, Kind::r2c);
  single.precision = Precision::single_;
  const Transform kept = with_modes(Transform({8, 7, 12}, Kind::r2c));
  return {{"r2c", Transform({6, 7, 8}, Kind::r2c), ""},
          {"c2c_natural", Transform({6, 8, 5}, Kind::c2c), "output=natural"},
          {"c2r", Transform({6, 4, 10}, Kind::c2r), "output=transposed, exchange=push"},
          {"single", single, "decomposition=pencil, producer_chunks=2"},
          {"two_axes", Transform({12, 9}, Kind::c2c), "exchange=p2p"},
          {"batch", Transform({3, 6, 8}, {Kind::none, Kind::c2c, Kind::r2c}), ""},
          {"kept", kept, "exchange=alltoall"},
          {"spread", Transform({5, 4, 6}, Kind::c2c), "active_ranks=1"},
          {"four_axes", Transform({4, 3, 5, 6}, {Kind::none, Kind::c2c, Kind::c2c, Kind::c2c}), ""},
          {"nyquist", with_modes(Transform({8, 7, 12}, Kind::r2c), 4, 8), "exchange=p2p"},
          {"nyquist_c2r", with_modes(Transform({8, 7, 12}, Kind::c2r), 4, 8), ""},
          {"ellipse", with_ellipse(Transform({8, 7, 12}, Kind::r2c)), "exchange=alltoall"},
          {"ellipse_c2c", with_ellipse(Transform({8, 6, 12}, Kind::c2c)), ""},
          {"packed", Transform({6, 7, 8}, Kind::r2c_packed), ""},
          {"zeros", with_zeros(Transform({8, 7, 12}, Kind::r2c)), ""}};
}

class DeviceApplyTest : public testing::TestWithParam<ApplyCase> {
 protected:
  using Bytes = std::vector<std::byte>;

  Plan plan_on(const std::string& device) const {
    Options options =
        Options::parse(GetParam().options.empty() ? "engine_effort=estimate" : GetParam().options);
    options.device = device;
    if (options.exchange == "push" && !is_here("push")) options.exchange = "auto";
    return {MPI_COMM_WORLD, GetParam().transform, options};
  }

  bool is_backwards() const { return GetParam().transform.kinds.back() == Kind::c2r; }
  Side physical() const { return is_backwards() ? Side::output : Side::input; }
  ElementType physical_type(const Plan& plan) const {
    return {plan.transform().precision,
            is_backwards() ? plan.output_is_real() : plan.input_is_real()};
  }
  Index elements(const Plan& plan) const {
    return is_backwards() ? plan.output_size() : plan.input_size();
  }

  /// Random numbers, or numbers that no result holds.
  std::vector<Bytes> fields(const Plan& plan, int count, double only = 0) const {
    const ElementType type = physical_type(plan);
    const bool is_double = type.precision == Precision::double_;
    const std::size_t numbers = static_cast<std::size_t>(elements(plan)) * (type.real ? 1 : 2);
    std::vector<Bytes> all;
    Random random(7 + static_cast<std::uint64_t>(world_rank()));
    for (int field = 0; field < count; ++field) {
      Bytes bytes(numbers * (is_double ? sizeof(double) : sizeof(float)));
      for (std::size_t i = 0; i < numbers; ++i) {
        const double value = only != 0 ? only : random.between(-1000, 1000) / 1000.0;
        if (is_double)
          reinterpret_cast<double*>(bytes.data())[i] = value;
        else
          reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(value);
      }
      all.push_back(std::move(bytes));
    }
    return all;
  }

  std::vector<RawArray> arrays(const Plan& plan, std::vector<Bytes>& fields) const {
    std::vector<RawArray> all;
    for (Bytes& field : fields) all.push_back({field.data(), physical_type(plan), elements(plan)});
    return all;
  }

  static void apply(Plan& plan, const RawOperator& what, const std::vector<RawArray>& in,
                    const std::vector<RawArray>& out, ElementType spectrum) {
    if (what.together)
      plan.apply(in, out, spectrum, what.together);
    else
      plan.apply(in.front(), out, spectrum, what.each);
  }

  /// The relative L2 distance over all ranks and fields.
  static double distance(const std::vector<Bytes>& a, const std::vector<Bytes>& b, bool is_double) {
    double sums[2] = {0, 0};
    const auto value = [&](const Bytes& bytes, std::size_t i) {
      return is_double ? reinterpret_cast<const double*>(bytes.data())[i]
                       : static_cast<double>(reinterpret_cast<const float*>(bytes.data())[i]);
    };
    for (std::size_t field = 0; field < a.size(); ++field)
      for (std::size_t i = 0; i < a[field].size() / (is_double ? 8 : 4); ++i) {
        sums[0] += std::pow(value(a[field], i) - value(b[field], i), 2);
        sums[1] += std::pow(value(b[field], i), 2);
      }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_GT(sums[1], 0);
    return std::sqrt(sums[0] / sums[1]);
  }
};

/// Operators that depend on the size of the wavenumber refuse elements that hold two modes.
std::vector<std::string> names_of_operators(const Transform& transform) {
  std::vector<std::string> names{"derivative 1", "gradient", "divergence", "curl", "projection"};
  if (std::ranges::count(transform.kinds, Kind::r2c_packed) == 0)
    names.insert(names.end(), {"laplacian", "inverse_laplacian", "gaussian 0.3", "sharp 4"});
  return names;
}

TEST_P(DeviceApplyTest, OperatorsAreThoseOfTheHost) {
  const Transform& transform = GetParam().transform;
  const bool is_double = transform.precision == Precision::double_;
  const ElementType spectrum{transform.precision, false};
  std::vector<double> lengths{3, 2.5, 4, 1.5};
  lengths.resize(static_cast<std::size_t>(transform.shape.size()));
  const SpectralOperators operators(transform, lengths);
  Plan on_host = plan_on("cpu");
  for (const std::string& device : devices()) {
    Plan on_device = plan_on(device);
    for (const std::string& name : names_of_operators(transform)) {
      SCOPED_TRACE(name + " on " + device);
      running(name + " on " + device);
      const RawOperator what = operators.by_name(name, spectrum);
      std::vector<Bytes> in = fields(on_host, what.inputs),
                         expected = fields(on_host, what.outputs),
                         found = fields(on_host, what.outputs, 1e30);
      apply(on_host, what, arrays(on_host, in), arrays(on_host, expected), spectrum);
      for (int round = 0; round < 2; ++round) {
        apply(on_device, what, arrays(on_device, in), arrays(on_device, found), spectrum);
        EXPECT_LT(distance(found, expected, is_double), is_double ? 1e-13 : 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceApplyTest, testing::ValuesIn(apply_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(DeviceApplyMoreTest, FunctionsOfTheHostAreRefused) {
  using Complex = std::complex<double>;
  const Transform transform({4, 5, 6}, Kind::c2c);
  Options options;
  options.device = "emulated";
  Plan plan(MPI_COMM_WORLD, transform, options);
  std::vector<Complex> values(static_cast<std::size_t>(plan.input_size()));
  const LineFunction<Complex> own = [](const SpectrumLine<Complex>&) {};
  const FieldsFunction<Complex> together = [](const SpectrumLines<Complex>&) {};
  const auto expect_refused = [](const std::function<void()>& call) {
    expect_error_everywhere(call, {"apply", "device=emulated", "SpectralOperators", "device=cpu"});
  };
  expect_refused([&] { plan.apply<Complex>(values.data(), values.data(), own); });
  const std::vector<Complex*> fields{values.data()};
  expect_refused([&] { plan.apply<Complex>(fields, fields, together); });
  const SpectralOperators operators(transform, {1, 1, 1});
  expect_error_everywhere(
      [&] { plan.apply<Complex>(fields, fields, operators.divergence<Complex>()); },
      {"divergence", "1 fields given", "each of the 3 transformed axes"});
}

/// The last field is filled with zeros in each call, while the last call may still read it.
TEST(DeviceApplyMoreTest, InputsThatAreMissingAreZeros) {
  using Complex = std::complex<double>;
  const Transform transform({6, 5, 4}, Kind::c2c);
  const ElementType type{Precision::double_, false};
  const RawOperator projection =
      SpectralOperators(transform, {1, 2, 3}).by_name("projection", type);
  std::vector<std::vector<Complex>> results;
  for (const std::string& device : {std::string("cpu"), devices().back()}) {
    Options options;
    options.device = device;
    Plan plan(MPI_COMM_WORLD, transform, options);
    std::vector<Array<Complex>> arrays;
    std::vector<RawArray> fields[3];  // two of inputs, then two calls' outputs
    std::vector<Complex> values(static_cast<std::size_t>(plan.input_size()));
    const auto bytes = values.size() * sizeof(Complex);
    for (int group = 0; group < 3; ++group)
      for (int field = 0; field < (group == 0 ? 2 : 3); ++field) {
        arrays.push_back(plan.make_input<Complex>());
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = std::polar(1.0 + field, static_cast<double>(i * i + 7 * world_rank()));
        plan.copy(arrays.back().data(), values.data(), bytes);
        fields[group].push_back({arrays.back().data(), type, plan.input_size()});
      }
    plan.apply(fields[0], fields[1], type, projection.together);
    plan.apply(fields[0], fields[2], type, projection.together);
    std::vector<Complex>& result = results.emplace_back();
    for (std::size_t array = 2; array < arrays.size(); ++array) {
      plan.copy(values.data(), arrays[array].data(), bytes);
      result.insert(result.end(), values.begin(), values.end());
    }
  }
  for (std::size_t i = 0; i < results[0].size(); ++i)
    EXPECT_LT(std::abs(results[0][i] - results[1][i]), 1e-12) << i;
}

TEST(DeviceApplyMoreTest, APlanWithoutASpectrum) {
  Options options;
  options.device = "emulated";
  const Transform transform({4, 4}, {Kind::none, Kind::none});
  Plan plan(MPI_COMM_WORLD, transform, options);
  std::vector<double> values(static_cast<std::size_t>(plan.input_size()));
  const SpectralOperators operators(transform, {1, 1});
  expect_error_everywhere(
      [&] { plan.apply<double>(values.data(), values.data(), operators.laplacian<double>()); },
      {"apply", plan.input_is_real() ? "transforms no axis" : "spectrum"});
}

TEST(DeviceApplyMoreTest, ArraysOfTheDeviceStayThere) {
  using Complex = std::complex<double>;
  Options options;
  options.device = "emulated-lazy";
  const Transform transform({6, 5, 4}, Kind::c2c);
  Plan plan(MPI_COMM_WORLD, transform, options);
  DeviceArrays arrays(plan, 3);
  const SpectralOperators operators(transform, {1, 1, 1});
  Array<Complex> out = plan.make_input<Complex>();
  plan.apply<Complex>(arrays.in(), out, operators.gaussian<Complex>(0));  // multiplies by 1
  plan.forward(out, arrays.out());
  EXPECT_TRUE(arrays.is_right());
}

}  // namespace
}  // namespace weft::test
