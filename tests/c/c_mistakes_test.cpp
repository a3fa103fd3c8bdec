// Mistakes in the calls of the C interface: of each function every argument that can be wrong, made
// by all ranks or by one of them.
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "c/c_checks.hpp"
#include "support/deliberate_leaks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

constexpr int64_t lengths[] = {8, 6, 4};
constexpr double edges[] = {1, 1, 1};
constexpr double wrong_edges[] = {-1, 1, 1};

extern "C" void nothing(const weft_line*, void*) {}
extern "C" void nothing_to_several(const weft_lines*, void*) {}

/// What right calls are made with.
struct Handles {
  explicit Handles(const std::string& choices) {
    const std::string r2c = "kind=r2c " + choices, packed_r2c = "kind=r2c_packed " + choices;
    expect_success(weft_plan_create(MPI_COMM_WORLD, 3, lengths, r2c.c_str(), &plan));
    expect_success(weft_plan_create(MPI_COMM_WORLD, 3, lengths, packed_r2c.c_str(), &packed));
    expect_success(weft_layout_slabs(3, lengths, world_ranks(), 0, &layout));
    for (weft_array* array : {&field, &other})
      expect_success(weft_array_make(plan, WEFT_INPUT, array));
    expect_success(weft_array_make(plan, WEFT_OUTPUT, &spectrum));
    expect_success(weft_array_make(packed, WEFT_OUTPUT, &packed_spectrum));
    u = weft_array_data(field);
    v = weft_array_data(other);
    z = weft_array_data(spectrum);
    in[0] = u;
    out[0] = v;
  }
  ~Handles() {
    for (weft_array* array : {&field, &other, &spectrum, &packed_spectrum}) weft_array_drop(array);
    weft_layout_drop(&layout);
    weft_plan_drop(&plan);
    weft_plan_drop(&packed);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  weft_plan plan = nullptr, packed = nullptr;
  weft_layout layout = nullptr;
  weft_array field = nullptr, other = nullptr, spectrum = nullptr, packed_spectrum = nullptr;
  void *u = nullptr, *v = nullptr, *z = nullptr;
  const void* in[1] = {};
  void* out[1] = {};
  // What calls write, and nobody reads.
  weft_part part{};
  weft_box box{};
  weft_global global{};
  weft_element element{};
  weft_sizes sizes{};
  weft_traffic traffic{};
  weft_side side{};
  weft_layout made = nullptr;
  weft_array own = nullptr;
  weft_request request = nullptr;
  MPI_Comm placed = MPI_COMM_NULL;
  int ranks = world_ranks();
  std::vector<double> numbers = std::vector<double>(1000);
  int whole = 0;
  int64_t shells = 0;
  char text[10000] = {};
};

/// Who may make the mistake: where a call is collective, a single rank too.
enum class By { all, all_or_one };

struct Mistake {
  const char* function;
  const char* word;  ///< in the sentence
  By by;
  std::function<weft_status(Handles&, bool wrong)> call;
};
using H = Handles;

constexpr By all = By::all, one = By::all_or_one;

/// Of a number of axes, and a place to write a layout to.
template <class Make>
std::function<weft_status(H&, bool)> sized(Make make) {
  return [=](H& h, bool wrong) { return make(wrong ? -1 : 3, &h.made); };
}

constexpr int ones[] = {1, 1, 1}, split[] = {0}, order[] = {0, 1, 2};
constexpr int64_t extra[] = {0, 0, 2}, strides[] = {24, 4, 1}, huge[] = {int64_t{1} << 62, 1, 1};
constexpr weft_box whole{3, {0, 0, 0}, {8, 6, 4}};

const std::vector<Mistake> layout_mistakes{
    {"weft_layout_slabs", "axes", all, sized([](int axes, weft_layout* made) {
       return weft_layout_slabs(axes, lengths, 1, 0, made);
     })},
    {"weft_layout_pencils", "axes", all, sized([](int axes, weft_layout* made) {
       return weft_layout_pencils(axes, lengths, ones, 0, made);
     })},
    {"weft_layout_bricks", "axes", all, sized([](int axes, weft_layout* made) {
       return weft_layout_bricks(axes, lengths, ones, made);
     })},
    {"weft_layout_grid", "axes", all, sized([](int axes, weft_layout* made) {
       return weft_layout_grid(axes, lengths, 1, ones, split, made);
     })},
    {"weft_layout_boxes", "axes", all, sized([](int axes, weft_layout* made) {
       return weft_layout_boxes(axes, lengths, 1, &whole, made);
     })},
    {"weft_layout_boxes", "boxes", all,
     [](H& h, bool) { return weft_layout_boxes(3, lengths, 1, nullptr, &h.made); }},
    {"weft_layout_gathered", "layout", one,
     [](H& h, bool wrong) {
       return weft_layout_gathered(MPI_COMM_WORLD, 3, lengths, &whole, wrong ? nullptr : &h.made);
     }},
    {"weft_layout_copy", "layout", all,
     [](H& h, bool) { return weft_layout_copy(nullptr, &h.made); }},
    {"weft_layout_copy", "layout", all,
     [](H& h, bool) { return weft_layout_copy(h.layout, nullptr); }},
    {"weft_layout_partition", "layout", all,
     [](H&, bool) { return weft_layout_partition(nullptr, "blocks"); }},
    {"weft_layout_partition", "rule", all,
     [](H& h, bool) { return weft_layout_partition(h.layout, nullptr); }},
    {"weft_layout_spread", "layout", all,
     [](H&, bool) { return weft_layout_spread(nullptr, 8, 0); }},
    {"weft_layout_spread", "spread", all,
     [](H& h, bool) { return weft_layout_spread(h.layout, 0, 0); }},
    {"weft_layout_order", "layout", all,
     [](H&, bool) { return weft_layout_order(nullptr, order); }},
    {"weft_layout_reshape", "layout", all,
     [](H&, bool) { return weft_layout_reshape(nullptr, 3, lengths); }},
    {"weft_layout_reshape", "shape", all,
     [](H& h, bool) { return weft_layout_reshape(h.layout, 3, nullptr); }},
    {"weft_layout_pad", "layout", all, [](H&, bool) { return weft_layout_pad(nullptr, extra); }},
    {"weft_layout_pad", "extra", all,
     [](H& h, bool) { return weft_layout_pad(h.layout, nullptr); }},
    {"weft_layout_strides", "layout", all,
     [](H&, bool) { return weft_layout_strides(nullptr, strides); }},
    {"weft_layout_strides", "strides", all,
     [](H& h, bool) { return weft_layout_strides(h.layout, nullptr); }},
    {"weft_layout_strides", "2^58", all,
     [](H& h, bool) { return weft_layout_strides(h.layout, huge); }},
    {"weft_layout_contiguous", "layout", all,
     [](H&, bool) { return weft_layout_contiguous(nullptr); }},
    {"weft_layout_part", "layout", all,
     [](H& h, bool) { return weft_layout_part(nullptr, 0, &h.part); }},
    {"weft_layout_part", "part", all,
     [](H& h, bool) { return weft_layout_part(h.layout, 0, nullptr); }},
    {"weft_layout_part", "rank", all,
     [](H& h, bool) { return weft_layout_part(h.layout, -1, &h.part); }},
    {"weft_layout_global", "layout", all,
     [](H& h, bool) { return weft_layout_global(nullptr, &h.global); }},
    {"weft_layout_global", "global", all,
     [](H& h, bool) { return weft_layout_global(h.layout, nullptr); }},
    {"weft_layout_equal", "b", all,
     [](H& h, bool) { return weft_layout_equal(h.layout, nullptr, &h.whole); }},
    {"weft_layout_equal", "equal", all,
     [](H& h, bool) { return weft_layout_equal(h.layout, h.layout, nullptr); }},
    {"weft_layout_is_local", "axis", all,
     [](H& h, bool) { return weft_layout_is_local(h.layout, 3, &h.whole); }},
    {"weft_layout_is_local", "local", all,
     [](H& h, bool) { return weft_layout_is_local(h.layout, 0, nullptr); }},
    {"weft_layout_process_grid", "layout", all,
     [](H& h, bool) { return weft_layout_process_grid(nullptr, 0, {}, {}, &h.whole); }},
    {"weft_layout_process_grid", "grid", all,
     [](H& h, bool) { return weft_layout_process_grid(h.layout, 1, {}, {}, &h.whole); }},
    {"weft_layout_text", "layout", all,
     [](H& h, bool) { return weft_layout_text(nullptr, h.text, 10, nullptr); }},
};

/// Texts: of no plan, and into no buffer.
template <class Function>
std::vector<Mistake> text_of_plan(const char* name, Function function) {
  return {
      {name, "plan", all, [=](H& h, bool) { return function(nullptr, h.text, 10, nullptr); }},
      {name, "buffer", all, [=](H& h, bool) { return function(h.plan, nullptr, 10, nullptr); }}};
}

/// What is asked of a plan: of none, and with nowhere to write the answer.
template <class Ask>
std::vector<Mistake> answer_of_plan(const char* name, const char* word, Ask ask) {
  return {{name, "plan", all, [=](H& h, bool) { return ask(h, nullptr, false); }},
          {name, word, all, [=](H& h, bool) { return ask(h, h.plan, true); }}};
}

const std::vector<Mistake> plan_mistakes{
    {"weft_plan_create", "\"c3c\"", one,
     [](H& h, bool wrong) {
       weft_plan made = nullptr;
       (void)h;
       return weft_plan_create(MPI_COMM_WORLD, 3, lengths, wrong ? "kind=c3c" : "kind=c2c", &made);
     }},
    {"weft_plan_create_between", "shape", one,
     [](H& h, bool wrong) {
       weft_plan made = nullptr;
       return weft_plan_create_between(MPI_COMM_WORLD, 3, lengths,
                                       wrong ? "kind=c2c\tshape=2x2" : "kind=c2c", h.layout,
                                       h.layout, &made);
     }},
    {"weft_plan_close", "plan", all, [](H&, bool) { return weft_plan_close(nullptr); }},
    {"weft_plan_part", "side", all, [](H& h, bool) { return weft_plan_part(h.plan, 2, &h.part); }},
    {"weft_plan_layout", "side", all,
     [](H& h, bool) { return weft_plan_layout(h.plan, -1, &h.made); }},
    {"weft_plan_element", "side", all,
     [](H& h, bool) { return weft_plan_element(h.plan, 7, &h.element); }},
    {"weft_plan_record", "plan", all, [](H&, bool) { return weft_plan_record(nullptr, 1); }},
    {"weft_plan_copy", "from", all,
     [](H& h, bool) { return weft_plan_copy(h.plan, h.text, nullptr, 1); }},
    {"weft_plan_synchronize", "plan", all, [](H&, bool) { return weft_plan_synchronize(nullptr); }},
    {"weft_plan_set_stream", "no streams", all,
     [](H& h, bool) { return weft_plan_set_stream(h.plan, nullptr); }},
    {"weft_names", "list", all,
     [](H& h, bool) { return weft_names(nullptr, h.text, 10, nullptr); }},
    {"weft_names", "\"colours\"", all,
     [](H& h, bool) { return weft_names("colours", h.text, 10, nullptr); }},
    {"weft_describe_ranks", "shape", all,
     [](H& h, bool) {
       return weft_describe_ranks(3, nullptr, "kind=c2c", 4, 0, h.text, 10, nullptr);
     }},
    {"weft_tune", "buffer", one,
     [](H& h, bool wrong) {
       return weft_tune(MPI_COMM_WORLD, 3, lengths, "kind=c2c", nullptr, nullptr, 0.01,
                        wrong ? nullptr : h.text, 10, nullptr);
     }},
    {"weft_place", "grid", one,
     [](H& h, bool wrong) {
       return weft_place(MPI_COMM_WORLD, 1, wrong ? nullptr : &h.ranks, nullptr, &h.placed);
     }},
    {"weft_place", "placed", one,
     [](H& h, bool wrong) {
       return weft_place(MPI_COMM_WORLD, 1, &h.ranks, nullptr, wrong ? nullptr : &h.placed);
     }},
    {"weft_array_own", "side", one,
     [](H& h, bool wrong) { return weft_array_own(h.plan, wrong ? 3 : WEFT_INPUT, &h.own); }},
    {"weft_array_own", "array", one,
     [](H& h, bool wrong) {
       return weft_array_own(h.plan, WEFT_OUTPUT, wrong ? nullptr : &h.own);
     }},
    {"weft_array_make", "side", all, [](H& h, bool) { return weft_array_make(h.plan, 3, &h.own); }},
};

// Where each argument is a handle or where to write.
const std::vector<std::vector<Mistake>> question_mistakes{
    text_of_plan("weft_plan_text", weft_plan_text),
    text_of_plan("weft_describe", weft_describe),
    text_of_plan("weft_plan_engine", weft_plan_engine),
    text_of_plan("weft_plan_exchanges", weft_plan_exchanges),
    text_of_plan("weft_plan_trace", weft_plan_trace),
    answer_of_plan("weft_plan_part", "part",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_part(plan, WEFT_INPUT, wrong ? nullptr : &h.part);
                   }),
    answer_of_plan("weft_plan_layout", "layout",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_layout(plan, WEFT_INPUT, wrong ? nullptr : &h.made);
                   }),
    answer_of_plan("weft_plan_element", "element",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_element(plan, WEFT_INPUT, wrong ? nullptr : &h.element);
                   }),
    answer_of_plan("weft_plan_sizes", "sizes",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_sizes(plan, wrong ? nullptr : &h.sizes);
                   }),
    answer_of_plan("weft_plan_traffic", "traffic",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_traffic(plan, wrong ? nullptr : &h.traffic);
                   }),
    answer_of_plan("weft_plan_spectral_side", "side",
                   [](H& h, weft_plan plan, bool wrong) {
                     return weft_plan_spectral_side(plan, wrong ? nullptr : &h.side);
                   }),
    answer_of_plan("weft_array_make", "array", [](H& h, weft_plan plan, bool wrong) {
      return weft_array_make(plan, WEFT_INPUT, wrong ? nullptr : &h.own);
    })};

const std::vector<Mistake> transform_mistakes{
    {"weft_forward", "plan", all, [](H& h, bool) { return weft_forward(nullptr, h.u, h.z); }},
    {"weft_forward", "null", one,
     [](H& h, bool wrong) { return weft_forward(h.plan, wrong ? nullptr : h.u, h.z); }},
    {"weft_backward", "null", one,
     [](H& h, bool wrong) { return weft_backward(h.plan, wrong ? nullptr : h.z, h.u); }},
    {"weft_run", "direction: 5", one,
     [](H& h, bool wrong) {
       void* const out[] = {h.z};
       return weft_run(h.plan, wrong ? 5 : WEFT_FORWARD, 1, h.in, out, 1);
     }},
    {"weft_run", "null", one,
     [](H& h, bool wrong) {
       void* const out[] = {h.z};
       return weft_run(h.plan, WEFT_FORWARD, 1, wrong ? nullptr : h.in, out, 1);
     }},
    {"weft_start", "request: is NULL", one,
     [](H& h, bool wrong) {
       const weft_status status =
           weft_start(h.plan, WEFT_FORWARD, h.u, h.z, 1, wrong ? nullptr : &h.request);
       return status == WEFT_SUCCESS ? weft_wait(&h.request) : status;
     }},
    {"weft_start", "direction: -1", one,
     [](H& h, bool wrong) {
       return weft_start(h.plan, wrong ? -1 : WEFT_FORWARD, h.u, h.z, 1, &h.request);
     }},
    {"weft_test", "request", all, [](H& h, bool) { return weft_test(nullptr, &h.whole); }},
    {"weft_test", "done", all, [](H& h, bool) { return weft_test(&h.request, nullptr); }},
    {"weft_wait", "request", all, [](H&, bool) { return weft_wait(nullptr); }},
    {"weft_apply", "function", one,
     [](H& h, bool wrong) {
       return weft_apply(h.plan, h.u, h.v, wrong ? nullptr : nothing, nullptr);
     }},
    {"weft_apply_each", "function", one,
     [](H& h, bool wrong) {
       const weft_line_function functions[] = {nothing};
       return weft_apply_each(h.plan, h.u, 1, h.out, wrong ? nullptr : functions, nullptr);
     }},
    {"weft_apply_fields", "null", one,
     [](H& h, bool wrong) {
       return weft_apply_fields(h.plan, 1, h.in, 1, wrong ? nullptr : h.out, nothing_to_several,
                                nullptr);
     }},
    {"weft_apply_operator", "operator", one,
     [](H& h, bool wrong) {
       return weft_apply_operator(h.plan, wrong ? nullptr : "laplacian", edges, 1, h.in, 1, h.out);
     }},
    {"weft_apply_operator", "lengths", one,
     [](H& h, bool wrong) {
       return weft_apply_operator(h.plan, "laplacian", wrong ? nullptr : edges, 1, h.in, 1, h.out);
     }},
};

const std::vector<Mistake> sum_mistakes{
    {"weft_wavenumbers", "axis", all,
     [](H& h, bool) { return weft_wavenumbers(h.plan, 3, nullptr, h.numbers.data(), nullptr); }},
    {"weft_global_sum", "sum", one,
     [](H& h, bool wrong) {
       return weft_global_sum(h.plan, WEFT_INPUT, h.u, wrong ? nullptr : h.numbers.data());
     }},
    {"weft_mean_square", "mean", one,
     [](H& h, bool wrong) {
       return weft_mean_square(h.plan, WEFT_INPUT, h.u, wrong ? nullptr : h.numbers.data());
     }},
    {"weft_mean_square", "side: 9", one,
     [](H& h, bool wrong) {
       return weft_mean_square(h.plan, wrong ? 9 : WEFT_INPUT, h.u, h.numbers.data());
     }},
    {"weft_mean_square", "array", one,
     [](H& h, bool wrong) {
       return weft_mean_square(h.plan, WEFT_INPUT, wrong ? nullptr : h.u, h.numbers.data());
     }},
    {"weft_energy_by_shell", "-1", one,
     [](H& h, bool wrong) {
       return weft_energy_by_shell(h.plan, h.z, wrong ? wrong_edges : edges, 9, h.numbers.data(),
                                   &h.shells);
     }},
    {"weft_energy_by_shell", "energy", one,
     [](H& h, bool wrong) {
       return weft_energy_by_shell(h.plan, h.z, nullptr, 9, wrong ? nullptr : h.numbers.data(),
                                   &h.shells);
     }},
    {"weft_packed_plane", "box", all,
     [](H& h, bool) { return weft_packed_plane(h.packed, nullptr); }},
    {"weft_packed_plane", "packed", all,
     [](H& h, bool) { return weft_packed_plane(h.plan, &h.box); }},
    {"weft_unpack_plane", "packed", all,
     [](H& h, bool) { return weft_unpack_plane(h.plan, h.z, h.u, h.v); }},
    {"weft_unpack_plane", "spectrum", one,
     [](H& h, bool wrong) {
       return weft_unpack_plane(h.packed, wrong ? nullptr : weft_array_data(h.packed_spectrum),
                                h.numbers.data(), h.numbers.data() + 500);
     }},
    {"weft_unpack_plane", "nyquist", one,
     [](H& h, bool wrong) {
       return weft_unpack_plane(h.packed, weft_array_data(h.packed_spectrum), h.numbers.data(),
                                wrong ? nullptr : h.numbers.data() + 500);
     }},
    {"weft_pack_plane", "mean", one,
     [](H& h, bool wrong) {
       return weft_pack_plane(h.packed, wrong ? nullptr : h.numbers.data(), h.numbers.data() + 500,
                              weft_array_data(h.packed_spectrum));
     }},
};

std::vector<Mistake> all_mistakes() {
  std::vector<std::vector<Mistake>> parts = question_mistakes;
  for (const auto& part : {layout_mistakes, plan_mistakes, transform_mistakes, sum_mistakes})
    parts.push_back(part);
  std::vector<Mistake> table;
  for (const auto& part : parts) table.insert(table.end(), part.begin(), part.end());
  return table;
}

void expect_refused(Handles& handles, const Mistake& mistake, bool here) {
  SCOPED_TRACE(std::string(mistake.function) + ": " + mistake.word);
  running(mistake.function);
  EXPECT_EQ(mistake.call(handles, here), WEFT_ERROR_ARGUMENT);
  expect_words(weft_error(), {mistake.word});
}

TEST(CMistakesTest, OfAllRanksAreNamed) {
  Handles handles("");
  for (const Mistake& mistake : all_mistakes()) expect_refused(handles, mistake, true);
}

TEST(CMistakesTest, OfOneRankAreNamedOnAllWhereCallsAreChecked) {
  Handles handles("check_calls=1");
  for (const Mistake& mistake : all_mistakes())
    if (mistake.by == By::all_or_one) expect_refused(handles, mistake, is_last_rank());
  std::vector<double> mean(1);
  expect_success(weft_mean_square(handles.plan, WEFT_INPUT, handles.u, mean.data()));
  expect_success(weft_forward(handles.plan, handles.u, handles.z));
}

/// Every function of the header that returns a status is in the table.
TEST(CMistakesTest, AreMadeWithEveryFunction) {
  std::ifstream file(WEFT_HEADER);
  std::stringstream header;
  header << file.rdbuf();
  const std::string text = header.str();
  const std::regex declaration("weft_status (weft_[a-z_]+)\\(");
  std::set<std::string> declared, tried;
  for (std::sregex_iterator found(text.begin(), text.end(), declaration), end; found != end;
       ++found)
    declared.insert((*found)[1]);
  for (const Mistake& mistake : all_mistakes()) tried.insert(mistake.function);
  EXPECT_EQ(tried, declared);
}

/// With errors=raise alone others are not asked: they see that this rank has left.
TEST(CMistakesTest, OfOneRankAreRaisedThereWithErrorsRaise) {
  if (!on_one_node()) GTEST_SKIP() << "ranks of other nodes are not told";
  const DeliberateLeaks leaks;
  Handles handles("errors=raise");
  void* const out[] = {handles.z};
  const int direction = is_last_rank() ? 5 : WEFT_FORWARD;
  EXPECT_EQ(weft_run(handles.plan, direction, 1, handles.in, out, 1), WEFT_ERROR_ARGUMENT);
  expect_words(weft_error(), {is_last_rank() ? "direction: 5" : "has left the call with an error"});
}

}  // namespace
}  // namespace weft::test
