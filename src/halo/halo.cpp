// One message to each rank that has ghost cells of this rank's elements, packed by SIMD copies;
// cells of the rank's own elements are copied in place.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "halo/ghost_copies.hpp"
#include "layout/layout_text.hpp"
#include "machine/aligned_buffer.hpp"
#include "mpi/communicator.hpp"
#include "view/strided_copy.hpp"

namespace weft {
namespace {

/// The copies from or to another rank, and where they lie in the buffer of messages.
struct Peer {
  int rank;
  std::vector<GhostCopy> copies;
  Index elements = 0;
  Index offset = 0;  // in elements
};

Index elements_of(const std::vector<GhostCopy>& copies) {
  Index elements = 0;
  for (const GhostCopy& copy : copies) elements += copy.from.volume();
  return elements;
}

/// Places the peers' messages one behind the other; returns the elements of all.
Index place(std::vector<Peer>& peers) {
  Index end = 0;
  for (Peer& peer : peers) {
    peer.offset = end;
    end += peer.elements;
    if (peer.elements > std::numeric_limits<int>::max())
      throw Error(fmt::format(
          "ghost cells: {} elements between two ranks; at most 2^31 - 1 are valid", peer.elements));
  }
  return end;
}

void check_element_bytes(int bytes) {
  if (bytes < 1 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    throw Error(
        fmt::format("ghost cells: elements of {} bytes; valid are 1, 2, 4, 8 and 16", bytes));
}

void require_ranges(const Layout& layout) {
  for (int axis = 0; axis < layout.global().size(); ++axis)
    if (layout.is_dealt(axis))
      throw Error(
          fmt::format("ghost cells: axis {} is dealt out to its parts, so neighbours lie on other "
                      "ranks; valid are layouts in which every rank holds a range of indices",
                      axis));
}

}  // namespace

struct Halo::State {
  State(MPI_Comm comm, const Layout& asked, const GhostCells& ghosts, int bytes)
      : communicator(Communicator::duplicate(comm)), layout(asked), cells(ghosts) {
    element.real = true;
    element.plain_bytes = bytes;
    agree(communicator, [&] {
      check_element_bytes(bytes);
      if (layout.ranks() != communicator.size())
        throw Error(
            fmt::format("ghost cells: the layout is made for {} ranks; the communicator has {}",
                        layout.ranks(), communicator.size()));
      require_ranges(layout);
      layout = with_room(layout, cells);
      plan();
    });
    require_same(communicator, {{"ghost cells", text()}, {"layout", layout_text(layout)}});
    // Last, because nobody frees it where the constructor throws.
    check_mpi(MPI_Type_contiguous(element.plain_bytes, MPI_BYTE, &type), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  }
  ~State() {
    // Messages to and from memory that is freed here must have ended.
    if (!requests.empty() && !is_finalized())
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if (!is_finalized() && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  }
  State(const State&) = delete;

  std::string text() const {
    return fmt::format("{}, {}, {}, corners {}, {} bytes", to_string(cells.below),
                       to_string(cells.above),
                       to_string(Shape(cells.periodic.begin(), cells.periodic.end())),
                       cells.corners, element.plain_bytes);
  }

  void plan() {
    const int rank = communicator.rank();
    box = layout.box(rank);
    strides = layout.strides(rank);
    for (int other = 0; other < communicator.size(); ++other) {
      if (other == rank) {
        own = ghost_copies(layout, cells, rank, rank);
        continue;
      }
      if (auto copies = ghost_copies(layout, cells, rank, other); !copies.empty())
        sends.push_back({other, copies, elements_of(copies)});
      if (auto copies = ghost_copies(layout, cells, other, rank); !copies.empty())
        receives.push_back({other, copies, elements_of(copies)});
    }
    const auto bytes = static_cast<std::size_t>(element.bytes());
    sent = AlignedBuffer(static_cast<std::size_t>(place(sends)) * bytes);
    received = AlignedBuffer(static_cast<std::size_t>(place(receives)) * bytes);
    kernels = copy_kernels(element, Scaling::none);
  }

  PerAxis<Index> byte_strides_of(const PerAxis<Index>& elements) const {
    PerAxis<Index> bytes = elements;
    for (Index& stride : bytes) stride *= element.bytes();
    return bytes;
  }
  std::byte* at(const Point& point) const {
    Index offset = 0;
    for (int axis = 0; axis < point.size(); ++axis)
      offset += (point[axis] - box.lower[axis]) * strides[axis];
    return array + offset * element.bytes();
  }
  static Point shifted(Point point, const Point& shift) {
    for (int axis = 0; axis < point.size(); ++axis) point[axis] += shift[axis];
    return point;
  }
  void copy(const std::byte* source, const PerAxis<Index>& source_strides, std::byte* target,
            const PerAxis<Index>& target_strides, const Shape& extents) const {
    const StridedCopy copier{&kernels, element.bytes(), element.bytes(), 1, false};
    copier(source, source_strides, target, target_strides, extents);
  }
  /// Calls visit(copy, its place in a message, its strides there) for the copies of a message.
  template <class Visit>
  void for_each_block(const Peer& peer, const AlignedBuffer& buffer, Visit&& visit) const {
    std::byte* block = buffer.data() + peer.offset * element.bytes();
    for (const GhostCopy& one : peer.copies) {
      visit(one, block, byte_strides(one.from.extents(), layout.order(), element.bytes()));
      block += one.from.volume() * element.bytes();
    }
  }

  void start(const RawArray& given) {
    if (is_running) throw Error("ghost cells: an update has begun and not ended; valid is to wait");
    if (given.mistake != nullptr)
      throw Error(fmt::format("ghost cells: the array {}", given.mistake));
    if (given.type.bytes() != element.plain_bytes)
      throw Error(
          fmt::format("ghost cells: the array has elements of {} bytes; valid are those of {}",
                      given.type.bytes(), element.plain_bytes));
    if (given.data == nullptr && !box.empty())
      throw Error("ghost cells: the array is null, but this rank holds a part of it");
    array = static_cast<std::byte*>(given.data);
    is_running = true;
    for (const Peer& peer : receives)
      begin(peer, [&](MPI_Request* request) {
        return MPI_Irecv(received.data() + peer.offset * element.bytes(),
                         static_cast<int>(peer.elements), type, peer.rank, 0, communicator.get(),
                         request);
      });
    const auto own_strides = byte_strides_of(strides);
    for (const Peer& peer : sends) {
      for_each_block(peer, sent,
                     [&](const GhostCopy& one, std::byte* block, const PerAxis<Index>& packed) {
                       copy(at(one.from.lower), own_strides, block, packed, one.from.extents());
                     });
      begin(peer, [&](MPI_Request* request) {
        return MPI_Isend(sent.data() + peer.offset * element.bytes(),
                         static_cast<int>(peer.elements), type, peer.rank, 0, communicator.get(),
                         request);
      });
    }
    for (const GhostCopy& one : own)
      copy(at(one.from.lower), own_strides, at(shifted(one.from.lower, one.shift)), own_strides,
           one.from.extents());
  }
  template <class Call>
  void begin(const Peer&, Call&& call) {
    requests.push_back(MPI_REQUEST_NULL);
    check_mpi(call(&requests.back()), "MPI_Isend or MPI_Irecv");
  }

  bool test() {
    if (!is_running) return true;
    int done = 0;
    check_mpi(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (done != 0) finish();
    return done != 0;
  }
  void wait() {
    if (!is_running) return;
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    finish();
  }
  void finish() {
    const auto own_strides = byte_strides_of(strides);
    for (const Peer& peer : receives)
      for_each_block(peer, received,
                     [&](const GhostCopy& one, std::byte* block, const PerAxis<Index>& packed) {
                       copy(block, packed, at(shifted(one.from.lower, one.shift)), own_strides,
                            one.from.extents());
                     });
    requests.clear();
    is_running = false;
  }

  Communicator communicator;
  Layout layout;
  GhostCells cells;
  Element element;
  Box box;
  PerAxis<Index> strides;
  std::vector<GhostCopy> own;  // from this rank's elements
  std::vector<Peer> sends, receives;
  AlignedBuffer sent, received;
  CopyKernels kernels{};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::byte* array = nullptr;
  std::vector<MPI_Request> requests;
  bool is_running = false;
};

Halo::Halo(MPI_Comm communicator, const Layout& layout, const GhostCells& cells,
           int element_bytes) {
  require_usable(communicator);
  state_ = std::make_unique<State>(communicator, layout, cells, element_bytes);
}
Halo::~Halo() = default;
Halo::Halo(Halo&&) noexcept = default;
Halo& Halo::operator=(Halo&&) noexcept = default;

void Halo::start(const RawArray& array) try { state_->start(array); } catch (const Error& error) {
  end_job(state_->communicator, error.what());
  throw;
}
bool Halo::test() { return state_->test(); }
void Halo::wait() { state_->wait(); }

const Layout& Halo::layout() const { return state_->layout; }
const Box& Halo::box() const { return state_->box; }
const PerAxis<Index>& Halo::strides() const { return state_->strides; }
int Halo::element_bytes() const { return state_->element.plain_bytes; }
Index Halo::allocated() const {
  const Index of_layout = state_->layout.allocated(state_->communicator.rank());
  if (box().empty()) return of_layout;
  Shape around = box().extents();
  for (int axis = 0; axis < around.size(); ++axis)
    around[axis] += state_->cells.below[axis] + state_->cells.above[axis];
  return std::max(of_layout, memory_span(around, strides()));  // strides of the caller's own
}
Index Halo::offset() const {
  Index offset = 0;
  for (int axis = 0; axis < box().axes(); ++axis)
    offset += state_->cells.below[axis] * strides()[axis];
  return box().empty() ? 0 : offset;
}
Halo::Traffic Halo::sent() const {
  Traffic traffic;
  for (const Peer& peer : state_->sends) {
    traffic.bytes += static_cast<std::size_t>(peer.elements * state_->element.bytes());
    ++traffic.messages;
  }
  return traffic;
}

std::shared_ptr<void> Halo::make_memory(std::size_t element_bytes) const {
  if (static_cast<Index>(element_bytes) != state_->element.bytes())
    throw Error(fmt::format("ghost cells: elements of {} bytes; valid are those of {}",
                            element_bytes, state_->element.bytes()));
  const auto bytes = static_cast<std::size_t>(allocated()) * element_bytes;
  auto memory = std::make_shared<AlignedBuffer>(bytes + 1);
  std::fill_n(memory->data(), bytes, std::byte{});
  return {memory, memory->data() + offset() * state_->element.bytes()};
}

}  // namespace weft
