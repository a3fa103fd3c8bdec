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
#include <tuple>
#include <type_traits>
#include <vector>

#include "c/c_checks.hpp"
#include "support/deliberate_leaks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

constexpr int64_t lengths[] = {8, 6, 4};
constexpr int64_t cells[] = {1, 0, 1}, negative_cells[] = {1, -2, 1};
constexpr int ones[] = {1, 1, 1}, split[] = {0}, order[] = {0, 1, 2}, twice[] = {0, 0, 1};
constexpr double edges[] = {1, 1, 1};
constexpr double wrong_edges[] = {-1, 1, 1};

extern "C" void nothing(const weft_line*, void*) {}
extern "C" void nothing_to_several(const weft_lines*, void*) {}
constexpr weft_line_function functions[] = {nothing};

/// The arguments of right calls.
struct Handles {
  explicit Handles(const std::string& choices) {
    const std::string r2c = "kind=r2c " + choices, packed_r2c = "kind=r2c_packed " + choices;
    expect_success(weft_plan_create(MPI_COMM_WORLD, 3, lengths, r2c.c_str(), &plan));
    expect_success(weft_plan_create(MPI_COMM_WORLD, 3, lengths, packed_r2c.c_str(), &packed));
    expect_success(weft_layout_slabs(3, lengths, world_ranks(), 0, &layout));
    expect_success(weft_halo_create(MPI_COMM_WORLD, layout, cells, cells, twice, 1, 8, &halo));
    for (weft_array* array : {&field, &other})
      expect_success(weft_array_make(plan, WEFT_INPUT, array));
    expect_success(weft_array_make(plan, WEFT_OUTPUT, &spectrum));
    expect_success(weft_array_make(packed, WEFT_OUTPUT, &packed_spectrum));
    u = weft_array_data(field);
    v = weft_array_data(other);
    z = weft_array_data(spectrum);
    packed_modes = weft_array_data(packed_spectrum);
    in[0] = u;
    out[0] = v;
    to_z[0] = z;
  }
  ~Handles() {
    for (weft_array* array : {&field, &other, &spectrum, &packed_spectrum}) weft_array_drop(array);
    weft_halo_drop(&halo);
    weft_layout_drop(&layout);
    weft_plan_drop(&plan);
    weft_plan_drop(&packed);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  weft_plan plan = nullptr, packed = nullptr;
  weft_layout layout = nullptr;
  weft_halo halo = nullptr;
  weft_array field = nullptr, other = nullptr, spectrum = nullptr, packed_spectrum = nullptr;
  void *u = nullptr, *v = nullptr, *z = nullptr, *packed_modes = nullptr;
  const void* in[1] = {};
  void *out[1] = {}, *to_z[1] = {};
  // Results of calls, which nobody reads.
  weft_part part{};
  weft_box box{};
  weft_global global{};
  weft_element element{};
  weft_sizes sizes{};
  weft_traffic traffic{};
  weft_side side{};
  weft_layout made = nullptr;
  weft_plan created = nullptr;
  weft_array own = nullptr;
  weft_halo ghosts = nullptr;
  weft_request request = nullptr;
  MPI_Comm placed = MPI_COMM_NULL;
  int ranks = world_ranks();
  double numbers[500] = {}, others[500] = {};
  int whole = 0;
  int64_t shells = 0;
  char text[10000] = {};
};

/// Who may make the mistake: where a call is collective, a single rank too.
enum class By { all, all_or_one };
constexpr By all = By::all, one = By::all_or_one;

struct Mistake {
  const char* function;
  const char* word;  ///< in the sentence
  By by;
  std::function<weft_status(Handles&, bool wrong)> call;
};

/// A value in place of the right argument at a position, and a word of the sentence.
template <std::size_t position, class Value>
struct Wrong {
  const char* word;
  Value value;
};
template <std::size_t position, class Value = std::nullptr_t>
Wrong<position, Value> wrong(const char* word, Value value = nullptr) {
  return {word, value};
}

/// The right argument: a value, a member of the handles, or where that member is.
template <class Argument, class Right>
Argument argument_of(Handles& handles, Right right) {
  if constexpr (!std::is_member_object_pointer_v<Right>)
    return right;
  else if constexpr (std::is_convertible_v<decltype((handles.*right)), Argument>)
    return handles.*right;
  else
    return &(handles.*right);
}

/// A function with its right arguments.
template <class... Arguments>
struct Call {
  const char* name;
  By by;
  weft_status (*function)(Arguments...);
  std::function<std::tuple<Arguments...>(Handles&)> right;

  template <std::size_t position, class Value>
  Mistake mistake(Wrong<position, Value> change) const {
    // Without the right plan no rank knows which others to ask.
    return {name, change.word, position == 0 ? all : by, [=, *this](Handles& handles, bool here) {
              std::tuple<Arguments...> arguments = right(handles);
              if (here)
                std::get<position>(arguments) =
                    argument_of<std::tuple_element_t<position, std::tuple<Arguments...>>>(
                        handles, change.value);
              return std::apply(function, arguments);
            }};
  }
  template <class... Wrongs>
  std::vector<Mistake> with(Wrongs... wrongs) const {
    return {mistake(wrongs)...};
  }
};

template <class... Arguments, class... Right>
Call<Arguments...> call(By by, const char* name, weft_status (*function)(Arguments...),
                        Right... right) {
  return {name, by, function, [=](Handles& handles) {
            return std::tuple<Arguments...>{argument_of<Arguments>(handles, right)...};
          }};
}
#define CALL(function) #function, function

using H = Handles;
constexpr int64_t extra[] = {0, 0, 2}, strides[] = {24, 4, 1}, huge[] = {int64_t{1} << 62, 1, 1};
constexpr weft_box whole{3, {0, 0, 0}, {8, 6, 4}};
weft_plan no_plan = nullptr;

const std::vector<std::vector<Mistake>> mistakes_by_function{
    // Layouts
    call(all, CALL(weft_layout_slabs), 3, lengths, 1, 0, &H::made)
        .with(wrong<0>("axes", -1), wrong<2>("0", 0), wrong<3>("5", 5), wrong<4>("layout")),
    call(all, CALL(weft_layout_pencils), 3, lengths, ones, 0, &H::made)
        .with(wrong<0>("axes", -1), wrong<2>("grid")),
    call(all, CALL(weft_layout_bricks), 3, lengths, ones, &H::made).with(wrong<0>("axes", -1)),
    call(all, CALL(weft_layout_grid), 3, lengths, 1, ones, split, &H::made)
        .with(wrong<0>("axes", -1), wrong<2>("grid", 0)),
    call(all, CALL(weft_layout_boxes), 3, lengths, 1, &whole, &H::made)
        .with(wrong<0>("axes", -1), wrong<3>("boxes")),
    call(one, CALL(weft_layout_gathered), MPI_COMM_WORLD, 3, lengths, &whole, &H::made)
        .with(wrong<3>("box: is NULL"), wrong<4>("layout")),
    call(all, CALL(weft_layout_copy), &H::layout, &H::made)
        .with(wrong<0>("layout"), wrong<1>("layout")),
    call(all, CALL(weft_layout_partition), &H::layout, "blocks")
        .with(wrong<0>("layout"), wrong<1>("rule")),
    call(all, CALL(weft_layout_spread), &H::layout, 8, 0)
        .with(wrong<0>("layout"), wrong<1>("spread", 0)),
    call(all, CALL(weft_layout_order), &H::layout, order)
        .with(wrong<0>("layout"), wrong<1>("order"), wrong<1>("order", twice)),
    call(all, CALL(weft_layout_reshape), &H::layout, 3, lengths)
        .with(wrong<0>("layout"), wrong<2>("shape")),
    call(all, CALL(weft_layout_pad), &H::layout, extra).with(wrong<0>("layout"), wrong<1>("extra")),
    call(all, CALL(weft_layout_strides), &H::layout, strides)
        .with(wrong<0>("layout"), wrong<1>("strides"), wrong<1>("2^58", huge)),
    call(all, CALL(weft_layout_contiguous), &H::layout).with(wrong<0>("layout")),
    call(all, CALL(weft_layout_part), &H::layout, 0, &H::part)
        .with(wrong<0>("layout"), wrong<1>("rank", -1), wrong<2>("part")),
    call(all, CALL(weft_layout_index), &H::layout, 0, 0, 0, &H::shells)
        .with(wrong<0>("layout"), wrong<1>("rank", -1), wrong<2>("axis", 9), wrong<3>("place", -1),
              wrong<4>("index")),
    call(all, CALL(weft_layout_global), &H::layout, &H::global)
        .with(wrong<0>("layout"), wrong<1>("global")),
    call(all, CALL(weft_layout_equal), &H::layout, &H::layout, &H::whole)
        .with(wrong<1>("b"), wrong<2>("equal")),
    call(all, CALL(weft_layout_is_local), &H::layout, 0, &H::whole)
        .with(wrong<1>("axis", 3), wrong<2>("local")),
    call(all, CALL(weft_layout_process_grid), &H::layout, 0, nullptr, nullptr, &H::whole)
        .with(wrong<0>("layout"), wrong<1>("grid", 1)),
    call(all, CALL(weft_layout_text), &H::layout, &H::text, 10, nullptr).with(wrong<0>("layout")),
    // Ghost cells
    call(one, CALL(weft_halo_create), MPI_COMM_WORLD, &H::layout, cells, cells, ones, 1, 8,
         &H::ghosts)
        .with(wrong<1>("layout"), wrong<2>("below"), wrong<3>("-2", negative_cells),
              wrong<4>("periodic"), wrong<6>("elements of 3 bytes", 3), wrong<7>("halo: is NULL")),
    call(all, CALL(weft_halo_layout), &H::halo, &H::made)
        .with(wrong<0>("halo"), wrong<1>("layout")),
    call(all, CALL(weft_halo_sizes), &H::halo, &H::shells, &H::shells)
        .with(wrong<0>("halo"), wrong<1>("allocated"), wrong<2>("offset")),
    call(all, CALL(weft_halo_update), &H::halo, &H::u).with(wrong<0>("halo")),
    call(all, CALL(weft_halo_start), &H::halo, &H::u).with(wrong<0>("halo")),
    call(all, CALL(weft_halo_wait), &H::halo).with(wrong<0>("halo")),
    // Plans
    call(one, CALL(weft_plan_create), MPI_COMM_WORLD, 3, lengths, "kind=c2c", &H::created)
        .with(wrong<2>("shape: is NULL"), wrong<3>("\"c3c\"", "kind=c3c"),
              wrong<4>("plan: is NULL")),
    call(one, CALL(weft_plan_create_between), MPI_COMM_WORLD, 3, lengths, "kind=c2c", &H::layout,
         &H::layout, &H::created)
        .with(wrong<3>("shape", "kind=c2c\tshape=2x2")),
    call(all, CALL(weft_plan_close), &H::plan).with(wrong<0>("plan"), wrong<0>("plan", &no_plan)),
    call(all, CALL(weft_plan_part), &H::plan, WEFT_INPUT, &H::part)
        .with(wrong<0>("plan"), wrong<1>("side: 2", 2), wrong<2>("part")),
    call(all, CALL(weft_plan_layout), &H::plan, WEFT_INPUT, &H::made)
        .with(wrong<0>("plan"), wrong<1>("side", -1), wrong<2>("layout")),
    call(all, CALL(weft_plan_element), &H::plan, WEFT_INPUT, &H::element)
        .with(wrong<0>("plan"), wrong<1>("side", 7), wrong<2>("element")),
    call(all, CALL(weft_plan_sizes), &H::plan, &H::sizes).with(wrong<0>("plan"), wrong<1>("sizes")),
    call(all, CALL(weft_plan_traffic), &H::plan, &H::traffic)
        .with(wrong<0>("plan"), wrong<1>("traffic")),
    call(all, CALL(weft_plan_spectral_side), &H::plan, &H::side)
        .with(wrong<0>("plan"), wrong<1>("side")),
    call(all, CALL(weft_plan_text), &H::plan, &H::text, 10, nullptr)
        .with(wrong<0>("plan"), wrong<1>("buffer")),
    call(all, CALL(weft_describe), &H::plan, &H::text, 10, nullptr)
        .with(wrong<0>("plan"), wrong<1>("buffer")),
    call(all, CALL(weft_plan_engine), &H::plan, &H::text, 10, nullptr)
        .with(wrong<0>("plan"), wrong<1>("buffer")),
    call(all, CALL(weft_plan_exchanges), &H::plan, &H::text, 10, nullptr)
        .with(wrong<0>("plan"), wrong<1>("buffer")),
    call(all, CALL(weft_plan_trace), &H::plan, &H::text, 10, nullptr)
        .with(wrong<0>("plan"), wrong<1>("buffer")),
    call(all, CALL(weft_plan_record), &H::plan, 1).with(wrong<0>("plan")),
    call(all, CALL(weft_plan_copy), &H::plan, &H::text, &H::text, 1).with(wrong<2>("from")),
    call(all, CALL(weft_plan_synchronize), &H::plan).with(wrong<0>("plan")),
    call(all, CALL(weft_plan_set_stream), &H::plan, nullptr).with(wrong<1>("no streams")),
    call(all, CALL(weft_names), "engines", &H::text, 10, nullptr)
        .with(wrong<0>("list"), wrong<0>("\"colours\"", "colours")),
    call(all, CALL(weft_describe_ranks), 3, lengths, "kind=c2c", 4, 0, &H::text, 10, nullptr)
        .with(wrong<1>("shape")),
    call(one, CALL(weft_tune), MPI_COMM_WORLD, 3, lengths, "kind=c2c", nullptr, nullptr, 0.01,
         &H::text, 10, nullptr)
        .with(wrong<7>("buffer")),
    call(one, CALL(weft_place), MPI_COMM_WORLD, 1, &H::ranks, nullptr, &H::placed)
        .with(wrong<2>("grid"), wrong<4>("placed")),
    call(one, CALL(weft_array_own), &H::plan, WEFT_OUTPUT, &H::own)
        .with(wrong<1>("side", 3), wrong<2>("array")),
    call(all, CALL(weft_array_make), &H::plan, WEFT_INPUT, &H::own)
        .with(wrong<0>("plan"), wrong<1>("side", 3), wrong<2>("array")),
    // Transforms
    call(one, CALL(weft_forward), &H::plan, &H::u, &H::z).with(wrong<0>("plan"), wrong<1>("null")),
    call(one, CALL(weft_backward), &H::plan, &H::z, &H::u).with(wrong<1>("null")),
    call(one, CALL(weft_run), &H::plan, WEFT_FORWARD, 1, &H::in, &H::to_z, 1)
        .with(wrong<1>("direction: 5", 5), wrong<3>("null")),
    call(one, CALL(weft_start), &H::plan, WEFT_FORWARD, &H::u, &H::z, 1, &H::request)
        .with(wrong<1>("direction: -1", -1), wrong<5>("request: is NULL")),
    call(all, CALL(weft_test), &H::request, &H::whole).with(wrong<0>("request"), wrong<1>("done")),
    call(all, CALL(weft_wait), &H::request).with(wrong<0>("request")),
    call(one, CALL(weft_apply), &H::plan, &H::u, &H::v, nothing, nullptr)
        .with(wrong<3>("function")),
    call(one, CALL(weft_apply_each), &H::plan, &H::u, 1, &H::out, functions, nullptr)
        .with(wrong<4>("function")),
    call(one, CALL(weft_apply_fields), &H::plan, 1, &H::in, 1, &H::out, nothing_to_several, nullptr)
        .with(wrong<4>("null")),
    call(one, CALL(weft_apply_operator), &H::plan, "laplacian", edges, 1, &H::in, 1, &H::out)
        .with(wrong<1>("operator"), wrong<2>("lengths")),
    // Sums
    call(all, CALL(weft_wavenumbers), &H::plan, 0, nullptr, &H::numbers, nullptr)
        .with(wrong<1>("axis: 3", 3)),
    call(one, CALL(weft_global_sum), &H::plan, WEFT_INPUT, &H::u, &H::numbers)
        .with(wrong<3>("sum")),
    call(one, CALL(weft_mean_square), &H::plan, WEFT_INPUT, &H::u, &H::numbers)
        .with(wrong<0>("plan"), wrong<1>("side: 9", 9), wrong<2>("array"), wrong<3>("mean")),
    call(one, CALL(weft_energy_by_shell), &H::plan, &H::z, edges, 9, &H::numbers, &H::shells)
        .with(wrong<2>("-1", wrong_edges), wrong<4>("energy")),
    call(all, CALL(weft_packed_plane), &H::packed, &H::box)
        .with(wrong<0>("packed", &H::plan), wrong<1>("box")),
    call(one, CALL(weft_unpack_plane), &H::packed, &H::packed_modes, &H::numbers, &H::others)
        .with(wrong<0>("packed", &H::plan), wrong<1>("spectrum"), wrong<3>("nyquist")),
    call(one, CALL(weft_pack_plane), &H::packed, &H::numbers, &H::others, &H::packed_modes)
        .with(wrong<1>("mean"))};

#undef CALL

std::vector<Mistake> all_mistakes() {
  std::vector<Mistake> table;
  for (const auto& part : mistakes_by_function) table.insert(table.end(), part.begin(), part.end());
  return table;
}

void expect_refused(Handles& handles, const Mistake& mistake, bool here) {
  SCOPED_TRACE(std::string(mistake.function) + ": " + mistake.word);
  running(mistake.function);
  EXPECT_EQ(mistake.call(handles, here), WEFT_ERROR_ARGUMENT);
  expect_words(weft_error(), {mistake.word});
  EXPECT_EQ(handles.created, nullptr);
  EXPECT_EQ(handles.made, nullptr);
  EXPECT_EQ(handles.ghosts, nullptr);
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
  const int direction = is_last_rank() ? 5 : WEFT_FORWARD;
  EXPECT_EQ(weft_run(handles.plan, direction, 1, handles.in, handles.to_z, 1), WEFT_ERROR_ARGUMENT);
  expect_words(weft_error(), {is_last_rank() ? "direction: 5" : "has left the call with an error"});
}

}  // namespace
}  // namespace weft::test
