! Kinds of transforms other than r2c, in either precision: in place, through a function with threads, and with
! strides, each against the definition of its transform.
module other_kinds
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: all_kinds

contains

  subroutine all_kinds()
    real(dp) :: drawn(6)
    integer :: number
    character(*), parameter :: kinds(6) = ['c2c ', 'dct2', 'dct4', 'dst1', 'dst3', 'dct3']
    do number = 1, 12
      call random_number(drawn)
      call MPI_Bcast(drawn, size(drawn), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
      call check_kind(trim(kinds(1 + mod(number, 6))), 2 + int([9, 7, 6]*drawn(:3)), drawn(4) < 0.5_dp)
    end do
    call single_precision()
    call c2r()
    call several_functions()
  end subroutine

  !> Along one axis of n points, mode k of point x (both from 1) by the definition.
  pure complex(dp) function factor(kind, k, x, n)
    character(*), intent(in) :: kind
    integer(int64), intent(in) :: k, x
    integer, intent(in) :: n
    real(dp) :: m, j
    m = real(k - 1, dp)
    j = real(x - 1, dp)
    select case (kind)
    case ('c2c')
      factor = exp(cmplx(0, -2*pi*m*j/n, dp))
    case ('dct2')
      factor = 2*cos(pi*m*(2*j + 1)/(2*n))
    case ('dct3')
      factor = merge(1.0_dp, 2*cos(pi*(2*m + 1)*j/(2*n)), x == 1)
    case ('dct4')
      factor = 2*cos(pi*(2*m + 1)*(2*j + 1)/(4*n))
    case ('dst1')
      factor = 2*sin(pi*(m + 1)*(j + 1)/(n + 1))
    case default  ! dst3
      factor = merge((-1)**(k - 1)*(1.0_dp, 0.0_dp), cmplx(2*sin(pi*(2*m + 1)*(j + 1)/(2*n)), 0, dp), x == n)
    end select
  end function

  !> The spectrum of value_at at one point.
  pure complex(dp) function mode(kind, k, n)
    character(*), intent(in) :: kind
    integer(int64), intent(in) :: k(3)
    integer, intent(in) :: n(3)
    complex(dp) :: along(3)
    integer(int64) :: x, y, z
    mode = 0
    do z = 1, n(3)
      along(3) = factor(kind, k(3), z, n(3))
      do y = 1, n(2)
        along(2) = along(3)*factor(kind, k(2), y, n(2))
        do x = 1, n(1)
          mode = mode + value_at([x, y, z])*along(2)*factor(kind, k(1), x, n(1))
        end do
      end do
    end do
  end function

  !> A field in place, or from an array with strides: real numbers are the first of each element where they are
  !> complex.
  subroutine check_kind(kind, shape, in_place)
    character(*), intent(in) :: kind
    integer, intent(in) :: shape(3)
    logical, intent(in) :: in_place
    type(weft_plan) :: plan
    type(weft_layout) :: layout
    complex(dp), allocatable :: z(:), result(:)
    real(dp), allocatable :: u(:), v(:)
    integer(int64) :: k(3)
    real(dp) :: error
    character(80) :: what
    write (what, '(*(g0, " "))') kind, shape, in_place
    if (in_place) then
      call plan%create(MPI_COMM_WORLD, shape, 'kind='//kind)
    else
      call layout%slabs(shape, ranks)
      call layout%strides([2, 2*shape(1), 2*shape(1)*shape(2)])
      call plan%create(MPI_COMM_WORLD, shape, 'kind='//kind, input=layout)
      call check(all(plan%input%stride == [2, 2*shape(1), 2*shape(1)*shape(2)]), 'strides of '//trim(what))
      call layout%drop()
    end if
    allocate (u(max(plan%input%allocated, plan%output%allocated)), source=0.0_dp)
    call fill(plan%input, u)
    if (kind == 'c2c') then
      z = u
      allocate (result(max(1_int64, plan%output%allocated)))
      if (in_place) then
        call plan%forward(z, z)
        result = z
      else
        call plan%forward(z, result)
      end if
    else
      allocate (v(max(1_int64, plan%output%allocated)))
      if (in_place) then
        call plan%forward(u, u)
        v = u
      else
        call plan%forward(u, v)
      end if
      result = v
    end if
    error = 0
    k = before(plan%output)
    do while (next(plan%output, k))
      error = max(error, abs(result(place(plan%output, k)) - mode(kind, k, shape)))
    end do
    call check(error < 1.0e-11_dp*product(shape), 'modes of '//trim(what))
    call plan%drop()
  end subroutine

  !> The same field in both precisions.
  subroutine single_precision()
    type(weft_plan) :: double, single
    real(dp), allocatable :: u(:)
    complex(dp), allocatable :: z(:)
    real(real32), allocatable :: v(:)
    complex(real32), allocatable :: f(:)
    integer(int64) :: i
    call double%create(MPI_COMM_WORLD, [9, 8, 7], 'kind=r2c norm=ortho')
    call single%create(MPI_COMM_WORLD, [9, 8, 7], 'kind=r2c norm=ortho precision=float')
    call check(single%element_bytes(weft_input) == 4 .and. single%element_bytes(weft_output) == 8, 'single precision')
    allocate (u(double%input%allocated), z(double%output%allocated))
    allocate (v(single%input%allocated), f(single%output%allocated))
    u = [(sin(real(i*i, dp)), i=1, size(u))]
    v = real(u, real32)
    call double%forward(u, z)
    call single%forward(v, f)
    call check(all(abs(f - z) < 1e-5), 'the same modes in single precision')
    call single%backward(f, v)
    call check(all(abs(v - u) < 1e-5), 'and back')
    call double%drop()
    call single%drop()
  end subroutine

  !> A plan from spectra to real fields is one of r2c, turned round.
  subroutine c2r()
    type(weft_plan) :: there, back
    type(weft_layout) :: field, spectrum
    real(dp), allocatable :: u(:), v(:)
    complex(dp), allocatable :: z(:)
    integer(int64) :: i
    call there%create(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c norm=forward')
    call there%layout(weft_input, field)
    call there%layout(weft_output, spectrum)
    call back%create(MPI_COMM_WORLD, [8, 6, 5], 'kind=c2r', spectrum, field)
    call check(back%spectral_side() == weft_input .and. back%is_real(weft_output), 'the spectrum is the input')
    allocate (u(there%input%allocated), v(there%input%allocated), z(there%output%allocated))
    u = [(sin(real(i*i, dp)), i=1, size(u))]
    call there%forward(u, z)
    call back%forward(z, v)
    call check(all(abs(u - v) < 1e-14_dp), 'c2r')
    call there%drop()
    call back%drop()
    call field%drop()
    call spectrum%drop()
  end subroutine

  !> One field through several functions, and with threads.
  subroutine several_functions()
    type(weft_plan) :: plan
    type(scaling) :: factors(2), threefold
    real(dp), allocatable, target :: u(:), v(:), w(:)
    integer(int64) :: i
    integer :: stat
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], 'kind=r2c threads=2')
    allocate (u(max(1_int64, plan%input%allocated)))
    allocate (v, w, mold=u)
    u = [(sin(real(i*i, dp)), i=1, size(u))]
    v = 2*u
    w = -u
    factors%factor = [2.0_dp, -1.0_dp]
    call plan%apply_each(c_loc(u), [c_loc(v), c_loc(w)], factors)
    call check(all(abs(v - 2*u) < 1e-13_dp) .and. all(abs(w + u) < 1e-13_dp), 'each through its own function')
    threefold%factor = 3
    v = 3*u
    call plan%apply(u, v, threefold)
    call check(all(abs(v - 3*u) < 1e-13_dp), 'with threads')
    call plan%apply_each(c_loc(u), [c_loc(v)], factors, stat)
    call check(stat == weft_error_argument, 'more functions than outputs')
    call plan%drop()
  end subroutine
end module
