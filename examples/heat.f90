! The heat equation du/dt = laplace(u) in a periodic box, from a field whose future is known: the spectrum
! decays mode by mode, whatever the length of the time step. Prints the largest error.
!
!   mpiexec -n 4 heat [POINTS]
program heat
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi
  use weft
  implicit none
  real(dp), parameter :: pi = acos(-1.0_dp), edges(3) = 2*pi, dt = 0.01_dp
  integer, parameter :: steps = 10
  type(weft_plan) :: plan
  real(dp), allocatable :: u(:, :, :), expected(:, :, :)
  complex(dp), allocatable :: modes(:, :, :), decay(:, :, :)
  real(dp) :: error
  integer :: n, step, rank, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  n = points()
  ! kind=r2c halves the first axis, as Fortran stores it.
  call plan%create(MPI_COMM_WORLD, [n, n, n], 'kind=r2c')
  associate (here => plan%input%extent, there => plan%output%extent)
    allocate (u(here(1), here(2), here(3)), modes(there(1), there(2), there(3)))
  end associate
  allocate (expected, mold=u)
  decay = exp(-dt*squares())

  call fill(u, 0.0_dp)
  do step = 1, steps
    call plan%forward(u, modes)
    modes = modes*decay
    call plan%backward(modes, u)
  end do
  call fill(expected, steps*dt)

  error = maxval(abs(u - expected))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,es10.3)', 'largest error', error
  deallocate (u, modes, decay, expected)
  call plan%drop()
  call MPI_Finalize(ierr)

contains

  integer function points()
    character(20) :: word
    points = 32
    if (command_argument_count() == 0) return
    call get_command_argument(1, word)
    read (word, *) points
  end function

  !> The solution at a time: each wave decays at its own rate.
  subroutine fill(field, time)
    real(dp), intent(out) :: field(:, :, :)
    real(dp), intent(in) :: time
    real(dp) :: x(3)
    integer :: i, j, k
    do k = 1, size(field, 3)
      do j = 1, size(field, 2)
        do i = 1, size(field, 1)
          x = 2*pi/n*(plan%input%lower + [i, j, k] - 2)
          field(i, j, k) = 1 + exp(-14*time)*sin(x(1))*cos(2*x(2))*sin(3*x(3)) + exp(-9*time)*cos(3*x(1)) &
            + exp(-4*time)*sin(2*x(3))
        end do
      end do
    end do
  end subroutine

  !> |k|**2 of this rank's modes. The plan has chosen the order of axes in memory.
  function squares() result(sums)
    real(dp), allocatable :: sums(:, :, :), k1(:), k2(:), k3(:)
    integer :: i, j, k
    allocate (sums(size(modes, 1), size(modes, 2), size(modes, 3)))
    call plan%wavenumbers(plan%output%order(1), k1, lengths=edges)
    call plan%wavenumbers(plan%output%order(2), k2, lengths=edges)
    call plan%wavenumbers(plan%output%order(3), k3, lengths=edges)
    do concurrent(i=1:size(sums, 1), j=1:size(sums, 2), k=1:size(sums, 3))
      sums(i, j, k) = k1(i)**2 + k2(j)**2 + k3(k)**2
    end do
  end function
end program
