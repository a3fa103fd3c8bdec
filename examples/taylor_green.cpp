// Direct numerical simulation of the Taylor-Green vortex (Brachet et al., J. Fluid Mech. 130,
// 1983): pseudo-spectral in a box of 2 pi, fourth-order Runge-Kutta, modes above n/3 dropped.
// Prints time, kinetic energy and dissipation:  mpiexec -n 4 taylor_green POINTS REYNOLDS STEP END
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

namespace {
using Complex = std::complex<double>;
using Physical = std::array<weft::Array<double>, 3>;
using Spectrum = std::array<weft::Array<Complex>, 3>;

weft::Transform transform_of(weft::Index points) {
  weft::Transform transform({points, points, points}, weft::Kind::r2c);
  transform.modes.assign(3, weft::Modes::up_to(points / 3));
  return transform;
}

template <class Make>
auto three(Make make) {
  return std::array{make(), make(), make()};
}

/// to = a + factor b
void add(const Spectrum& a, double factor, const Spectrum& b, Spectrum& to) {
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < to[c].span().size(); ++i)
      to[c].data()[i] = a[c].data()[i] + factor * b[c].data()[i];
}

class TaylorGreen {
 public:
  TaylorGreen(weft::Index points, double reynolds)
      : viscosity_(1 / reynolds),
        plan_(MPI_COMM_WORLD, transform_of(points), weft::Options::parse("fields=3")) {
    const double h = 2 * std::numbers::pi / static_cast<double>(points);
    for (const int a : {0, 1})  // sin x cos y cos z, -cos x sin y cos z
      velocity_[a].fill([&](const weft::Point& x) {
        return (a == 0 ? 1 : -1) * std::sin(h * x[a]) * std::cos(h * x[1 - a]) * std::cos(h * x[2]);
      });
    plan_.forward(velocity_, state_);
  }

  void step(double dt) {
    constexpr double weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, parts[] = {0.5, 0.5, 1};
    add(state_, 0, state_, sum_);
    add(state_, 0, state_, stage_);
    for (int i = 0; i < 4; ++i) {
      find_rate(stage_);
      add(sum_, weights[i] * dt, rate_, sum_);
      if (i < 3) add(state_, parts[i] * dt, rate_, stage_);
    }
    std::swap(state_, sum_);
  }

  void print(double time) {
    curl(state_, rate_);
    double energy = 0, dissipation = 0;
    for (const auto& u : state_) energy += mean_square(plan_, weft::Side::output, u) / 2;
    for (const auto& w : rate_)
      dissipation += mean_square(plan_, weft::Side::output, w) * viscosity_;
    if (plan_.rank() == 0) std::printf("%.6g %.16e %.16e\n", time, energy, dissipation);
  }

 private:
  void curl(const Spectrum& u, Spectrum& to) const {
    waves_.for_each([&](const auto& k, double, std::size_t i) {
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        to[a].data()[i] = Complex(0, 1) * (k[b] * u[c].data()[i] - k[c] * u[b].data()[i]);
      }
    });
  }

  /// rate_ = projection(u x vorticity) - viscosity k^2 u
  void find_rate(const Spectrum& u) {
    curl(u, rate_);
    plan_.backward(u, velocity_);
    plan_.backward(rate_, vorticity_);
    for (std::size_t i = 0; i < velocity_[0].span().size(); ++i) {
      double v[3], w[3];
      for (int a = 0; a < 3; ++a) v[a] = velocity_[a].data()[i], w[a] = vorticity_[a].data()[i];
      for (int a = 0; a < 3; ++a)
        velocity_[a].data()[i] = v[(a + 1) % 3] * w[(a + 2) % 3] - v[(a + 2) % 3] * w[(a + 1) % 3];
    }
    plan_.forward(velocity_, rate_);
    waves_.for_each([&](const auto& k, double, std::size_t i) {
      const double square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      Complex along = 0;
      for (int a = 0; a < 3; ++a) along += k[a] * rate_[a].data()[i];
      for (int a = 0; a < 3; ++a) {
        if (square > 0) rate_[a].data()[i] -= k[a] / square * along;
        rate_[a].data()[i] -= viscosity_ * square * u[a].data()[i];
      }
    });
  }

  double viscosity_;
  weft::Plan plan_;
  weft::Wavenumbers waves_{plan_};
  Physical velocity_ = three([this] { return plan_.make_input<double>(); });
  Physical vorticity_ = three([this] { return plan_.make_input<double>(); });
  Spectrum state_ = three([this] { return plan_.make_output<Complex>(); });
  Spectrum stage_ = three([this] { return plan_.make_output<Complex>(); });
  Spectrum rate_ = three([this] { return plan_.make_output<Complex>(); });
  Spectrum sum_ = three([this] { return plan_.make_output<Complex>(); });
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    if (argc != 5) throw std::runtime_error("give POINTS REYNOLDS STEP END");
    TaylorGreen flow(std::stol(argv[1]), std::stod(argv[2]));
    const double dt = std::stod(argv[3]), end = std::stod(argv[4]) + dt / 2;
    flow.print(0);
    for (int step = 1; step * dt < end; ++step) flow.step(dt), flow.print(step * dt);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "taylor_green: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
