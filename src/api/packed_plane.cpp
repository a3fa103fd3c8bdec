// Mirroring is separable: for each axis, a list of the points whose mirrors another box holds.
#include "api/packed_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace weft {
namespace {

/// The index of -k for the index of each k; itself where there is no -k, as for Nyquist modes.
std::vector<Index> mirror_of(const Transform& transform, int axis) {
  const std::vector<Index> wavenumbers = transform.wavenumbers(axis);
  std::vector<Index> mirror(wavenumbers.size());
  std::map<Index, Index> index;
  for (std::size_t i = 0; i < mirror.size(); ++i) index[wavenumbers[i]] = static_cast<Index>(i);
  for (std::size_t i = 0; i < mirror.size(); ++i) {
    mirror[i] = static_cast<Index>(i);
    if (transform.kinds[axis] != Kind::c2c) continue;
    const auto found = index.find(-wavenumbers[i]);
    if (found != index.end()) mirror[i] = found->second;
  }
  return mirror;
}

}  // namespace

PackedPlane::PackedPlane(const Transform& transform, const Layout& spectrum, int rank)
    : rank_(rank), order_(spectrum.order()), boxes_(spectrum.boxes()) {
  const auto packed = std::ranges::find(transform.kinds, Kind::r2c_packed);
  if (packed == transform.kinds.end())
    throw Error("packed plane: no axis of this plan is r2c_packed");
  const int axis = static_cast<int>(packed - transform.kinds.begin());
  for (Box& box : boxes_)
    box.upper[axis] = box.lower[axis] == 0 ? std::min<Index>(1, box.upper[axis]) : box.lower[axis];
  // Every rank knows all boxes, so all ranks throw or none does.
  for (const Box& part : boxes_)
    if (part.volume() > std::numeric_limits<int>::max())
      throw Error(
          fmt::format("packed plane: a rank holds {} elements of it; valid is what MPI can "
                      "count, 2^31 - 1",
                      part.volume()));
  for (int a = 0; a < transform.shape.size(); ++a) mirror_.push_back(mirror_of(transform, a));
  strides_ = spectrum.strides(rank);
  plane_strides_ = strides_of(box().extents(), order_);
}

/// Calls visit(point) for every combination, in memory order.
template <class Visit>
void PackedPlane::for_each(const PerAxis<std::vector<Index>>& points, Visit&& visit) const {
  if (std::ranges::any_of(points, [](const auto& along) { return along.empty(); })) return;
  auto at = PerAxis<std::size_t>::filled(points.size(), 0);
  Point point;
  for (const auto& along : points) point.push_back(along.front());
  for (;;) {
    visit(static_cast<const Point&>(point));
    int position = order_.size() - 1;
    for (; position >= 0; --position) {
      const int axis = order_[position];
      if (++at[axis] == points[axis].size()) at[axis] = 0;
      point[axis] = points[axis][at[axis]];
      if (at[axis] > 0) break;
    }
    if (position < 0) return;
  }
}

PerAxis<std::vector<Index>> PackedPlane::all_points() const {
  PerAxis<std::vector<Index>> points;
  for (int axis = 0; axis < box().axes(); ++axis) {
    points.push_back({});
    for (Index i = box().lower[axis]; i < box().upper[axis]; ++i) points[axis].push_back(i);
  }
  return points;
}

/// The points that `holder` has and whose mirrors `mirror_holder` has.
PerAxis<std::vector<Index>> PackedPlane::points_with_mirror(int holder, int mirror_holder) const {
  const Box& own = boxes_[holder];
  const Box& other = boxes_[mirror_holder];
  PerAxis<std::vector<Index>> points;
  for (int axis = 0; axis < own.axes(); ++axis) {
    points.push_back({});
    for (Index i = own.lower[axis]; i < own.upper[axis]; ++i)
      if (mirror_[axis][i] >= other.lower[axis] && mirror_[axis][i] < other.upper[axis])
        points[axis].push_back(i);
  }
  return points;
}

Index PackedPlane::offset(const Point& point, const PerAxis<Index>& strides) const {
  Index sum = 0;
  for (int axis = 0; axis < point.size(); ++axis)
    sum += (point[axis] - box().lower[axis]) * strides[axis];
  return sum;
}

Point PackedPlane::mirrored(const Point& point) const {
  Point result = point;
  for (int axis = 0; axis < point.size(); ++axis) result[axis] = mirror_[axis][point[axis]];
  return result;
}

template <class Real>
void PackedPlane::unpack(const Communicator& communicator, const std::complex<Real>* spectrum,
                         std::complex<Real>* mean, std::complex<Real>* nyquist) const {
  const int ranks = communicator.size();
  std::vector<std::complex<Real>> sent, received(static_cast<std::size_t>(box().volume()));
  std::vector<int> send_counts, send_starts, receive_counts, receive_starts;
  std::vector<Index> positions;  // in the planes, of received elements
  for (int peer = 0; peer < ranks; ++peer) {
    send_starts.push_back(static_cast<int>(sent.size()));
    for_each(points_with_mirror(peer, rank_), [&](const Point& point) {
      sent.push_back(spectrum[offset(mirrored(point), strides_)]);
    });
    send_counts.push_back(static_cast<int>(sent.size()) - send_starts.back());
    receive_starts.push_back(static_cast<int>(positions.size()));
    for_each(points_with_mirror(rank_, peer),
             [&](const Point& point) { positions.push_back(offset(point, plane_strides_)); });
    receive_counts.push_back(static_cast<int>(positions.size()) - receive_starts.back());
  }
  const MPI_Datatype type =
      std::is_same_v<Real, double> ? MPI_C_DOUBLE_COMPLEX : MPI_C_FLOAT_COMPLEX;
  check_mpi(
      MPI_Alltoallv(sent.data(), send_counts.data(), send_starts.data(), type, received.data(),
                    receive_counts.data(), receive_starts.data(), type, communicator.get()),
      "MPI_Alltoallv");
  for_each(all_points(), [&](const Point& point) {
    mean[offset(point, plane_strides_)] = spectrum[offset(point, strides_)];
  });
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::complex<Real> here = mean[positions[i]], there = std::conj(received[i]);
    mean[positions[i]] = (here + there) / Real(2);
    nyquist[positions[i]] = (here - there) / std::complex<Real>(0, 2);
  }
}

template <class Real>
void PackedPlane::pack(const std::complex<Real>* mean, const std::complex<Real>* nyquist,
                       std::complex<Real>* spectrum) const {
  for_each(all_points(), [&](const Point& point) {
    const Index at = offset(point, plane_strides_);
    spectrum[offset(point, strides_)] = mean[at] + std::complex<Real>(0, 1) * nyquist[at];
  });
}

template void PackedPlane::unpack(const Communicator&, const std::complex<double>*,
                                  std::complex<double>*, std::complex<double>*) const;
template void PackedPlane::unpack(const Communicator&, const std::complex<float>*,
                                  std::complex<float>*, std::complex<float>*) const;
template void PackedPlane::pack(const std::complex<double>*, const std::complex<double>*,
                                std::complex<double>*) const;
template void PackedPlane::pack(const std::complex<float>*, const std::complex<float>*,
                                std::complex<float>*) const;

}  // namespace weft
