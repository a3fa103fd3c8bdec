! A user's program in Fortran with the installed library: a wave has one mode, and comes back.
program main
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi
  use weft
  implicit none
  type(weft_plan) :: plan
  real(dp), allocatable :: wave(:, :), back(:, :)
  complex(dp), allocatable :: modes(:, :)
  integer :: i, ierr
  call MPI_Init(ierr)
  call plan%create(MPI_COMM_WORLD, [16, 6], 'kind=r2c norm=forward')
  associate (here => plan%input%extent, there => plan%output%extent)
    allocate (wave(here(1), here(2)), back(here(1), here(2)), modes(there(1), there(2)))
  end associate
  do i = 1, 16
    wave(i, :) = cos(3*2*acos(-1.0_dp)*(i - 1)/16)
  end do
  call plan%forward(wave, modes)
  if (abs(sum(abs(modes)) - merge(0.5_dp, 0.0_dp, holds_mode())) > 1e-13_dp) error stop 1
  call plan%backward(modes, back)
  if (any(abs(back - wave) > 1e-14_dp)) error stop 2
  call plan%close()
  call MPI_Finalize(ierr)
contains
  logical function holds_mode()
    holds_mode = all(plan%output%lower <= [4, 1]) .and. all(plan%output%upper >= [4, 1])
  end function
end program
