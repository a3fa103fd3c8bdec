! Module weft beside the definition of the discrete Fourier transform.
module checks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: dp = real64
  real(dp), parameter :: pi = acos(-1.0_dp)
  integer :: mistakes = 0, rank = 0, ranks = 1

  !> Multiplies modes by `factor`, and notes what it saw.
  type, extends(weft_function) :: scaling
    real(dp) :: factor = 1
    real(dp) :: largest(3) = 0
  contains
    procedure :: change => scale_line
  end type
  !> Exchanges two fields, and counts lines.
  type, extends(weft_function) :: swapping
    integer :: lines = 0
  contains
    procedure :: change => swap_line
  end type

contains

  subroutine check(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    mistakes = mistakes + 1
    write (error_unit, '(a,i0,2a)') 'rank ', rank, ': ', what
  end subroutine

  recursive subroutine scale_line(self, line)
    class(scaling), intent(inout) :: self
    type(weft_line), intent(in) :: line
    complex(dp), pointer :: z(:)
    integer :: axis
    call c_f_pointer(line%values(1), z, [line%count])
    z = z*self%factor
    do axis = 1, 3
      if (axis == line%axis) then
        self%largest(axis) = max(self%largest(axis), maxval(abs(line%wavenumbers)))
      else
        self%largest(axis) = max(self%largest(axis), abs(line%at(axis)))
      end if
    end do
  end subroutine

  recursive subroutine swap_line(self, line)
    class(swapping), intent(inout) :: self
    type(weft_line), intent(in) :: line
    complex(dp), pointer :: a(:), b(:)
    complex(dp) :: old(line%count)
    self%lines = self%lines + 1
    call c_f_pointer(line%values(1), a, [line%count])
    call c_f_pointer(line%values(2), b, [line%count])
    old = a
    a = b
    b = old
  end subroutine

  !> A field without symmetry, at a point counted from 1.
  pure real(dp) function value_at(x)
    integer(int64), intent(in) :: x(:)
    integer(int64), parameter :: steps(4) = [1_int64, 13_int64, 177_int64, 1009_int64]
    real(dp) :: place
    place = real(sum(x*steps(:size(x))), dp)
    value_at = sin(place*place)
  end function

  !> Its mode, by definition: k and x are counted from 1, `active` are the axes that are transformed.
  pure complex(dp) function mode_at(k, n, active)
    integer(int64), intent(in) :: k(:)
    integer, intent(in) :: n(:)
    logical, intent(in) :: active(:)
    integer(int64) :: x(size(k)), first(size(k)), last(size(k))
    real(dp) :: phase
    integer :: axis
    first = merge(1_int64, k, active)
    last = merge(int(n, int64), k, active)
    x = first
    mode_at = 0
    do
      phase = -2*pi*sum(real((k - 1)*(x - 1), dp)/n, mask=active)
      mode_at = mode_at + value_at(x)*cmplx(cos(phase), sin(phase), dp)
      do axis = 1, size(k)
        x(axis) = x(axis) + 1
        if (x(axis) <= last(axis)) exit
        x(axis) = first(axis)
      end do
      if (axis > size(k)) return
    end do
  end function

  !> Where `next` begins.
  pure function before(part) result(x)
    type(weft_part), intent(in) :: part
    integer(int64) :: x(size(part%lower))
    x = part%lower
    x(1) = x(1) - 1
  end function

  !> The next point of a part; false after the last.
  logical function next(part, x)
    type(weft_part), intent(in) :: part
    integer(int64), intent(inout) :: x(:)
    integer :: axis
    do axis = 1, size(x)
      x(axis) = x(axis) + 1
      if (x(axis) <= part%upper(axis)) exit
      x(axis) = part%lower(axis)
    end do
    next = axis <= size(x) .and. part%elements > 0
  end function

  !> The place in memory, from 1.
  pure integer(int64) function place(part, x)
    type(weft_part), intent(in) :: part
    integer(int64), intent(in) :: x(:)
    place = 1 + sum((x - part%lower)*part%stride)
  end function

  !> The indices of a point of a part.
  pure function index_of(part, x) result(index)
    type(weft_part), intent(in) :: part
    integer(int64), intent(in) :: x(:)
    integer(int64) :: index(size(x))
    index = part%first + (x - part%lower)*part%step
  end function

  !> The field of value_at in the memory of a part.
  subroutine fill(part, memory)
    type(weft_part), intent(in) :: part
    real(dp), intent(inout) :: memory(:)
    integer(int64) :: x(size(part%lower))
    x = before(part)
    do while (next(part, x))
      memory(place(part, x)) = value_at(index_of(part, x))
    end do
  end subroutine

  !> Forward of a field of any rank, by pointers of that rank.
  subroutine forward_of_rank(plan, u, z)
    type(weft_plan), intent(in) :: plan
    real(dp), target, contiguous, intent(in) :: u(:)
    complex(dp), target, contiguous, intent(inout) :: z(:)
    real(dp), pointer :: u1(:), u2(:, :), u3(:, :, :), u4(:, :, :, :)
    complex(dp), pointer :: z1(:), z2(:, :), z3(:, :, :), z4(:, :, :, :)
    integer :: i(4), o(4)
    i(:size(plan%input%extent)) = int(plan%input%extent)
    o(:size(plan%output%extent)) = int(plan%output%extent)
    select case (size(plan%input%extent))
    case (1)
      u1(1:i(1)) => u
      z1(1:o(1)) => z
      call plan%forward(u1, z1)
    case (2)
      u2(1:i(1), 1:i(2)) => u
      z2(1:o(1), 1:o(2)) => z
      call plan%forward(u2, z2)
    case (3)
      u3(1:i(1), 1:i(2), 1:i(3)) => u
      z3(1:o(1), 1:o(2), 1:o(3)) => z
      call plan%forward(u3, z3)
    case default
      u4(1:i(1), 1:i(2), 1:i(3), 1:i(4)) => u
      z4(1:o(1), 1:o(2), 1:o(3), 1:o(4)) => z
      call plan%forward(u4, z4)
    end select
  end subroutine

  !> A real field forward, beside the definition, and back.
  subroutine check_transform(communicator, shape, choices, active, input, output, scale)
    type(MPI_Comm), intent(in) :: communicator
    integer, intent(in) :: shape(:)
    character(*), intent(in) :: choices
    logical, intent(in) :: active(:)
    type(weft_layout), intent(in), optional :: input, output
    real(dp), intent(in), optional :: scale
    type(weft_plan) :: plan
    real(dp), allocatable, target :: u(:), back(:)
    complex(dp), allocatable, target :: z(:)
    integer(int64) :: x(size(shape))
    real(dp) :: error, factor
    character(120) :: what
    factor = 1
    if (present(scale)) factor = scale
    call plan%create(communicator, shape, choices, input, output)
    allocate (u(plan%input%allocated), back(plan%input%allocated), z(plan%output%allocated))
    u = 0
    back = huge(1.0_dp)
    z = huge(1.0_dp)
    call fill(plan%input, u)
    call forward_of_rank(plan, u, z)
    error = 0
    x = before(plan%output)
    do while (next(plan%output, x))
      error = max(error, abs(z(place(plan%output, x)) - factor*mode_at(index_of(plan%output, x), shape, active)))
    end do
    write (what, '(*(g0, " "))') shape, choices
    call check(error < 1.0e-12_dp*product(shape), 'modes of '//trim(what))
    call plan%backward(z, back)
    error = 0
    x = before(plan%input)
    do while (next(plan%input, x))
      error = max(error, abs(back(place(plan%input, x)) - value_at(index_of(plan%input, x))))
    end do
    call check(error < 1.0e-13_dp, 'back again of '//trim(what))
    call plan%drop()
  end subroutine

  subroutine transforms(communicator)
    type(MPI_Comm), intent(in) :: communicator
    logical, parameter :: all(4) = .true.
    call check_transform(communicator, [12], 'kind=r2c', all(:1))
    call check_transform(communicator, [7, 5], 'kind=r2c', all(:2))
    call check_transform(communicator, [8, 6, 5], 'kind=r2c', all(:3))
    call check_transform(communicator, [8, 6, 5], 'kind=r2c output=natural exchange=p2p', all(:3))
    call check_transform(communicator, [5, 4, 3, 2], 'kind=r2c decomposition=pencil', all)
    call check_transform(communicator, [1, 1, 7], 'kind=r2c', all(:3))
    call check_transform(communicator, [8, 6, 5], 'kinds=r2c,none,c2c', [.true., .false., .true.])
    call check_transform(communicator, [8, 6, 5], 'kind=r2c axes=1,3', [.true., .false., .true.])
    call check_transform(communicator, [8, 6, 5], 'kind=r2c axes=2', [.false., .true., .false.])
    call check_transform(communicator, [8, 6, 5], 'kinds=c2c,r2c,none', [.true., .true., .false.])
  end subroutine

  !> Other ones in each run; a message has their shapes and choices.
  subroutine random_transforms()
    real(dp) :: drawn(20)
    integer :: number
    call random_init(repeatable=.false., image_distinct=.false.)
    do number = 1, 20
      call random_number(drawn)
      call MPI_Bcast(drawn, size(drawn), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
      call random_transform(1 + int(4*drawn(1)), drawn(2:))
    end do
  end subroutine

  subroutine random_transform(axes, drawn)
    integer, intent(in) :: axes
    real(dp), intent(in) :: drawn(:)
    integer, parameter :: longest(4) = [17, 13, 8, 5]
    character(*), parameter :: norms(3) = ['backward', 'ortho   ', 'forward ']
    integer :: shape(axes), half(axes), norm, halved
    logical :: active(axes)
    character(80) :: choices
    real(dp) :: points, scales(3)
    type(weft_layout) :: in, out
    shape = 1 + int(longest(:axes)*drawn(1:axes))
    active = drawn(5:4 + axes) < 0.7_dp
    halved = 1 + int(axes*drawn(9))
    active(halved) = .true.
    points = product(real(shape, dp), mask=active)
    scales = [1.0_dp, 1/sqrt(points), 1/points]
    norm = 1 + int(3*drawn(10))
    write (choices, '(4a)') 'kinds=', kinds_of(active, halved), ' norm=', norms(norm)
    if (drawn(11) < 0.5_dp) choices = trim(choices)//' exchange=p2p'
    half = shape
    half(halved) = shape(halved)/2 + 1
    call in%slabs(shape, ranks, axis=1 + int(axes*drawn(12)))
    call in%pad(int(3*drawn(13:12 + axes)))
    call out%slabs(half, ranks, axis=1 + int(axes*drawn(17)))
    call check_transform(MPI_COMM_WORLD, shape, trim(choices), active, in, out, scales(norm))
    call in%drop()
    call out%drop()
  end subroutine

  pure function kinds_of(active, halved) result(text)
    logical, intent(in) :: active(:)
    integer, intent(in) :: halved
    character(:), allocatable :: text
    integer :: axis
    text = ''
    do axis = 1, size(active)
      if (axis > 1) text = text//','
      if (axis == halved) then
        text = text//'r2c'
      else
        text = text//merge('c2c ', 'none', active(axis))
      end if
      text = trim(text)
    end do
  end function

  !> The bounds of a plan cover the array once, in Fortran's order.
  subroutine bounds()
    type(weft_plan) :: plan
    integer(int64) :: count
    call plan%create(MPI_COMM_WORLD, [9, 4, 2*ranks], 'kind=r2c')
    call check(all(plan%input%lower(:2) == 1) .and. all(plan%input%upper(:2) == [9, 4]), 'the last axis is split')
    call check(plan%input%lower(3) == 2*rank + 1 .and. plan%input%upper(3) == 2*rank + 2, 'slabs')
    call check(all(plan%input%order == [1, 2, 3]) .and. all(plan%input%stride == [1, 9, 36]), 'the first is the fastest')
    call check(all(plan%input%extent == [9, 4, 2]), 'what to allocate')
    count = plan%output%elements
    call MPI_Allreduce(MPI_IN_PLACE, count, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
    call check(count == 5*4*2*ranks, 'r2c halves the first axis')
    call check(plan%in_place_bytes() >= 8*plan%input%allocated, 'in place')
    call check(plan%workspace_bytes() > 0, 'workspace')
    call check(index(plan%describe(), 'x4x9') > 0, 'describe: '//plan%describe())
    call check(index(plan%text(), 'kinds=r2c,c2c,c2c') > 0, 'text: '//plan%text())
    call plan%close()
  end subroutine

  subroutine layouts()
    type(weft_layout) :: in, out, of_plan
    type(weft_plan) :: plan
    type(weft_part) :: part
    logical, parameter :: all_axes(3) = .true.
    integer(int64) :: lower(3, 2), upper(3, 2)
    call in%slabs([8, 6, 5], ranks, axis=2)
    call in%pad([2, 0, 1])
    call out%slabs([5, 6, 5], ranks)
    call out%partition('blocks')
    call out%order([3, 1, 2])
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, in, out)
    call in%contiguous()
    call out%bricks([5, 6, 5], [1, ranks, 1])
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, in, out)
    call out%grid([5, 6, 5], [ranks], [1])
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, in, out)
    call in%slabs([8, 6, 5], (ranks + 1)/2)
    call in%spread(ranks)
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, in, out)
    call in%spread(ranks, 1)
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, in, out)
    call in%slabs([8, 6, ranks*ranks], ranks)
    call in%partition('cyclic')
    call out%slabs([5, 6, ranks*ranks], ranks)
    call out%partition('cyclic')
    call check_transform(MPI_COMM_WORLD, [8, 6, ranks*ranks], 'kind=r2c', all_axes, in, out)
    ! Slabs of the last axis from the last rank to the first, each in its own words.
    call in%slabs([8, 6, 5], ranks)
    call in%part(ranks - 1 - rank, part)
    call out%gathered(MPI_COMM_WORLD, [8, 6, 5], part%lower, part%upper)
    call check_transform(MPI_COMM_WORLD, [8, 6, 5], 'kind=r2c', all_axes, input=out)
    call in%pencils([8, 6, 5], [2, 3])
    call in%part(1, part)
    call check(all(part%lower == [1, 4, 1]) .and. all(part%upper == [8, 6, 1]), 'pencils: the first dimension is the fastest')
    call check(index(in%text(), 'grid 3x2x1') > 0, 'text: '//in%text())
    lower = reshape([1, 1, 1, 1, 1, 3], [3, 2])
    upper = reshape([8, 6, 2, 8, 6, 5], [3, 2])
    call in%boxes([8, 6, 5], lower, upper)
    call in%part(1, part)
    call check(all(part%lower == lower(:, 2)) .and. all(part%upper == upper(:, 2)), 'boxes')
    call in%slabs([8, 6, 5], ranks)
    call in%reshape([4, 4, 4])
    call in%strides([2, 10, 50])
    call in%part(0, part)
    call check(all(part%stride == [2, 10, 50]), 'strides')
    call plan%create(MPI_COMM_WORLD, [4, 4, 4], 'kind=c2c')
    call plan%layout(weft_input, of_plan)
    call of_plan%part(rank, part)
    call check(all(part%lower == plan%input%lower), 'the layout of a plan')
    call plan%drop()
    call in%drop()
    call out%drop()
    call of_plan%drop()
  end subroutine

  !> Several at a time, in flight, by address, and in the plan's own arrays.
  subroutine other_calls()
    type(weft_plan) :: plan
    type(weft_request) :: first, second
    complex(dp), allocatable, asynchronous, target :: a(:, :, :), b(:, :, :), fa(:, :, :), fb(:, :, :)
    complex(dp), allocatable :: expected(:, :, :)
    complex(dp), pointer :: own_in(:, :, :), own_out(:, :, :)
    type(c_ptr) :: p
    logical :: done
    integer(int64) :: i(3), o(3)
    call plan%create(MPI_COMM_WORLD%MPI_VAL, [6, 5, 8], 'kind=c2c fields=2 exchange=p2p')
    i = plan%input%extent
    o = plan%output%extent
    allocate (a(i(1), i(2), i(3)), b(0:i(1) - 1, -3:i(2) - 4, i(3)), fa(o(1), o(2), o(3)), fb(o(1), o(2), o(3)), &
      expected(o(1), o(2), o(3)))
    a = cmplx(rank + 1, 0.5, dp)
    b = cmplx(0.25, rank, dp)
    call plan%forward(a, expected)
    call plan%start_forward(a, fa, first)
    call plan%start_forward(b, fb, second, scale=0.5_dp)
    done = .false.
    do while (.not. done)
      call first%test(done)
    end do
    call second%wait()
    call check(all(fa == expected), 'in flight')
    call plan%forward(b, expected, scale=0.5_dp)
    call check(all(fb == expected), 'in flight, the second')
    call plan%start_backward(fb, b, second)
    call second%wait()
    call check(all(abs(2*b - cmplx(0.25, rank, dp)) < 1e-14_dp), 'back in flight')
    b = cmplx(0.25, rank, dp)
    fa = 0
    fb = 0
    call plan%run_fields(weft_forward, [c_loc(b), c_loc(a)], [c_loc(fb), c_loc(fa)], 0.5_dp)
    call check(all(fb == expected), 'several fields')
    call plan%own_array(weft_input, p)
    call c_f_pointer(p, own_in, i)
    call plan%own_array(weft_output, p)
    call c_f_pointer(p, own_out, o)
    own_in = b
    call plan%forward(own_in, own_out, 0.5_dp)
    call check(all(own_out == expected), 'own arrays')
    call plan%drop()
    call plan%drop()
  end subroutine

  !> Arrays in the memory of a device, which only the plan may touch.
  subroutine devices()
    type(weft_plan) :: plan, host
    complex(dp), allocatable, target :: u(:, :, :), found(:, :, :)
    complex(dp), allocatable :: expected(:, :, :)
    complex(dp), pointer :: own_in(:, :, :), own_out(:, :, :)
    type(c_ptr) :: first, last
    integer(int64) :: i(3), o(3)
    integer :: stat
    call host%create(MPI_COMM_WORLD, [8, 6, 5], 'kind=c2c output=natural')
    call plan%create(MPI_COMM_WORLD, [8, 6, 5], 'kind=c2c output=natural device=emulated-lazy')
    i = plan%input%extent
    o = plan%output%extent
    allocate (u(i(1), i(2), i(3)), found(o(1), o(2), o(3)), expected(o(1), o(2), o(3)))
    u = cmplx(0.25, rank, dp)
    if (size(u) > 0) u(1, 1, 1) = 3
    call host%forward(u, expected)
    call plan%own_array(weft_input, first)
    call plan%own_array(weft_output, last)
    call c_f_pointer(first, own_in, i)
    call c_f_pointer(last, own_out, o)
    call plan%copy(first, c_loc(u), 16*size(u, kind=int64))
    call plan%forward(own_in, own_out)
    call plan%synchronize()
    call plan%copy(c_loc(found), last, 16*size(found, kind=int64))
    call check(all(abs(found - expected) < 1e-11_dp), 'arrays of a device')
    call plan%set_stream(c_null_ptr, stat)
    call check(stat == weft_error_argument .and. index(weft_error(), 'no streams') > 0, 'a stream: '//weft_error())
    call plan%drop()
    call host%drop()
  end subroutine

  subroutine functions()
    type(weft_plan) :: plan
    type(scaling) :: doubling
    type(swapping) :: exchange
    real(dp), allocatable, target :: u(:, :, :), v(:, :, :), w(:, :, :), x(:, :, :), y(:, :, :), z(:, :, :)
    complex(dp), allocatable :: spectrum(:, :, :)
    real(dp), allocatable :: k(:), weights(:), energy(:)
    real(dp) :: mean, largest(3)
    complex(dp) :: total
    real(dp), parameter :: edges(3) = [2*pi, pi, 1.0_dp]
    integer(int64) :: i(3), o(3), a, b, c
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], 'kind=r2c fields=3')
    i = plan%input%extent
    o = plan%output%extent
    allocate (u(i(1), i(2), i(3)), spectrum(o(1), o(2), o(3)))
    allocate (v, w, x, y, z, mold=u)
    ! u = sin(x) cos(2 y), z does not matter: x = 2 pi (a - 1)/8, y = pi (b - 1)/6.
    do c = 1, i(3); do b = 1, i(2); do a = 1, i(1)
      u(a, b, c) = sin(2*pi*(plan%input%lower(1) + a - 2)/8)*cos(2*pi*(plan%input%lower(2) + b - 2)/6)
      v(a, b, c) = cos(2*pi*(plan%input%lower(1) + a - 2)/8)*sin(2*pi*(plan%input%lower(2) + b - 2)/6)
    end do; end do; end do
    doubling%factor = 2
    call plan%apply(u, w, doubling)
    call check(all(abs(w - 2*u) < 1e-14_dp), 'apply')
    largest = doubling%largest
    call MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call check(all(largest == [4, 3, 2]), 'wavenumbers by axis, in lines')
    call plan%apply_fields([c_loc(u), c_loc(v)], [c_loc(w), c_loc(x)], exchange)
    call check(all(abs(w - v) < 1e-14_dp) .and. all(abs(x - u) < 1e-14_dp) .and. exchange%lines > 0, &
      'functions of several fields')
    call plan%apply_operator('derivative 2', edges, [c_loc(v)], [c_loc(w)])
    do c = 1, i(3); do b = 1, i(2); do a = 1, i(1)
      x(a, b, c) = 2*cos(2*pi*(plan%input%lower(1) + a - 2)/8)*cos(2*pi*(plan%input%lower(2) + b - 2)/6)
    end do; end do; end do
    call check(all(abs(w - x) < 1e-13_dp), 'derivative')
    ! curl (u, v, 0) = (0, 0, dv/dx - du/dy) = sin x sin 2y (-1 + 2)
    z = 0
    call plan%apply_operator('curl', edges, [c_loc(u), c_loc(v), c_loc(z)], [c_loc(w), c_loc(x), c_loc(y)])
    do c = 1, i(3); do b = 1, i(2); do a = 1, i(1)
      z(a, b, c) = sin(2*pi*(plan%input%lower(1) + a - 2)/8)*sin(2*pi*(plan%input%lower(2) + b - 2)/6)
    end do; end do; end do
    call check(all(abs(w) < 1e-13_dp) .and. all(abs(x) < 1e-13_dp) .and. all(abs(y - z) < 1e-13_dp), 'curl')
    call plan%apply_operator('gradient', edges, [c_loc(u)], [c_loc(w), c_loc(x), c_loc(y)])
    call check(all(abs(x + 2*z) < 1e-13_dp) .and. all(abs(y) < 1e-13_dp), 'gradient')
    call plan%forward(u, spectrum)
    call plan%mean_square(weft_input, u, mean)
    call check(abs(mean - 0.25_dp) < 1e-14_dp, 'mean square')
    call plan%mean_square(weft_output, spectrum, mean)
    call check(abs(mean - 0.25_dp) < 1e-14_dp, 'mean square of a spectrum')
    call plan%global_sum(weft_input, u, total)
    call check(abs(total) < 1e-13_dp, 'global sum')
    call plan%energy_by_shell(spectrum, energy)
    call check(abs(sum(energy) - 0.125_dp) < 1e-14_dp .and. abs(energy(2) - 0.125_dp) < 1e-14_dp, 'energy by shell')
    call plan%wavenumbers(1, k, weights)
    call check(size(k) == max(0_int64, plan%output%upper(1) - plan%output%lower(1) + 1), 'as many wavenumbers as modes')
    if (size(k) > 0) call check(all(k == [(real(a - 1, dp), a=plan%output%lower(1), plan%output%upper(1))]), &
      'wavenumbers of the halved axis')
    call plan%wavenumbers(2, k, lengths=edges)
    if (size(k) > 0 .and. plan%output%lower(2) == 1 .and. size(k) > 1) call check(abs(k(2) - 2) < 1e-14_dp, 'angular')
    call plan%drop()
  end subroutine

  !> The plane that holds two modes, through addresses.
  subroutine packed()
    type(weft_plan) :: plan
    integer(int64), allocatable :: lower(:), upper(:)
    complex(dp), allocatable, target :: z(:), mean(:), nyquist(:), old(:)
    integer(int64) :: count
    call plan%create(MPI_COMM_WORLD, [8, 6, 4], 'kind=r2c_packed')
    call plan%packed_plane(lower, upper)
    count = product(max(0_int64, upper - lower + 1))
    allocate (z(max(1_int64, plan%output%allocated)), mean(max(1_int64, count)), nyquist(max(1_int64, count)))
    z = cmplx(1, 2, dp)
    old = z
    call plan%unpack_plane(c_loc(z), c_loc(mean), c_loc(nyquist))
    call check(count == 0 .or. all(abs(mean(:count) - 1) < 1e-14_dp), 'the mean''s plane')
    call check(count == 0 .or. all(abs(nyquist(:count) - 2) < 1e-14_dp), 'the other plane')
    call plan%pack_plane(c_loc(mean), c_loc(nyquist), c_loc(z))
    call check(all(abs(z - old) < 1e-14_dp), 'packed again')
    call plan%drop()
  end subroutine

  !> Mistakes are messages, and leave a plan as it was.
  subroutine messages()
    type(weft_plan) :: plan
    type(weft_layout) :: layout
    complex(dp) :: z(6, 5, 8), f(6, 5, 8)
    real(dp) :: u(6, 5, 8)
    character(400) :: sentence
    integer :: stat
    sentence = ''
    call plan%create(MPI_COMM_WORLD, [8, 8], 'kind=c3c', errmsg=sentence)
    call check(index(sentence, 'c3c') > 0 .and. index(sentence, '`c2c`') > 0, 'errmsg: '//trim(sentence))
    call plan%create(MPI_COMM_NULL, [8, 8], 'kind=c2c', stat=stat)
    sentence = weft_error()
    call check(stat == weft_error_argument .and. index(sentence, 'communicator') > 0, 'no communicator')
    call plan%create(MPI_COMM_WORLD, [6, 5, 8], 'kind=c2c axes=4', stat=stat, errmsg=sentence)
    call check(stat == weft_error_argument .and. index(sentence, '1 to 3') > 0, 'axes: '//trim(sentence))
    call plan%forward(z, f, stat=stat, errmsg=sentence)
    call check(stat == weft_error_argument .and. index(sentence, 'plan') > 0, 'no plan: '//trim(sentence))
    call plan%create(MPI_COMM_WORLD, [6, 5, 8], 'kind=c2c check_calls=1', stat=stat, errmsg=sentence)
    call check(stat == weft_success, 'a plan')
    z = 1
    u = 1
    call plan%forward(u, f, stat=stat, errmsg=sentence)
    call check(stat == weft_error_argument .and. index(sentence, 'complex') > 0, 'real for complex: '//trim(sentence))
    call plan%forward(z(:, :, :1), f, stat=stat, errmsg=sentence)
    call check(stat == weft_error_argument .and. index(sentence, '30 elements') > 0, 'too small: '//trim(sentence))
    call plan%forward(z(::2, :, :), f, stat=stat, errmsg=sentence)
    call check(stat == weft_error_argument .and. index(sentence, 'not contiguous') > 0, 'gaps: '//trim(sentence))
    call plan%forward(z, f, stat=stat)
    call check(stat == weft_success, 'the plan goes on: '//weft_error())
    call plan%apply_operator('nabla', [1.0_dp, 1.0_dp, 1.0_dp], [c_null_ptr], [c_null_ptr], stat, sentence)
    call check(stat == weft_error_argument .and. index(sentence, 'laplacian') > 0, 'operator: '//trim(sentence))
    call plan%drop()
    call layout%slabs([8, 8, 8], ranks, axis=4, stat=stat)
    call check(stat == weft_error_argument, 'no such axis')
    call layout%pencils([8, 8, 8], [1, 1], local_axis=4, stat=stat)
    call check(stat == weft_error_argument, 'no such local axis')
    call layout%slabs([8, 8, 8], ranks)
    call layout%order([1, 2], stat=stat)
    call check(stat == weft_error_argument, 'two of three axes')
    call layout%drop()
    call layout%contiguous(stat)
    call check(stat == weft_error_argument, 'no layout')
    call weft_tune(MPI_COMM_WORLD, [6, 5, 8], 'kind=c2c', 0.01_dp, stat=stat)
    call check(stat == weft_success, 'tuning: '//weft_error())
    call check(index(weft_version(), '.') > 0, 'version')
  end subroutine
end module
