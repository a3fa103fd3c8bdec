! A program in Fortran that knows FFTW-MPI's `_f03` forms only, linked to the drop-in: a wave has one mode, with transposed
! output, and comes back; likewise the cosine transform of a constant.
program main
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'fftw3-mpi.f03'
  integer(c_intptr_t), parameter :: nx = 10, ny = 12, nz = 18 ! FFTW's order is the reverse
  real(c_double), parameter :: points = real(nx*ny*nz, c_double)
  integer :: ierr, mistakes, all_mistakes
  mistakes = 0
  call MPI_Init(ierr)
  call fftw_mpi_init()
  call wave()
  call constant()
  call MPI_Allreduce(mistakes, all_mistakes, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (all_mistakes > 0) error stop 1
contains
  subroutine check(condition)
    logical, intent(in) :: condition
    if (.not. condition) mistakes = mistakes + 1
  end subroutine

  subroutine wave()
    integer(c_intptr_t) :: size, planes, first, rows, first_row, i, j, k
    type(c_ptr) :: there, back, memory, spectrum_memory
    complex(c_double_complex), pointer :: field(:, :, :), spectrum(:, :, :)
    complex(c_double_complex) :: expected
    real(c_double), parameter :: turn = 2*acos(-1.0_c_double)
    size = fftw_mpi_local_size_3d_transposed(nz, ny, nx, MPI_COMM_WORLD, planes, first, rows, first_row)
    memory = fftw_alloc_complex(int(size, c_size_t))
    spectrum_memory = fftw_alloc_complex(int(size, c_size_t))
    call c_f_pointer(memory, field, [nx, ny, planes])
    call c_f_pointer(spectrum_memory, spectrum, [nx, nz, rows])
    there = fftw_mpi_plan_dft_3d(nz, ny, nx, field, spectrum, MPI_COMM_WORLD, FFTW_FORWARD, &
                                 ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_OUT))
    back = fftw_mpi_plan_dft_3d(nz, ny, nx, spectrum, field, MPI_COMM_WORLD, FFTW_BACKWARD, &
                                ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_IN))
    do k = 1, planes; do j = 1, ny; do i = 1, nx
      field(i, j, k) = exp(cmplx(0, turn*(3*real(i - 1)/nx + 5*real(j - 1, c_double)/ny), c_double)) &
                       *exp(cmplx(0, turn*2*real(first + k - 1, c_double)/nz, c_double))
    end do; end do; end do
    spectrum = huge(1.0_c_double)
    call fftw_mpi_execute_dft(there, field, spectrum)
    do j = 1, rows; do k = 1, nz; do i = 1, nx
      expected = merge(points, 0.0_c_double, i == 4 .and. first_row + j == 6 .and. k == 3)
      call check(abs(spectrum(i, k, j) - expected) < 1e-4*points)
    end do; end do; end do
    field = huge(1.0_c_double)
    call fftw_execute_dft(back, spectrum, field)
    call check(all(abs(abs(field) - points) < 1e-10*points))
    call fftw_destroy_plan(there)
    call fftw_destroy_plan(back)
    call fftw_free(memory)
    call fftw_free(spectrum_memory)
  end subroutine

  subroutine constant()
    integer(c_intptr_t) :: size, planes, first
    type(c_ptr) :: there, memory
    real(c_double), pointer :: field(:, :), in_place(:, :)
    size = fftw_mpi_local_size_2d(nz, ny, MPI_COMM_WORLD, planes, first)
    memory = fftw_alloc_real(int(size, c_size_t))
    call c_f_pointer(memory, field, [ny, planes])
    call c_f_pointer(memory, in_place, [ny, planes])
    there = fftw_mpi_plan_r2r_2d(nz, ny, field, in_place, MPI_COMM_WORLD, FFTW_REDFT10, FFTW_REDFT10, FFTW_MEASURE)
    field = 1
    call fftw_mpi_execute_r2r(there, field, in_place)
    if (first == 0 .and. planes > 0) then
      call check(abs(field(1, 1) - 4*ny*nz) < 1e-10)
      field(1, 1) = 0
    end if
    call check(all(abs(field) < 1e-10))
    call fftw_destroy_plan(there)
    call fftw_free(memory)
  end subroutine
end program
