! Mistakes in the calls of module weft, what they leave behind, and copies of its objects.
module mistakes_of_callers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int64, real32
  use mpi_f08
  use weft
  use checks
  implicit none
  private
  public :: wrong_calls

  integer, parameter :: shape(3) = [8, 6, 5]

contains

  subroutine wrong_calls()
    call lists()
    call elements()
    call sizes_unknown()
    call statuses()
    call what_is_left()
    call copies_of_layouts()
    call names_of_plans()
    call texts()
    call halved_axes()
  end subroutine

  !> The call before has failed with a sentence that has this word.
  subroutine expect(stat, word, what)
    integer, intent(in) :: stat
    character(*), intent(in) :: word, what
    call check(stat == weft_error_argument .and. index(weft_error(), word) > 0, what//': '//weft_error())
  end subroutine

  !> Lists with too many or too few entries are not cut or filled up.
  subroutine lists()
    type(weft_layout) :: layout
    type(weft_plan) :: plan
    type(weft_halo) :: halo
    complex(dp), target :: u(8*6*5), v(8*6*5), z(8*6*5)
    real(dp), allocatable :: numbers(:)
    integer(int64) :: lower(3, 2), upper(3, 3)
    integer :: stat
    lower = 1
    upper = 1
    call layout%grid(shape, [1, 1], [3], stat)
    call expect(stat, 'split: 1', 'grid')
    call layout%bricks(shape, [1, 1, 1, 1], stat)
    call expect(stat, 'grid: 4', 'bricks')
    call layout%pencils(shape, [1, 1, 1], stat=stat)
    call expect(stat, 'grid: 3', 'pencils')
    call layout%boxes(shape, lower, upper, stat)
    call expect(stat, 'upper', 'boxes: ranks')
    call layout%boxes(shape, lower(:2, :), upper(:2, :2), stat)
    call expect(stat, 'lower', 'boxes: axes')
    call layout%gathered(MPI_COMM_WORLD, shape, lower(:, 1), upper(:merge(2, 3, rank == ranks - 1), 1), stat)
    call expect(stat, 'upper: 2', 'gathered, on all ranks')
    call layout%slabs(shape, ranks)
    call halo%create(MPI_COMM_WORLD, layout, int(lower(:merge(2, 3, rank == ranks - 1), 1)), [1, 1, 1], stat=stat)
    call expect(stat, 'below: 2', 'ghost cells, on all ranks')
    call layout%pad([1], stat)
    call expect(stat, 'extra: 1', 'pad')
    call layout%strides([1, 8, 48, 240], stat)
    call expect(stat, 'strides: 4', 'strides')
    call layout%order([1, 2, 3, 4], stat)
    call expect(stat, 'order: 4', 'order')
    call layout%drop()
    call plan%create(MPI_COMM_WORLD, shape, 'kind=c2c fields=2 check_calls=1')
    call plan%run_fields(weft_forward, [c_loc(u), c_loc(v)], [c_loc(z)], stat=stat)
    call expect(stat, '2 inputs and 1 outputs', 'run_fields')
    call plan%apply_operator('laplacian', [1.0_dp, 1.0_dp], [c_loc(u)], [c_loc(v)], stat)
    call expect(stat, 'lengths: 2', 'apply_operator')
    call plan%energy_by_shell(z, numbers, [1.0_dp, 1.0_dp, 1.0_dp, 1.0_dp], stat)
    call expect(stat, 'lengths: 4', 'energy_by_shell')
    call plan%wavenumbers(1, numbers, lengths=[1.0_dp], stat=stat)
    call expect(stat, 'lengths: 1', 'wavenumbers')
    call plan%wavenumbers(4, numbers, stat=stat)
    call expect(stat, 'axis', 'wavenumbers of no axis')
    call plan%drop()
  end subroutine

  !> Elements of no plan: all lengths but the plan's, on all ranks or on the last.
  subroutine elements()
    type(weft_plan) :: plan
    type(weft_request) :: request
    type(scaling) :: same
    integer(int8), asynchronous :: bytes(2000)
    real(real32) :: numbers(2000)
    real(dp), asynchronous :: u(2000), v(2000)
    complex(dp), asynchronous :: z(2000)
    real(dp) :: mean
    integer :: stat
    call plan%create(MPI_COMM_WORLD, shape, 'kind=r2c check_calls=1')
    u = 0
    bytes = 0
    numbers = 0
    call plan%forward(bytes, z, stat=stat)
    call expect(stat, 'elements of 1 bytes', 'bytes for numbers')
    call check(index(weft_error(), 'of 8 bytes') > 0, 'the plan''s length: '//weft_error())
    call plan%backward(z, numbers, stat=stat)
    call expect(stat, 'elements of 4 bytes', 'single for double precision')
    call plan%start_forward(bytes, z, request, stat=stat)
    call expect(stat, 'elements of 1 bytes', 'started with bytes')
    if (rank == ranks - 1) then
      call plan%forward(u, numbers, stat=stat)
    else
      call plan%forward(u, z, stat=stat)
    end if
    call expect(stat, 'elements of 4 bytes', 'of one rank')
    if (rank == ranks - 1) then
      call plan%mean_square(weft_input, bytes, mean, stat)
    else
      call plan%mean_square(weft_input, u, mean, stat)
    end if
    call expect(stat, 'elements of 1 bytes', 'mean square of one rank''s bytes')
    if (plan%input%elements > 0) then
      call plan%apply(u, v(:1), same, stat)
      call expect(stat, 'has 1 elements', 'apply to too small an array')
    else
      call plan%apply(u, v, same, stat)
    end if
    call plan%mean_square(2, u, mean, stat)
    call expect(stat, 'side', 'no such end')
    call plan%drop()
  end subroutine

  !> Dummy arguments declared with (*) have no size to check.
  subroutine sizes_unknown()
    type(weft_plan) :: plan
    real(dp), allocatable :: u(:), back(:)
    complex(dp), allocatable :: z(:), expected(:)
    integer(int64) :: i
    call plan%create(MPI_COMM_WORLD, shape, 'kind=r2c')
    allocate (u(max(1_int64, plan%input%allocated)), back(max(1_int64, plan%input%allocated)))
    allocate (z(max(1_int64, plan%output%allocated)), expected(max(1_int64, plan%output%allocated)))
    u = [(sin(real(i*i, dp)), i=1, size(u))]
    expected = 0
    z = 0
    back = u
    call plan%forward(u, expected)
    call transform(plan, u, z, 2)
    call check(all(z == expected), 'arrays of unknown size')
    call plan%backward(z, back)
    call check(all(abs(back - u) < 1e-13_dp), 'back again')
    call plan%drop()
  end subroutine

  subroutine transform(plan, u, z, n)
    type(weft_plan), intent(in) :: plan
    integer, intent(in) :: n
    real(dp), target, intent(in) :: u(n, *)
    complex(dp), target, intent(inout) :: z(*)
    call plan%forward(u, z)
  end subroutine

  !> Not only mistakes of the caller.
  subroutine statuses()
    type(weft_plan) :: plan
    character(20) :: sanitized
    integer :: stat, length
    call get_environment_variable('WEFT_TEST_SANITIZED', sanitized, length)
    if (length > 0) return  ! sanitizers end the process
    call plan%create(MPI_COMM_SELF, [512, 512, 512, 512, 512, 512], 'kind=c2c exchange=alltoallv', stat=stat)
    call check(stat == weft_error_memory .and. index(weft_error(), 'out of memory') > 0, 'memory: '//weft_error())
  end subroutine

  !> A plan that is dropped has no bounds any more.
  subroutine what_is_left()
    type(weft_plan) :: plan
    type(c_ptr) :: p
    integer :: stat
    call plan%own_array(weft_input, p, stat)
    call expect(stat, 'plan', 'an array of no plan')
    call plan%create(MPI_COMM_WORLD, shape, 'kind=r2c')
    call check(allocated(plan%input%lower), 'a plan says what it has')
    call plan%own_array(2, p, stat)
    call expect(stat, 'side: 2', 'an array at no end')
    call plan%create(MPI_COMM_WORLD, shape, 'kind=c3c', stat=stat)
    call expect(stat, 'c3c', 'no plan')
    call check(.not. allocated(plan%input%lower) .and. plan%output%elements == 0, 'nothing of the plan before')
    call plan%create(MPI_COMM_WORLD, shape, 'kind=r2c')
    call plan%drop()
    call check(.not. allocated(plan%input%lower) .and. plan%output%allocated == 0, 'nothing after drop')
    call plan%drop()
    call plan%create(MPI_COMM_WORLD, shape, 'kind=r2c')
    call plan%close()
    call check(.not. allocated(plan%output%lower), 'nothing after close')
    call plan%close(stat)
    call expect(stat, 'plan', 'closed twice')
  end subroutine

  subroutine copies_of_layouts()
    type(weft_layout) :: one, two, none
    type(weft_part) :: part
    integer :: stat
    call one%slabs(shape, 1)
    two = one
    call two%pad([2, 0, 0])
    call one%part(0, part)
    call check(part%allocated == 240, 'a copy is padded, not what was copied')
    call two%part(0, part)
    call check(part%allocated == 300, 'the copy')
    two = two
    call two%part(0, part)
    call check(part%allocated == 300, 'a copy of itself')
    call one%drop()
    call two%part(0, part, stat)
    call check(stat == weft_success, 'copies live alone')
    two = none
    call two%part(0, part, stat)
    call expect(stat, 'layout', 'a copy of nothing')
    call two%drop()
    call two%drop()
  end subroutine

  !> A plan ends with the last of its names.
  subroutine names_of_plans()
    type :: solver
      type(weft_plan) :: plan
    end type
    type(solver) :: first, second
    type(weft_plan) :: third
    complex(dp) :: z(240), f(240)
    integer :: stat
    call first%plan%create(MPI_COMM_WORLD, shape, 'kind=c2c')
    second = first
    third = second%plan
    third = third
    z = 1
    call first%plan%drop()
    call first%plan%forward(z, f, stat=stat)
    call expect(stat, 'plan', 'a name that was dropped')
    call check(all(second%plan%input%lower == third%input%lower), 'all names know the bounds')
    call second%plan%forward(z, f)
    call second%plan%drop()
    call second%plan%drop()
    call third%backward(f, z)
    call check(all(abs(z(:third%input%elements) - 1) < 1e-14_dp), 'the last name')
    second%plan = third
    call third%close()
    call third%drop()
    call second%plan%forward(z, f, stat=stat)
    call check(stat == weft_error_argument, 'closed by another name: '//weft_error())
    call second%plan%drop()
  end subroutine

  subroutine texts()
    type(weft_plan) :: plan, again
    type(MPI_Comm) :: placed
    character(:), allocatable :: text, best
    integer :: stat, ranks, placed_ranks
    call plan%create(MPI_COMM_WORLD, shape, 'kinds=c2c,none,r2c norm=ortho exchange=p2p')
    call again%create(MPI_COMM_WORLD, shape, plan%text())
    call check(again%text() == plan%text(), 'the same plan again: '//plan%text())
    call check(all(again%output%extent == plan%output%extent), 'with the same arrays')
    call check(plan%element_bytes(weft_output) == 16 .and. plan%is_real(weft_input), 'elements')
    call check(plan%spectral_side() == weft_output .and. plan%tile_bytes() <= plan%workspace_bytes(), 'sizes')
    call plan%drop()
    call again%drop()
    call check(plan%text() == '' .and. plan%element_bytes(weft_input) == 0, 'of no plan')
    call weft_describe_ranks(shape, 'kind=r2c axes=1,2', 6, text, ranks_per_node=3)
    call check(index(text, '5x6x8') > 0 .and. index(text, '6 ranks') > 0, 'describe_ranks: '//text)
    call weft_describe_ranks(shape, 'kind=r2c', 0, text, stat=stat)
    call expect(stat, '0', 'no ranks')
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call weft_place(MPI_COMM_WORLD, [ranks, 1], placed, network='torus:64')
    call MPI_Comm_size(placed, placed_ranks)
    call check(placed_ranks == ranks, 'placed')
    call MPI_Comm_free(placed)
    call weft_place(MPI_COMM_WORLD, [ranks, 2], placed, stat=stat)
    call expect(stat, 'grid 2x', 'a grid of other ranks, in the order of C')
    call weft_tune(MPI_COMM_WORLD, shape, 'kind=c2c engine=weft', 0.01_dp, best=best)
    call check(index(best, 'engine=weft') > 0, 'tuned: '//best)
  end subroutine

  !> The first of the axes that are transformed is halved, as in the order of the list.
  subroutine halved_axes()
    call expect_spectrum('kind=r2c', [5, 6, 5])
    call expect_spectrum('kind=r2c axes=1,3', [5, 6, 5])
    call expect_spectrum('kind=r2c axes=3,1', [8, 6, 3])
    call expect_spectrum('kind=r2c axes=2,3', [8, 4, 5])
    call expect_spectrum('kind=c2r axes=2,1', [8, 4, 5])
  end subroutine

  subroutine expect_spectrum(choices, whole)
    character(*), intent(in) :: choices
    integer, intent(in) :: whole(3)
    type(weft_plan) :: plan
    integer(int64) :: upper(3)
    call plan%create(MPI_COMM_WORLD, shape, choices)
    upper = plan%output%upper
    if (plan%spectral_side() == weft_input) upper = plan%input%upper
    call MPI_Allreduce(MPI_IN_PLACE, upper, 3, MPI_INTEGER8, MPI_MAX, MPI_COMM_WORLD)
    call check(all(upper == whole), 'the halved axis of '//choices)
    call plan%drop()
  end subroutine
end module
