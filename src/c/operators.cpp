// The ready-made operators for C and Fortran, whose axes are counted the other way round.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "c/handles.hpp"
#include "transform/ready_operator.hpp"

namespace weft::c {
namespace {

/// "derivative 1" counts axes from 1, the fastest first.
std::string in_order_of_c(const std::string& text, int axes) {
  std::istringstream words(text);
  std::string name;
  double axis = 0;
  words >> name >> axis;
  return name == "derivative" && words ? fmt::format("{} {}", name, axes - axis) : text;
}

RawOperator operator_of(const Plan& plan, std::string text, std::vector<double> lengths, int inputs,
                        int outputs, AxisOrder order) {
  const ElementType type = plan.element_type(spectral_side(plan));
  const bool reversed = order == AxisOrder::fortran;
  if (reversed) {
    std::ranges::reverse(lengths);
    text = in_order_of_c(text, plan.transform().shape.size());
  }
  RawOperator result = SpectralOperators(plan.transform(), lengths).by_name(text, type);
  if (inputs != result.inputs || outputs != result.outputs)
    throw Error(fmt::format("operator \"{}\": {} inputs and {} outputs given; valid are {} and {}",
                            text, inputs, outputs, result.inputs, result.outputs));
  if (reversed) std::ranges::reverse(result.each);
  // Reversing the order of axes mirrors space, which changes the sign of a curl.
  if (reversed && text.starts_with("curl"))
    result.together = with_opposite_waves(result.together, type);
  return result;
}

}  // namespace

void apply_operator(weft_plan plan, const char* name, const double lengths[], const Fields& in,
                    const Fields& out, AxisOrder order) {
  weft_plan_s& own = required(plan, "plan");
  RawOperator functions;
  own.plan.agree([&] {
    required(lengths, "lengths");
    functions = operator_of(own.plan, &required(name, "operator"), lengths_of(own.plan, lengths),
                            in.count, out.count, order);
  });
  const Side side = physical_side(own.plan);
  std::vector<RawArray> ins = fields_at(own, side, in), outs = fields_at(own, side, out);
  const ElementType type = own.plan.element_type(spectral_side(own.plan));
  if (!functions.together) return own.plan.apply(ins[0], outs, type, functions.each);
  if (order == AxisOrder::fortran) {
    std::ranges::reverse(ins);
    std::ranges::reverse(outs);
  }
  own.plan.apply(ins, outs, type, functions.together);
}

}  // namespace weft::c
