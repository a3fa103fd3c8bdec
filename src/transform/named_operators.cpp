// The ready-made operators by name, in one table for each element type of spectra.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <weft/spectrum.hpp>

#include "layout/names.hpp"

namespace weft {
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

Wanted wanted(const std::string& text) {
  std::istringstream words(text);
  Wanted result;
  std::string rest;
  words >> result.name >> result.argument >> rest;
  if (!rest.empty())
    throw Error(fmt::format("operator \"{}\": valid are a name and at most one number", text));
  return result;
}

int whole(double axis) {
  if (axis != std::floor(axis) || std::abs(axis) > max_axes)
    throw Error(fmt::format("operator \"derivative\": axis {} given; there is none such", axis));
  return static_cast<int>(axis);
}

/// How many output fields an operator on vector fields with d components has.
int one_field(int) { return 1; }
int all_fields(int d) { return d; }
int vorticity(int d) { return d == 3 ? 3 : 1; }

struct Operator {
  const char* name;
  bool has_number;
  int (*outputs)(int d);
  std::function<RawOperator(const SpectralOperators&, double)> make;
};

template <class T>
RawOperator alone(LineFunction<T> function) {
  RawOperator result;
  result.each.push_back(untyped<T>(std::move(function)));
  return result;
}

template <class T>
RawOperator together(FieldsFunction<T> function) {
  RawOperator result;
  result.together = untyped<T>(std::move(function));
  return result;
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
                       RawOperator result;
                       for (const LineFunction<T>& one : s.gradient<T>())
                         result.each.push_back(untyped<T>(one));
                       return result;
                     }});
    table.push_back({"divergence", false, one_field,
                     [](const S& s, double) { return together(s.divergence<T>()); }});
    table.push_back(
        {"curl", false, vorticity, [](const S& s, double) { return together(s.curl<T>()); }});
    table.push_back({"projection", false, all_fields,
                     [](const S& s, double) { return together(s.projection<T>()); }});
  }
  return table;
}

std::vector<Operator> operators_of(ElementType type) {
  const bool is_double = type.precision == Precision::double_;
  if (type.real) return is_double ? operators<double>() : operators<float>();
  return is_double ? operators<std::complex<double>>() : operators<std::complex<float>>();
}

}  // namespace

RawOperator SpectralOperators::by_name(const std::string& text, ElementType type) const {
  const Wanted asked = wanted(text);
  const std::vector<Operator> table = operators_of(type);
  const auto found = std::ranges::find(table, asked.name, &Operator::name);
  if (found == table.end()) {
    std::vector<std::string> names;
    for (const Operator& one : table) names.emplace_back(one.name);
    throw Error(fmt::format("operator \"{}\": {}", asked.name,
                            valid_instead_of(asked.name, names, "valid here are")));
  }
  if (!found->has_number && !asked.argument.empty())
    throw Error(fmt::format("operator \"{}\": takes no number", asked.name));
  RawOperator result = found->make(*this, found->has_number ? asked.number() : 0);
  const int d = static_cast<int>(std::ranges::count_if(unit_, [](double u) { return u != 0; }));
  result.inputs = result.together ? d : 1;
  result.outputs = found->outputs(d);
  return result;
}

}  // namespace weft
