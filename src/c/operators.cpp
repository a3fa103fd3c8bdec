// The ready-made operators by name, in one table for each element type of spectra.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "c/handles.hpp"

namespace weft::c {
namespace {

/// "gaussian 0.5": a name and the number that it may need.
struct Wanted {
  std::string name;
  std::string argument;

  double number() const {
    double result = 0;
    const char* const end = argument.data() + argument.size();
    const auto [stop, error] = std::from_chars(argument.data(), end, result);
    if (error != std::errc() || stop != end || argument.empty())
      throw Error(fmt::format("operator \"{}\": \"{}\" given; valid is a number", name, argument));
    return result;
  }
};

Wanted wanted(const char* text) {
  std::istringstream words(&required(text, "operator"));
  Wanted result;
  std::string rest;
  words >> result.name >> result.argument >> rest;
  if (!rest.empty())
    throw Error(fmt::format("operator \"{}\": valid are a name and at most one number", text));
  return result;
}

/// What to call: a function for each output, or one for all fields.
struct Functions {
  std::vector<RawLineFunction> each;
  RawFieldsFunction together;
};

int whole(double axis) {
  if (axis != std::floor(axis) || std::abs(axis) > max_axes)
    throw Error(fmt::format("operator \"derivative\": axis {} given; there is none such", axis));
  return static_cast<int>(axis);
}

/// How many output fields an operator has where it is one of vector fields with d components.
int one_field(int) { return 1; }
int all_fields(int d) { return d; }
int vorticity(int d) { return d == 3 ? 3 : 1; }

struct Operator {
  const char* name;
  bool has_number;
  int (*outputs)(int d);
  std::function<Functions(const SpectralOperators&, double)> make;
};

template <class T>
Functions alone(LineFunction<T> function) {
  return {{untyped<T>(std::move(function))}, nullptr};
}

template <class T>
std::vector<Operator> operators() {
  using S = SpectralOperators;
  std::vector<Operator> table{
      {"laplacian", false, one_field, [](const S& s, double) { return alone(s.laplacian<T>()); }},
      {"inverse_laplacian", false, one_field,
       [](const S& s, double) { return alone(s.inverse_laplacian<T>()); }},
      {"gaussian", true, one_field,
       [](const S& s, double width) { return alone(s.gaussian<T>(width)); }},
      {"sharp", true, one_field,
       [](const S& s, double cutoff) { return alone(s.sharp<T>(cutoff)); }}};
  if constexpr (!std::is_floating_point_v<T>) {
    table.push_back({"derivative", true, one_field,
                     [](const S& s, double axis) { return alone(s.derivative<T>(whole(axis))); }});
    table.push_back({"gradient", false, all_fields, [](const S& s, double) {
                       Functions functions;
                       for (const LineFunction<T>& one : s.gradient<T>())
                         functions.each.push_back(untyped<T>(one));
                       return functions;
                     }});
    table.push_back({"divergence", false, one_field, [](const S& s, double) {
                       return Functions{{}, untyped<T>(s.divergence<T>())};
                     }});
    table.push_back({"curl", false, vorticity, [](const S& s, double) {
                       return Functions{{}, untyped<T>(s.curl<T>())};
                     }});
    table.push_back({"projection", false, all_fields, [](const S& s, double) {
                       return Functions{{}, untyped<T>(s.projection<T>())};
                     }});
  }
  return table;
}

std::vector<Operator> operators_of(ElementType type) {
  const bool is_double = type.precision == Precision::double_;
  if (type.real) return is_double ? operators<double>() : operators<float>();
  return is_double ? operators<std::complex<double>>() : operators<std::complex<float>>();
}

/// The same with results of the other sign: turning the order of axes round mirrors space, which a
/// curl notices.
RawFieldsFunction negated(RawFieldsFunction function, ElementType type) {
  return [function = std::move(function), type](const RawSpectrumLines& lines) {
    function(lines);
    for (void* values : lines.values) {
      const auto negate = [&](auto zero) {
        auto* const begin = static_cast<decltype(zero)*>(values);
        std::transform(begin, begin + 2 * lines.count, begin, std::negate<>());
      };
      type.precision == Precision::double_ ? negate(0.0) : negate(0.0F);
    }
  };
}

Functions functions_of(const Plan& plan, const Wanted& wanted, std::vector<double> lengths,
                       int inputs, int outputs, AxisOrder order) {
  const ElementType type = element_at(plan, spectral_side(plan));
  const std::vector<Operator> table = operators_of(type);
  const auto found = std::ranges::find(table, wanted.name, &Operator::name);
  if (found == table.end()) {
    std::vector<std::string> names;
    for (const Operator& one : table) names.emplace_back(one.name);
    throw Error(
        fmt::format("operator \"{}\": valid here are {}", wanted.name, fmt::join(names, ", ")));
  }
  double number = found->has_number ? wanted.number() : 0;
  if (!found->has_number && !wanted.argument.empty())
    throw Error(fmt::format("operator \"{}\": takes no number", wanted.name));
  const bool reversed = order == AxisOrder::fortran;
  if (reversed) std::ranges::reverse(lengths);
  if (reversed && wanted.name == "derivative") number = plan.transform().shape.size() - number;
  Functions functions = found->make(SpectralOperators(plan.transform(), lengths), number);
  const std::vector<Kind>& kinds = plan.transform().kinds;
  const int d = static_cast<int>(kinds.size() - std::ranges::count(kinds, Kind::none));
  const int ins = functions.together ? d : 1, outs = found->outputs(d);
  if (inputs != ins || outputs != outs)
    throw Error(fmt::format("operator \"{}\": {} inputs and {} outputs given; valid are {} and {}",
                            wanted.name, inputs, outputs, ins, outs));
  if (reversed) std::ranges::reverse(functions.each);
  if (reversed && wanted.name == "curl")
    functions.together = negated(std::move(functions.together), type);
  return functions;
}

}  // namespace

void apply_operator(weft_plan plan, const char* name, const double lengths[], const Fields& in,
                    const Fields& out, AxisOrder order) {
  weft_plan_s& own = required(plan, "plan");
  Functions functions;
  own.plan.agree([&] {
    required(lengths, "lengths");
    functions = functions_of(own.plan, wanted(name), lengths_of(own.plan, lengths), in.count,
                             out.count, order);
  });
  const Side side = physical_side(own.plan);
  std::vector<RawArray> ins = fields_at(own, side, in), outs = fields_at(own, side, out);
  const ElementType type = element_at(own.plan, spectral_side(own.plan));
  if (!functions.together) return own.plan.apply(ins[0], outs, type, functions.each);
  if (order == AxisOrder::fortran) {
    std::ranges::reverse(ins);
    std::ranges::reverse(outs);
  }
  own.plan.apply(ins, outs, type, functions.together);
}

}  // namespace weft::c
