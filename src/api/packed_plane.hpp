// Splits and joins the plane of a packed r2c spectrum that holds two planes of real data's spectra.
#pragma once

#include <complex>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "mpi/communicator.hpp"

namespace weft {

/// P(k) = F(0, k) + i F(n/2, k), where both are spectra of real planes: F(-k) = conj F(k). So
///   F(0, k) = (P(k) + conj P(-k)) / 2,   F(n/2, k) = (P(k) - conj P(-k)) / 2i,
/// and every rank needs P(-k) for the k it holds, from the rank that holds P(-k). -k is taken along
/// the axes of Fourier transforms; others stay.
class PackedPlane {
 public:
  /// Throws unless an axis of the transform is r2c_packed.
  PackedPlane(const Transform& transform, const Layout& spectrum, int rank);

  /// This rank's part of the plane, with one index along the packed axis; possibly none.
  const Box& box() const { return boxes_[rank_]; }
  /// Arrays are this rank's spectrum, and parts of planes in the memory order of the spectrum.
  template <class Real>
  void unpack(const Communicator& communicator, const std::complex<Real>* spectrum,
              std::complex<Real>* mean, std::complex<Real>* nyquist) const;
  template <class Real>
  void pack(const std::complex<Real>* mean, const std::complex<Real>* nyquist,
            std::complex<Real>* spectrum) const;

 private:
  template <class Visit>
  void for_each(const PerAxis<std::vector<Index>>& points, Visit&& visit) const;
  PerAxis<std::vector<Index>> all_points() const;
  PerAxis<std::vector<Index>> points_with_mirror(int holder, int mirror_holder) const;
  Index offset(const Point& point, const PerAxis<Index>& strides) const;
  Point mirrored(const Point& point) const;

  int rank_;
  Order order_;
  std::vector<Box> boxes_;              // of all ranks
  PerAxis<std::vector<Index>> mirror_;  // the index of -k, by index
  PerAxis<Index> strides_;              // of this rank's spectrum
  PerAxis<Index> plane_strides_;
};

}  // namespace weft
