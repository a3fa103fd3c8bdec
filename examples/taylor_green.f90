! Direct numerical simulation of the Taylor-Green vortex, as in taylor_green.cpp: pseudo-spectral in a box of
! 2 pi, fourth-order Runge-Kutta, modes above n/3 dropped. Prints time, kinetic energy and dissipation:
!
!   mpiexec -n 4 taylor_green_fortran POINTS REYNOLDS STEP END
module flow
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  real(dp) :: viscosity
  real(dp), allocatable :: u(:, :, :, :), w(:, :, :, :), product(:, :, :)  ! components last
  complex(dp), allocatable :: state(:, :, :, :), rate(:, :, :, :)
  real(dp), allocatable :: k(:, :, :, :), square(:, :, :)                  ! wavenumbers
contains

  subroutine prepare(points, reynolds)
    integer, intent(in) :: points
    real(dp), intent(in) :: reynolds
    real(dp), allocatable :: k1(:), k2(:), k3(:)
    real(dp) :: h, corner(3)
    integer :: i, j, l
    h = 2*acos(-1.0_dp)/points
    viscosity = 1/reynolds
    call plan%create(MPI_COMM_WORLD, [points, points, points], 'kind=r2c modes=2/3,2/3,2/3')
    associate (e => plan%input%extent, s => plan%output%extent, order => plan%output%order)
      allocate (u(e(1), e(2), e(3), 3), product(e(1), e(2), e(3)), state(s(1), s(2), s(3), 3), square(s(1), s(2), s(3)))
      allocate (w, mold=u)
      allocate (rate, mold=state)
      allocate (k(s(1), s(2), s(3), 3))
      call plan%wavenumbers(order(1), k1)
      call plan%wavenumbers(order(2), k2)
      call plan%wavenumbers(order(3), k3)
      do concurrent(i=1:size(k1), j=1:size(k2), l=1:size(k3))
        k(i, j, l, order) = [k1(i), k2(j), k3(l)]
      end do
    end associate
    square = sum(k**2, 4)
    corner = h*(plan%input%lower - 2)
    do concurrent(i=1:size(u, 1), j=1:size(u, 2), l=1:size(u, 3))
      associate (x => corner(1) + h*i, y => corner(2) + h*j, z => corner(3) + h*l)
        u(i, j, l, :) = [sin(x)*cos(y)*cos(z), -cos(x)*sin(y)*cos(z), 0.0_dp]
      end associate
    end do
    do i = 1, 3
      call plan%forward(u(:, :, :, i), state(:, :, :, i))
    end do
  end subroutine

  function curl(a) result(b)
    complex(dp), intent(in) :: a(:, :, :, :)
    complex(dp) :: b(size(a, 1), size(a, 2), size(a, 3), 3)
    integer :: c
    do c = 1, 3
      associate (d => 1 + mod(c, 3), e => 1 + mod(c + 1, 3))
        b(:, :, :, c) = (0, 1)*(k(:, :, :, d)*a(:, :, :, e) - k(:, :, :, e)*a(:, :, :, d))
      end associate
    end do
  end function

  !> rate = projection(u x vorticity) - viscosity k**2 u
  subroutine find_rate(a)
    complex(dp), intent(in) :: a(:, :, :, :)
    complex(dp) :: along(size(a, 1), size(a, 2), size(a, 3)), vorticity(size(a, 1), size(a, 2), size(a, 3), 3)
    integer :: c
    vorticity = curl(a)
    do c = 1, 3
      call plan%backward(a(:, :, :, c), u(:, :, :, c))
      call plan%backward(vorticity(:, :, :, c), w(:, :, :, c))
    end do
    do c = 1, 3
      associate (d => 1 + mod(c, 3), e => 1 + mod(c + 1, 3))
        product = u(:, :, :, d)*w(:, :, :, e) - u(:, :, :, e)*w(:, :, :, d)
      end associate
      call plan%forward(product, rate(:, :, :, c))
    end do
    along = sum(k*rate, 4)/merge(square, 1.0_dp, square > 0)
    do c = 1, 3
      rate(:, :, :, c) = rate(:, :, :, c) - k(:, :, :, c)*along - viscosity*square*a(:, :, :, c)
    end do
  end subroutine

  subroutine step(dt)
    real(dp), intent(in) :: dt
    complex(dp), allocatable :: total(:, :, :, :), stage(:, :, :, :)
    real(dp), parameter :: weights(4) = [1, 2, 2, 1]/6.0_dp, parts(4) = [0.5_dp, 0.5_dp, 1.0_dp, 0.0_dp]
    integer :: i
    allocate (total, stage, source=state)
    do i = 1, 4
      call find_rate(stage)
      total = total + weights(i)*dt*rate
      stage = state + parts(i)*dt*rate
    end do
    state = total
  end subroutine

  function mean_square(a) result(total)
    complex(dp), intent(in) :: a(:, :, :, :)
    real(dp) :: total, parts(3)
    integer :: c
    do c = 1, 3
      call plan%mean_square(weft_output, a(:, :, :, c), parts(c))
    end do
    total = sum(parts)
  end function
end module

program taylor_green
  use flow
  implicit none
  real(dp) :: arguments(4), energy, dissipation
  character(30) :: word
  integer :: i, rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  do i = 1, 4
    call get_command_argument(i, word)
    read (word, *) arguments(i)
  end do
  call prepare(nint(arguments(1)), arguments(2))
  do i = 0, nint(arguments(4)/arguments(3))
    if (i > 0) call step(arguments(3))
    energy = mean_square(state)/2
    dissipation = mean_square(curl(state))*viscosity
    if (rank == 0) print '(f0.6,2es24.16)', i*arguments(3), energy, dissipation
  end do
  call plan%drop()
  call MPI_Finalize()
end program
