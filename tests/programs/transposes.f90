! Transposes of 2DECOMP&FFT alone, for tests/programs/run.py. A round goes from x to y to z and back to x, in arrays of the
! program. The program prints the fastest round's time and, to compare results, a weighted sum of the array after the last round.
program transposes
  use mpi
  use decomp_2d_constants, only: mytype
  use decomp_2d
  implicit none
  integer, parameter :: repetitions = 30
  integer :: n, p_row, p_col, i, j, k, error, rank
  real(kind(1.d0)) :: start, fastest, slowest
  complex(mytype), allocatable, dimension(:, :, :) :: x, y, z
  real(mytype), allocatable, dimension(:, :, :) :: u, v, w
  real(mytype), allocatable, dimension(:, :, :) :: weights
  complex(mytype) :: own, total
  logical :: is_complex
  character(20) :: argument
  call MPI_Init(error)
  n = number_at(1)
  p_row = number_at(2)
  p_col = number_at(3)
  call get_command_argument(4, argument)
  is_complex = argument == 'complex'
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call decomp_2d_init(n, n, n, p_row, p_col)
  allocate (x(xsize(1), xsize(2), xsize(3)), y(ysize(1), ysize(2), ysize(3)), z(zsize(1), zsize(2), zsize(3)))
  allocate (u(xsize(1), xsize(2), xsize(3)), v(ysize(1), ysize(2), ysize(3)), w(zsize(1), zsize(2), zsize(3)))
  allocate (weights(xsize(1), xsize(2), xsize(3)))
  do k = 1, xsize(3)
    do j = 1, xsize(2)
      do i = 1, xsize(1)
        u(i, j, k) = sin(1.3_mytype*i + 2.7_mytype*(xstart(2) + j) + 0.7_mytype*(xstart(3) + k))
        weights(i, j, k) = cos(0.9_mytype*i - 1.7_mytype*(xstart(2) + j) + 2.1_mytype*(xstart(3) + k))
      end do
    end do
  end do
  x = cmplx(u, -u, mytype)
  fastest = huge(fastest)
  do i = 1, repetitions
    call MPI_Barrier(MPI_COMM_WORLD, error)
    start = MPI_Wtime()
    if (is_complex) then
      call transpose_x_to_y(x, y)
      call transpose_y_to_z(y, z)
      call transpose_z_to_y(z, y)
      call transpose_y_to_x(y, x)
    else
      call transpose_x_to_y(u, v)
      call transpose_y_to_z(v, w)
      call transpose_z_to_y(w, v)
      call transpose_y_to_x(v, u)
    end if
    start = MPI_Wtime() - start
    call MPI_Allreduce(start, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    fastest = min(fastest, slowest)
  end do
  own = sum((x + u)*weights)
  call MPI_Allreduce(own, total, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,es24.16)', 'seconds per round: ', fastest, 'result: ', abs(total)
  call decomp_2d_finalize()
  call MPI_Finalize(error)
contains
  integer function number_at(place)
    integer, intent(in) :: place
    call get_command_argument(place, argument)
    read (argument, *) number_at
  end function
end program
