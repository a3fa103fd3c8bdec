! Arrays with room that transforms do not touch: what to allocate, and where the field lies in it.
module arrays_with_gaps
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi_f08
  use weft
  use checks
  implicit none
  integer, parameter, private :: n(3) = [8, 6, 5]

contains

  subroutine gaps()
    call what_to_allocate()
    call ghost_cells()
    call lists_with_blanks()
    call ghost_cells_are_filled()
  end subroutine

  !> The padding of each axis, in each order of memory.
  subroutine what_to_allocate()
    type(weft_layout) :: layout
    type(weft_part) :: part
    integer(int64) :: padded(3)
    integer :: k
    integer, parameter :: orders(3, 3) = reshape([1, 2, 3, 3, 1, 2, 2, 3, 1], [3, 3])
    integer, parameter :: extra(3, 4) = reshape([2, 0, 1, 0, 0, 3, 0, 2, 0, 1, 1, 1], [3, 4])
    do k = 1, 12
      call layout%slabs(n, ranks)
      call layout%order(orders(:, 1 + mod(k, 3)))
      call layout%pad(extra(:, 1 + mod(k, 4)))
      call layout%part(rank, part)
      if (part%elements == 0) cycle
      padded = part%upper - part%lower + 1 + extra(:, 1 + mod(k, 4))
      call check(all(part%extent == padded(part%order)), 'the extent with padding')
      call check(product(part%extent) == part%allocated, 'room for what is padded')
    end do
    call layout%drop()
  end subroutine

  !> Periodic along the first two axes, in a layout of the caller's; the transform takes the same array.
  subroutine ghost_cells_are_filled()
    type(weft_layout) :: layout
    type(weft_halo) :: halo
    type(weft_plan) :: plan
    type(weft_part) :: part
    complex(dp), allocatable, target :: u(:, :, :)
    complex(dp), allocatable :: z(:, :, :)
    integer :: i, j, k, e(3), l(3)
    logical :: is_right
    call layout%slabs(n, ranks)
    call halo%create(MPI_COMM_WORLD, layout, [1, 2, 1], [1, 0, 1], [.true., .true., .false.], element_bytes=16)
    call halo%layout(layout)
    call layout%part(rank, part)
    e = int(part%upper - part%lower) + 1
    l = int(part%lower) - 1
    if (part%elements == 0) e = 0
    allocate (u(0:e(1) + 1, -1:e(2), 0:e(3) + 1))
    u = -1
    do k = 1, e(3)
      do j = 1, e(2)
        do i = 1, e(1)
          u(i, j, k) = value(i + l(1), j + l(2), k + l(3))
        end do
      end do
    end do
    call halo%start(u)
    call halo%wait()
    is_right = .true.
    if (part%elements > 0) then
      do k = 0, e(3) + 1
        do j = -1, e(2)
          do i = 0, e(1) + 1
            if (k + l(3) < 1 .or. k + l(3) > n(3)) then
              is_right = is_right .and. u(i, j, k) == -1
            else
              is_right = is_right .and. u(i, j, k) == value(1 + modulo(i + l(1) - 1, n(1)), &
                1 + modulo(j + l(2) - 1, n(2)), k + l(3))
            end if
          end do
        end do
      end do
    end if
    call check(is_right, 'ghost cells')
    call plan%create(MPI_COMM_WORLD, n, 'kind=c2c', layout)
    allocate (z(plan%output%extent(1), plan%output%extent(2), plan%output%extent(3)))
    if (part%elements > 0) then
      call plan%forward(u(1, 1, 1), z)
      call plan%backward(z, u(1, 1, 1))
      call check(abs(u(2, 3, 1) - value(2 + l(1), 3 + l(2), 1 + l(3))) < 1e-12_dp, 'an array with ghost cells')
    else
      call plan%forward(u, z)
      call plan%backward(z, u)
    end if
    call halo%update(u)
    call plan%drop()
    call halo%drop()
    call layout%drop()
  contains
    pure function value(i, j, k)
      integer, intent(in) :: i, j, k
      complex(dp) :: value
      value = cmplx(i + 10*j, k, dp)
    end function
  end subroutine

  !> The interior of arrays with ghost cells gives what arrays without them give; the ghost cells stay as they are.
  subroutine ghost_cells()
    type(weft_layout) :: in, out
    type(weft_plan) :: padded, plan
    real(dp), allocatable, target :: u(:, :, :), inside(:, :, :), back(:, :, :)
    complex(dp), allocatable, target :: z(:, :, :), spectrum(:, :, :)
    integer :: e(3), s(3), stat
    call in%slabs(n, ranks)
    call out%slabs([5, 6, 5], ranks)
    call plan%create(MPI_COMM_WORLD, n, 'kind=r2c', in, out)
    e = int(plan%input%extent)
    s = int(plan%output%extent)
    call in%pad([2, 2, 2])
    call out%pad([2, 2, 2])
    call padded%create(MPI_COMM_WORLD, n, 'kind=r2c', in, out)
    allocate (inside(e(1), e(2), e(3)), spectrum(s(1), s(2), s(3)))
    allocate (u(0:e(1) + 1, 0:e(2) + 1, 0:e(3) + 1), z(0:s(1) + 1, 0:s(2) + 1, 0:s(3) + 1))
    call random_number(inside)
    u = 7
    z = 7
    u(1:e(1), 1:e(2), 1:e(3)) = inside
    call plan%forward(inside, spectrum)
    call padded%forward(u(1, 1, 1), z(1, 1, 1))
    call check(all(z(1:s(1), 1:s(2), 1:s(3)) == spectrum), 'forward between ghost cells')
    call check(count(z /= 7) <= size(spectrum), 'ghost cells of the spectrum')
    allocate (back(0:e(1) + 1, 0:e(2) + 1, 0:e(3) + 1), source=7.0_dp)
    call padded%backward(z(1, 1, 1), back(1, 1, 1))
    call check(all(abs(back - u) < 1e-12_dp), 'back between ghost cells')
    call padded%forward(u(1:e(1), 1:e(2), 1:e(3)), z(1, 1, 1), stat=stat)
    call check(stat == weft_error_argument .and. index(weft_error(), 'first element') > 0, 'a section: '//weft_error())
    call plan%forward(inside(1, 1, 1), spectrum, stat=stat)
    call check(stat == weft_error_argument .and. index(weft_error(), '1 elements') > 0, 'no gaps: '//weft_error())
    call padded%close()
    call plan%drop()
    call in%drop()
    call out%drop()
  end subroutine

  subroutine lists_with_blanks()
    type(weft_plan) :: plan
    call plan%create(MPI_COMM_WORLD, n, 'kinds=r2c, c2c, none exchange=auto')
    call check(index(plan%text(), 'kinds=r2c,c2c,none') > 0, 'blanks in lists: '//plan%text())
    call plan%drop()
  end subroutine
end module
