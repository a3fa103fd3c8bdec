! Weft for Fortran: plans, layouts and transforms in flight as objects, with Fortran's conventions.
!
! Shapes, axes, orders and bounds are those of Fortran: the first axis is the fastest in memory and has
! the number 1, bounds are inclusive, and an r2c transform halves the first of its axes. Each procedure has
! the optional arguments `stat` (0, or a weft_error_... number) and `errmsg` (the sentence); with neither, a
! mistake prints the sentence and stops the program. Communicators are integers or type(MPI_Comm).
!
! The module is a thin layer on weft.h, which says more about each call. It is compiled by every compiler
! for itself, since .mod files fit only one.
module weft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  implicit none
  private

  integer(c_int), parameter, public :: weft_success = 0         !< the status of a call without a mistake
  integer(c_int), parameter, public :: weft_error_argument = 1  !< a mistake of the caller
  integer(c_int), parameter, public :: weft_error_mpi = 2       !< from MPI
  integer(c_int), parameter, public :: weft_error_memory = 3    !< too little memory
  integer(c_int), parameter, public :: weft_error_data = 4      !< a result that does not certify
  integer(c_int), parameter, public :: weft_error_internal = 5  !< a defect of Weft, or an error in a function of the caller
  integer(c_int), parameter, public :: weft_forward = 0         !< the direction from input to output
  integer(c_int), parameter, public :: weft_backward = 1        !< the direction from output to input
  integer(c_int), parameter, public :: weft_input = 0           !< the end of a plan where forward begins
  integer(c_int), parameter, public :: weft_output = 1          !< the end of a plan where forward ends

  integer, parameter :: max_axes = 6

  public :: weft_plan, weft_layout, weft_request, weft_part, weft_function, weft_line
  public :: weft_error, weft_version, weft_tune

  !> What a rank holds of an array, and where it lies in memory.
  type :: weft_part
    integer(int64), allocatable :: lower(:)   !< the first index along each axis
    integer(int64), allocatable :: upper(:)   !< the last one; less than `lower` where there is none
    integer, allocatable :: order(:)          !< the axes from the fastest to the slowest in memory
    integer(int64), allocatable :: stride(:)  !< elements between neighbours along each axis
    integer(int64), allocatable :: extent(:)  !< the lengths in the order of memory, padding included: what to allocate
    integer(int64) :: elements = 0            !< how many are held
    integer(int64) :: allocated = 0           !< elements of memory that they take, gaps included
  end type

  !> How a global array is spread over ranks. Procedures that make one replace what was there.
  type :: weft_layout
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: axes = 0
  contains
    procedure :: slabs => layout_slabs
    procedure :: pencils => layout_pencils
    procedure :: bricks => layout_bricks
    procedure :: grid => layout_grid
    procedure :: boxes => layout_boxes
    procedure :: gathered => layout_gathered
    procedure :: partition => layout_partition
    procedure :: order => layout_order
    procedure :: reshape => layout_reshape
    procedure :: pad => layout_pad
    procedure :: strides => layout_strides
    procedure :: contiguous => layout_contiguous
    procedure :: part => layout_part
    procedure :: text => layout_text
    procedure :: drop => layout_drop
  end type

  !> A distributed transform. `input` and `output` say what this rank holds of its arrays.
  type :: weft_plan
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_ptr) :: own(0:1) = c_null_ptr  ! arrays of the plan
    integer :: axes = 0
    type(weft_part), public :: input
    type(weft_part), public :: output
  contains
    procedure :: create => plan_create
    procedure :: close => plan_close
    procedure :: drop => plan_drop
    procedure :: layout => plan_layout
    procedure :: in_place_bytes => plan_in_place_bytes
    procedure :: workspace_bytes => plan_workspace_bytes
    procedure :: describe => plan_describe
    procedure :: text => plan_text
    procedure :: own_array => plan_own_array
    procedure :: forward => plan_forward
    procedure :: backward => plan_backward
    procedure :: run_fields => plan_run_fields
    procedure :: start_forward => plan_start_forward
    procedure :: start_backward => plan_start_backward
    procedure :: apply => plan_apply
    procedure :: apply_fields => plan_apply_fields
    procedure :: apply_operator => plan_apply_operator
    procedure :: wavenumbers => plan_wavenumbers
    procedure :: mean_square => plan_mean_square
    procedure :: global_sum => plan_global_sum
    procedure :: energy_by_shell => plan_energy_by_shell
    procedure :: packed_plane => plan_packed_plane
    procedure :: unpack_plane => plan_unpack_plane
    procedure :: pack_plane => plan_pack_plane
  end type

  !> A transform in flight.
  type :: weft_request
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: test => request_test
    procedure :: wait => request_wait
  end type

  !> Consecutive modes along one axis, of one field or several: c_f_pointer(line%values(f), z, [line%count])
  !> makes them an array.
  type :: weft_line
    type(c_ptr), pointer :: values(:) => null()        !< by field
    integer(int64) :: count = 0                        !< modes of each
    integer :: axis = 0                                !< along which they lie
    real(real64), pointer :: wavenumbers(:) => null()  !< of the values
    real(real64) :: at(max_axes) = 0                   !< those of all other axes, by axis
  end type

  !> A function of the spectrum, with the caller's data: extend it. Several threads call it at once where
  !> the plan has several.
  type, abstract :: weft_function
  contains
    procedure(change_line), deferred :: change
  end type

  abstract interface
    !> Changes the modes of a line in place.
    subroutine change_line(self, line)
      import :: weft_function, weft_line
      class(weft_function), intent(inout) :: self
      type(weft_line), intent(in) :: line
    end subroutine
  end interface

  ! What C calls with: the function, and how many axes there are.
  type :: caller
    class(weft_function), pointer :: function => null()
    integer :: axes = 0
  end type

  ! The structures of weft.h.
  type, bind(c) :: c_box
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: lower(max_axes) = 0, upper(max_axes) = 0
  end type
  type, bind(c) :: c_part
    type(c_box) :: box
    integer(c_int) :: order(max_axes) = 0
    integer(c_int64_t) :: stride(max_axes) = 0, elements = 0, allocated = 0
  end type
  type, bind(c) :: c_sizes
    integer(c_size_t) :: input = 0, output = 0, in_place = 0, workspace = 0
  end type
  type, bind(c) :: c_element
    integer(c_int) :: is_real = 0
    integer(c_size_t) :: bytes = 0
  end type
  type, bind(c) :: c_line
    type(c_ptr) :: values
    integer(c_int64_t) :: count
    integer(c_int) :: axis
    type(c_ptr) :: wavenumbers, at
  end type
  type, bind(c) :: c_lines
    type(c_ptr) :: values
    integer(c_int) :: fields
    integer(c_int64_t) :: count
    integer(c_int) :: axis
    type(c_ptr) :: wavenumbers, at
  end type
  ! An array as weft_fortran_run and weft_fortran_start take it.
  type, bind(c) :: c_array
    type(c_ptr) :: first = c_null_ptr
    integer(c_int64_t) :: size = 0
    integer(c_size_t) :: element_bytes = 0
  end type

  interface
    integer(c_int) function c_layout_slabs(axes, shape, ranks, axis, layout) bind(c, name="weft_layout_slabs")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), value :: ranks
      integer(c_int), value :: axis
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_pencils(axes, shape, grid, local_axis, layout) &
      bind(c, name="weft_layout_pencils")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), intent(in) :: grid(*)
      integer(c_int), value :: local_axis
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_bricks(axes, shape, grid, layout) bind(c, name="weft_layout_bricks")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), intent(in) :: grid(*)
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_grid(axes, shape, dimensions, grid, split, layout) &
      bind(c, name="weft_layout_grid")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), value :: dimensions
      integer(c_int), intent(in) :: grid(*)
      integer(c_int), intent(in) :: split(*)
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_boxes(axes, shape, ranks, boxes, layout) &
      bind(c, name="weft_layout_boxes")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), value :: ranks
      type(c_box), intent(in) :: boxes(*)
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_gathered(communicator, axes, shape, mine, layout) &
      bind(c, name="weft_fortran_layout_gathered")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_box), intent(in) :: mine
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_partition(layout, rule) bind(c, name="weft_layout_partition")
      import
      type(c_ptr), value :: layout
      character(kind=c_char), intent(in) :: rule(*)
    end function
    integer(c_int) function c_layout_order(layout, order) bind(c, name="weft_layout_order")
      import
      type(c_ptr), value :: layout
      integer(c_int), intent(in) :: order(*)
    end function
    integer(c_int) function c_layout_reshape(layout, axes, shape) bind(c, name="weft_layout_reshape")
      import
      type(c_ptr), value :: layout
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
    end function
    integer(c_int) function c_layout_pad(layout, extra) bind(c, name="weft_layout_pad")
      import
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(in) :: extra(*)
    end function
    integer(c_int) function c_layout_strides(layout, strides) bind(c, name="weft_layout_strides")
      import
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(in) :: strides(*)
    end function
    integer(c_int) function c_layout_contiguous(layout) bind(c, name="weft_layout_contiguous")
      import
      type(c_ptr), value :: layout
    end function
    integer(c_int) function c_layout_part(layout, rank, part) bind(c, name="weft_layout_part")
      import
      type(c_ptr), value :: layout
      integer(c_int), value :: rank
      type(c_part), intent(out) :: part
    end function
    integer(c_int) function c_layout_text(layout, buffer, size, length) bind(c, name="weft_layout_text")
      import
      type(c_ptr), value :: layout
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out) :: length
    end function
    integer(c_int) function c_plan_create(communicator, axes, shape, text, input, output, plan) &
      bind(c, name="weft_fortran_plan_create")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: input
      type(c_ptr), value :: output
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function c_tune(communicator, axes, shape, text, input, output, seconds) &
      bind(c, name="weft_fortran_tune")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: input
      type(c_ptr), value :: output
      real(c_double), value :: seconds
    end function
    integer(c_int) function c_plan_close(plan) bind(c, name="weft_plan_close")
      import
      type(c_ptr), intent(inout) :: plan
    end function
    integer(c_int) function c_plan_part(plan, side, part) bind(c, name="weft_plan_part")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_part), intent(out) :: part
    end function
    integer(c_int) function c_plan_layout(plan, side, layout) bind(c, name="weft_plan_layout")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_plan_element(plan, side, element) bind(c, name="weft_plan_element")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_element), intent(out) :: element
    end function
    integer(c_int) function c_plan_sizes(plan, sizes) bind(c, name="weft_plan_sizes")
      import
      type(c_ptr), value :: plan
      type(c_sizes), intent(out) :: sizes
    end function
    integer(c_int) function c_plan_text(plan, buffer, size, length) bind(c, name="weft_plan_text")
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out) :: length
    end function
    integer(c_int) function c_describe(plan, buffer, size, length) bind(c, name="weft_describe")
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out) :: length
    end function
    integer(c_int) function c_array_own(plan, side, array) bind(c, name="weft_array_own")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), intent(inout) :: array
    end function
    integer(c_int) function c_run(plan, direction, in, out, scale) bind(c, name="weft_fortran_run")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_array), intent(in) :: in
      type(c_array), intent(in) :: out
      real(c_double), value :: scale
    end function
    integer(c_int) function c_run_fields(plan, direction, fields, in, out, scale) bind(c, name="weft_run")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      integer(c_int), value :: fields
      type(c_ptr), intent(in) :: in(*)
      type(c_ptr), intent(in) :: out(*)
      real(c_double), value :: scale
    end function
    integer(c_int) function c_start(plan, direction, in, out, scale, request) &
      bind(c, name="weft_fortran_start")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_array), intent(in) :: in
      type(c_array), intent(in) :: out
      real(c_double), value :: scale
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function c_test(request, done) bind(c, name="weft_test")
      import
      type(c_ptr), intent(inout) :: request
      integer(c_int), intent(out) :: done
    end function
    integer(c_int) function c_wait(request) bind(c, name="weft_wait")
      import
      type(c_ptr), intent(inout) :: request
    end function
    integer(c_int) function c_apply(plan, in, out, function, user) bind(c, name="weft_apply")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      type(c_funptr), value :: function
      type(c_ptr), value :: user
    end function
    integer(c_int) function c_apply_fields(plan, inputs, in, outputs, out, function, user) &
      bind(c, name="weft_apply_fields")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: inputs
      type(c_ptr), intent(in) :: in(*)
      integer(c_int), value :: outputs
      type(c_ptr), intent(in) :: out(*)
      type(c_funptr), value :: function
      type(c_ptr), value :: user
    end function
    integer(c_int) function c_apply_operator(plan, name, lengths, inputs, in, outputs, out) &
      bind(c, name="weft_fortran_apply_operator")
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(in) :: lengths(*)
      integer(c_int), value :: inputs
      type(c_ptr), intent(in) :: in(*)
      integer(c_int), value :: outputs
      type(c_ptr), intent(in) :: out(*)
    end function
    integer(c_int) function c_wavenumbers(plan, axis, lengths, wavenumbers, weights) &
      bind(c, name="weft_wavenumbers")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: axis
      type(c_ptr), value :: lengths
      real(c_double), intent(out) :: wavenumbers(*)
      real(c_double), intent(out) :: weights(*)
    end function
    integer(c_int) function c_mean_square(plan, side, array, mean) bind(c, name="weft_mean_square")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: array
      real(c_double), intent(out) :: mean
    end function
    integer(c_int) function c_global_sum(plan, side, array, sum) bind(c, name="weft_global_sum")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: array
      real(c_double), intent(out) :: sum(*)
    end function
    integer(c_int) function c_energy_by_shell(plan, spectrum, lengths, size, energy, shells) &
      bind(c, name="weft_energy_by_shell")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: spectrum
      type(c_ptr), value :: lengths
      integer(c_int64_t), value :: size
      real(c_double), intent(out) :: energy(*)
      integer(c_int64_t), intent(out) :: shells
    end function
    integer(c_int) function c_packed_plane(plan, box) bind(c, name="weft_packed_plane")
      import
      type(c_ptr), value :: plan
      type(c_box), intent(out) :: box
    end function
    integer(c_int) function c_unpack_plane(plan, spectrum, mean, nyquist) bind(c, name="weft_unpack_plane")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: spectrum
      type(c_ptr), value :: mean
      type(c_ptr), value :: nyquist
    end function
    integer(c_int) function c_pack_plane(plan, mean, nyquist, spectrum) bind(c, name="weft_pack_plane")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: mean
      type(c_ptr), value :: nyquist
      type(c_ptr), value :: spectrum
    end function
    subroutine c_layout_drop(layout) bind(c, name="weft_layout_drop")
      import
      type(c_ptr), intent(inout) :: layout
    end subroutine
    subroutine c_plan_drop(plan) bind(c, name="weft_plan_drop")
      import
      type(c_ptr), intent(inout) :: plan
    end subroutine
    subroutine c_array_drop(array) bind(c, name="weft_array_drop")
      import
      type(c_ptr), intent(inout) :: array
    end subroutine
    type(c_ptr) function c_array_data(array) bind(c, name="weft_array_data")
      import
      type(c_ptr), value :: array
    end function
    type(c_ptr) function c_error() bind(c, name="weft_error")
      import
    end function
    type(c_ptr) function c_version() bind(c, name="weft_version")
      import
    end function
    integer(c_size_t) function c_element_bytes(array) bind(c, name="weft_fortran_element_bytes")
      import
      type(*), dimension(..), asynchronous, intent(in) :: array
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import
      type(c_ptr), value :: text
    end function
  end interface

contains

  ! ---- Messages ------------------------------------------------------------------------------------

  !> The sentence of the last call that failed.
  function weft_error() result(text)
    character(:), allocatable :: text
    text = from_c(c_error())
  end function

  !> The version of the library that runs.
  function weft_version() result(text)
    character(:), allocatable :: text
    text = from_c(c_version())
  end function

  !> Tells the caller, who may not want to know.
  subroutine report(status, stat, errmsg)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (present(stat)) stat = int(status)
    if (status == weft_success) return
    if (present(errmsg)) errmsg = weft_error()
    if (present(stat) .or. present(errmsg)) return
    write (error_unit, '(2a)') 'weft: ', weft_error()
    error stop 1
  end subroutine

  function from_c(c_text) result(text)
    type(c_ptr), intent(in) :: c_text
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(c_text, letters, [c_strlen(c_text)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  function joined(letters) result(text)
    character(kind=c_char), intent(in) :: letters(:)
    character(size(letters) - 1) :: text
    integer :: i
    do i = 1, len(text)
      text(i:i) = letters(i)
    end do
  end function

  pure function to_c(text) result(c_text)
    character(*), intent(in) :: text
    character(len_trim(text) + 1, c_char) :: c_text
    c_text = trim(text)//c_null_char
  end function

  ! ---- Conversions ---------------------------------------------------------------------------------

  pure function reversed(values) result(turned)
    integer, intent(in) :: values(:)
    integer(c_int64_t) :: turned(size(values))
    turned = int(values(size(values):1:-1), c_int64_t)
  end function

  pure function reversed_counts(values) result(turned)
    integer, intent(in) :: values(:)
    integer(c_int) :: turned(size(values))
    turned = int(values(size(values):1:-1), c_int)
  end function

  !> The number of an axis in C, where negative numbers count from the end: what is no axis here is none there.
  elemental function c_axis(axes, axis) result(number)
    integer, intent(in) :: axes, axis
    integer(c_int) :: number
    number = int(axes, c_int)
    if (axis >= 1 .and. axis <= axes) number = int(axes - axis, c_int)
  end function

  pure function to_part(from) result(part)
    type(c_part), intent(in) :: from
    type(weft_part) :: part
    integer(int64) :: extent(from%box%axes)
    integer :: n, i
    n = from%box%axes
    allocate (part%lower, source=from%box%lower(n:1:-1) + 1)
    allocate (part%upper, source=from%box%upper(n:1:-1))
    allocate (part%stride, source=from%stride(n:1:-1))
    allocate (part%order, source=n - from%order(n:1:-1))
    extent = max(0_int64, part%upper - part%lower + 1)
    extent = extent(part%order)
    if (from%elements > 0) then  ! rows may be padded
      do i = 1, n - 1
        extent(i) = max(extent(i), part%stride(part%order(i + 1))/part%stride(part%order(i)))
      end do
    end if
    allocate (part%extent, source=extent)
    part%elements = from%elements
    part%allocated = from%allocated
  end function

  function to_box(lower, upper) result(box)
    integer(int64), intent(in) :: lower(:), upper(:)
    type(c_box) :: box
    integer :: n
    n = min(size(lower), size(upper), max_axes)
    box%axes = n
    box%lower(:n) = lower(n:1:-1) - 1
    box%upper(:n) = upper(n:1:-1)
  end function

  !> What C needs to know of an array. It looks only at the memory: no copies are made here.
  function described(array) result(it)
    type(*), dimension(..), target, asynchronous, intent(in) :: array
    type(c_array) :: it
    it%size = size(array, kind=c_int64_t)
    it%element_bytes = c_element_bytes(array)
    if (it%size > 0) it%first = c_loc(array)
    if (.not. is_contiguous(array)) it%size = -1
  end function

  !> The first element of an array at that end of a plan; null where the array cannot be one, which C
  !> reports on all ranks.
  function first_of(self, side, array) result(first)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(*), dimension(..), target, intent(in) :: array
    type(c_ptr) :: first
    type(c_array) :: it
    type(c_element) :: element
    type(c_part) :: part
    first = c_null_ptr
    it = described(array)
    if (c_plan_element(self%handle, side, element) /= weft_success) return
    if (c_plan_part(self%handle, side, part) /= weft_success) return
    if (it%element_bytes == element%bytes .and. it%size >= part%allocated) first = it%first
  end function

  ! ---- Layouts -------------------------------------------------------------------------------------

  !> One axis (the last, unless given) is split over all ranks.
  subroutine layout_slabs(self, shape, ranks, axis, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: split
    split = size(shape)
    if (present(axis)) split = axis
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_slabs(size(shape), reversed(shape), ranks, c_axis(size(shape), split), self%handle), &
      stat, errmsg)
  end subroutine

  !> Of the axes other than `local_axis` (the first, unless given), the last but one is split in grid(1), the
  !> last in grid(2). Ranks are numbered with the first dimension of the grid the fastest.
  subroutine layout_pencils(self, shape, grid, local_axis, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(2)
    integer, intent(in), optional :: local_axis
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: local
    local = 1
    if (present(local_axis)) local = local_axis
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_pencils(size(shape), reversed(shape), reversed_counts(grid), c_axis(size(shape), local), &
      self%handle), stat, errmsg)
  end subroutine

  !> Axis a is split in grid(a); ranks are numbered with the first axis the fastest.
  subroutine layout_bricks(self, shape, grid, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: counts(size(shape))
    counts = 0
    counts(:min(size(shape), size(grid))) = int(grid(:min(size(shape), size(grid))), c_int)
    counts = counts(size(shape):1:-1)
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_bricks(size(shape), reversed(shape), counts, self%handle), stat, errmsg)
  end subroutine

  !> A process grid whose dimension d splits axis split(d) in grid(d); the first dimension varies the fastest
  !> from rank to rank. Where several split one axis, the last is the coarsest.
  subroutine layout_grid(self, shape, grid, split, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:), split(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: dimensions
    dimensions = min(size(grid), size(split))
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_grid(size(shape), reversed(shape), dimensions, reversed_counts(grid(:dimensions)), &
      c_axis(size(shape), split(dimensions:1:-1)), self%handle), stat, errmsg)
  end subroutine

  !> The caller's own boxes: rank r has those from lower(:, r + 1) to upper(:, r + 1).
  subroutine layout_boxes(self, shape, lower, upper, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer(int64), intent(in) :: lower(:, :), upper(:, :)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_box) :: boxes(size(lower, 2))
    integer :: rank
    do rank = 1, size(boxes)
      boxes(rank) = to_box(lower(:, rank), upper(:, rank))
    end do
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_boxes(size(shape), reversed(shape), size(boxes), boxes, self%handle), stat, errmsg)
  end subroutine

  !> The same where each rank knows only its own box. Collective.
  subroutine layout_gathered(self, communicator, shape, lower, upper, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    type(*), intent(in) :: communicator
    integer, intent(in) :: shape(:)
    integer(int64), intent(in) :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%drop()
    self%axes = size(shape)
    call report(c_layout_gathered(communicator, size(shape), reversed(shape), to_box(lower, upper), self%handle), &
      stat, errmsg)
  end subroutine

  !> Cuts axes by another rule: 'balanced', 'blocks' or 'longer_first'.
  subroutine layout_partition(self, rule, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    character(*), intent(in) :: rule
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_partition(self%handle, to_c(rule)), stat, errmsg)
  end subroutine

  !> Stores elements in another order: the axes from the fastest to the slowest.
  subroutine layout_order(self, order, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: full(self%axes)
    full = self%axes - per_axis(self, order)
    full = full(self%axes:1:-1)
    call report(c_layout_order(self%handle, full), stat, errmsg)
  end subroutine

  !> As many numbers as the layout has axes; 0 for those that are not given.
  function per_axis(self, values) result(full)
    class(weft_layout), intent(in) :: self
    integer, intent(in) :: values(:)
    integer :: full(self%axes)
    integer :: n
    n = min(self%axes, size(values))
    full = 0
    full(:n) = values(:n)
  end function

  !> Splits another shape in the same way.
  subroutine layout_reshape(self, shape, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_reshape(self%handle, size(shape), reversed(shape)), stat, errmsg)
  end subroutine

  !> Leaves room for `extra` elements more along each axis of every rank's array.
  subroutine layout_pad(self, extra, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: extra(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_pad(self%handle, reversed(per_axis(self, extra))), stat, errmsg)
  end subroutine

  !> Sets this rank's own strides, in elements.
  subroutine layout_strides(self, strides, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: strides(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_strides(self%handle, reversed(per_axis(self, strides))), stat, errmsg)
  end subroutine

  !> Takes padding and strides away.
  subroutine layout_contiguous(self, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_contiguous(self%handle), stat, errmsg)
  end subroutine

  !> What a rank (from 0) holds.
  subroutine layout_part(self, rank, part, stat, errmsg)
    class(weft_layout), intent(in) :: self
    integer, intent(in) :: rank
    type(weft_part), intent(out) :: part
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_part) :: own
    integer(c_int) :: status
    status = c_layout_part(self%handle, rank, own)
    if (status == weft_success) part = to_part(own)
    call report(status, stat, errmsg)
  end subroutine

  !> The layout in one line, for people; its axes are counted as in C. Empty where there is none.
  function layout_text(self) result(text)
    class(weft_layout), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char) :: none(1)
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length, again
    text = ''
    if (c_layout_text(self%handle, none, 0_c_size_t, length) /= weft_success) return
    allocate (buffer(length + 1))
    if (c_layout_text(self%handle, buffer, length + 1, again) == weft_success) text = joined(buffer)
  end function

  !> Not collective.
  subroutine layout_drop(self)
    class(weft_layout), intent(inout) :: self
    call c_layout_drop(self%handle)
  end subroutine

  ! ---- Plans ---------------------------------------------------------------------------------------

  !> A plan for a global array of that shape; `choices` say what to compute and how:
  !> 'kind=r2c norm=ortho precision=double exchange=auto'. Settings with an entry for each axis have them in
  !> Fortran's order. Layouts that are not given are the plan's choice. Collective.
  subroutine plan_create(self, communicator, shape, choices, input, output, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    type(*), intent(in) :: communicator
    integer, intent(in) :: shape(:)
    character(*), intent(in) :: choices
    type(weft_layout), intent(in), optional :: input, output
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: in, out
    integer(c_int) :: status
    in = c_null_ptr
    out = c_null_ptr
    if (present(input)) in = input%handle
    if (present(output)) out = output%handle
    call self%drop()
    self%axes = size(shape)
    status = c_plan_create(communicator, size(shape), int(shape, c_int64_t), to_c(choices), in, out, self%handle)
    if (status == weft_success) then
      self%input = part_at(self, weft_input)
      self%output = part_at(self, weft_output)
    end if
    call report(status, stat, errmsg)
  end subroutine

  function part_at(self, side) result(part)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(weft_part) :: part
    type(c_part) :: own
    if (c_plan_part(self%handle, side, own) == weft_success) part = to_part(own)
  end function

  !> Collective: drops the plan and frees at once what all ranks have dropped.
  subroutine plan_close(self, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call drop_own_arrays(self)
    call report(c_plan_close(self%handle), stat, errmsg)
  end subroutine

  !> Not collective, and harmless after MPI_Finalize.
  subroutine plan_drop(self)
    class(weft_plan), intent(inout) :: self
    call drop_own_arrays(self)
    call c_plan_drop(self%handle)
  end subroutine

  subroutine drop_own_arrays(self)
    class(weft_plan), intent(inout) :: self
    call c_array_drop(self%own(weft_input))
    call c_array_drop(self%own(weft_output))
  end subroutine

  !> The layout at one end.
  subroutine plan_layout(self, side, layout, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(weft_layout), intent(inout) :: layout
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call layout%drop()
    layout%axes = self%axes
    call report(c_plan_layout(self%handle, side, layout%handle), stat, errmsg)
  end subroutine

  !> The bytes that an array for transforms in place needs on this rank; 0 where there is no plan.
  function plan_in_place_bytes(self) result(bytes)
    class(weft_plan), intent(in) :: self
    integer(int64) :: bytes
    type(c_sizes) :: sizes
    bytes = 0
    if (c_plan_sizes(self%handle, sizes) == weft_success) bytes = sizes%in_place
  end function

  !> The bytes that the plan holds besides arrays; 0 where there is no plan.
  function plan_workspace_bytes(self) result(bytes)
    class(weft_plan), intent(in) :: self
    integer(int64) :: bytes
    type(c_sizes) :: sizes
    bytes = 0
    if (c_plan_sizes(self%handle, sizes) == weft_success) bytes = sizes%workspace
  end function

  !> Passes, exchanges, bytes, messages and memory, for people; axes are counted as in C. Empty where there is
  !> no plan.
  function plan_describe(self) result(text)
    class(weft_plan), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char) :: none(1)
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length, again
    text = ''
    if (c_describe(self%handle, none, 0_c_size_t, length) /= weft_success) return
    allocate (buffer(length + 1))
    if (c_describe(self%handle, buffer, length + 1, again) == weft_success) text = joined(buffer)
  end function

  !> What is computed and how, with what was left open settled, as a text for C (see weft_plan_text).
  function plan_text(self) result(text)
    class(weft_plan), intent(in) :: self
    character(:), allocatable :: text
    character(kind=c_char) :: none(1)
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length, again
    text = ''
    if (c_plan_text(self%handle, none, 0_c_size_t, length) /= weft_success) return
    allocate (buffer(length + 1))
    if (c_plan_text(self%handle, buffer, length + 1, again) == weft_success) text = joined(buffer)
  end function

  !> Searches for about `seconds` for the fastest choices of what `choices` leave open, and keeps them as
  !> wisdom for later plans. Collective.
  subroutine weft_tune(communicator, shape, choices, seconds, input, output, stat, errmsg)
    type(*), intent(in) :: communicator
    integer, intent(in) :: shape(:)
    character(*), intent(in) :: choices
    real(real64), intent(in) :: seconds
    type(weft_layout), intent(in), optional :: input, output
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: in, out
    in = c_null_ptr
    out = c_null_ptr
    if (present(input)) in = input%handle
    if (present(output)) out = output%handle
    call report(c_tune(communicator, size(shape), int(shape, c_int64_t), to_c(choices), in, out, seconds), &
      stat, errmsg)
  end subroutine

  !> The plan's own array at that end, between which transforms are the fastest: call c_f_pointer(p, u,
  !> plan%input%extent). It ends with the plan. Collective on the first call.
  subroutine plan_own_array(self, side, first, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer(c_int), intent(in) :: side
    type(c_ptr), intent(out) :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = weft_success
    if (.not. c_associated(self%own(side))) status = c_array_own(self%handle, side, self%own(side))
    first = c_array_data(self%own(side))
    call report(status, stat, errmsg)
  end subroutine

  ! ---- Transforms ----------------------------------------------------------------------------------

  !> Transforms `in`, an array as plan%input says, to `out`, one as plan%output says, and multiplies by
  !> `scale`. They are arrays of any rank and bounds, whose elements must be contiguous. Collective.
  subroutine plan_forward(self, in, out, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, intent(in) :: in
    type(*), dimension(..), target, intent(inout) :: out
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_run(self%handle, weft_forward, described(in), described(out), factor(scale)), stat, errmsg)
  end subroutine

  !> The way back, scaled so that it undoes `forward`.
  subroutine plan_backward(self, in, out, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, intent(in) :: in
    type(*), dimension(..), target, intent(inout) :: out
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_run(self%handle, weft_backward, described(in), described(out), factor(scale)), stat, errmsg)
  end subroutine

  function factor(scale) result(number)
    real(real64), intent(in), optional :: scale
    real(c_double) :: number
    number = 1
    if (present(scale)) number = scale
  end function

  !> Several fields at once, from the addresses in(f) to out(f), which c_loc gives: at most as many as the
  !> choice fields=... said. Neither types nor sizes are checked; the same address twice is in place.
  subroutine plan_run_fields(self, direction, in, out, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(c_ptr), intent(in) :: in(:), out(:)
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_run_fields(self%handle, direction, min(size(in), size(out)), in, out, factor(scale)), stat, errmsg)
  end subroutine

  !> Starts a transform and returns. Both arrays need the attribute `asynchronous` in the caller, and may not
  !> be touched until the request says that it is over.
  subroutine plan_start_forward(self, in, out, request, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, asynchronous, intent(in) :: in
    type(*), dimension(..), target, asynchronous, intent(inout) :: out
    type(weft_request), intent(inout) :: request
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_start(self%handle, weft_forward, described(in), described(out), factor(scale), request%handle), &
      stat, errmsg)
  end subroutine

  !> Starts a transform back.
  subroutine plan_start_backward(self, in, out, request, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, asynchronous, intent(in) :: in
    type(*), dimension(..), target, asynchronous, intent(inout) :: out
    type(weft_request), intent(inout) :: request
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_start(self%handle, weft_backward, described(in), described(out), factor(scale), request%handle), &
      stat, errmsg)
  end subroutine

  !> Does what can be done without waiting; `done` says whether the transform is over.
  subroutine request_test(self, done, stat, errmsg)
    class(weft_request), intent(inout) :: self
    logical, intent(out) :: done
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: is_over, status
    is_over = 0
    status = c_test(self%handle, is_over)
    done = is_over /= 0
    call report(status, stat, errmsg)
  end subroutine

  !> Returns when the transform is over.
  subroutine request_wait(self, stat, errmsg)
    class(weft_request), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_wait(self%handle), stat, errmsg)
  end subroutine

  ! ---- Functions of the spectrum -------------------------------------------------------------------

  !> From a physical array through `function` in the spectrum and back, without a spectrum in memory: it sees
  !> the modes as `forward` would have written them, each once. Collective.
  subroutine plan_apply(self, in, out, function, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, intent(in) :: in
    type(*), dimension(..), target, intent(inout) :: out
    class(weft_function), target, intent(inout) :: function
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: side
    type(caller), target :: user
    user%function => function
    user%axes = self%axes
    side = physical_side(self)
    call report(c_apply(self%handle, first_of(self, side, in), first_of(self, side, out), c_funloc(change_one), &
      c_loc(user)), stat, errmsg)
  end subroutine

  !> From several fields to several others, by their addresses, through one function that sees all of them.
  subroutine plan_apply_fields(self, in, out, function, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: in(:), out(:)
    class(weft_function), target, intent(inout) :: function
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(caller), target :: user
    user%function => function
    user%axes = self%axes
    call report(c_apply_fields(self%handle, size(in), in, size(out), out, c_funloc(change_several), c_loc(user)), &
      stat, errmsg)
  end subroutine

  !> A ready-made operator for a box with these edges, on fields given by their addresses: see
  !> weft_apply_operator. Components and the axis of 'derivative 1' are counted as in Fortran.
  subroutine plan_apply_operator(self, name, lengths, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: self
    character(*), intent(in) :: name
    real(real64), intent(in) :: lengths(:)
    type(c_ptr), intent(in) :: in(:), out(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double) :: edges(max_axes)
    edges = 0
    edges(:min(size(lengths), max_axes)) = lengths(:min(size(lengths), max_axes))
    call report(c_apply_operator(self%handle, to_c(name), edges, size(in), in, size(out), out), stat, errmsg)
  end subroutine

  !> Where the physical array is: at the end with more real numbers, which is the output only of c2r plans.
  function physical_side(self) result(side)
    class(weft_plan), intent(in) :: self
    integer(c_int) :: side
    type(c_element) :: input, output
    side = weft_input
    if (c_plan_element(self%handle, weft_input, input) /= weft_success) return
    if (c_plan_element(self%handle, weft_output, output) /= weft_success) return
    if (input%is_real == 0 .and. output%is_real /= 0) side = weft_output
  end function

  subroutine change_one(c, user) bind(c)
    type(c_line), intent(in) :: c
    type(c_ptr), value :: user
    type(c_ptr), target :: values(1)
    values(1) = c%values
    call change(user, values, c%count, c%axis, c%wavenumbers, c%at)
  end subroutine

  subroutine change_several(c, user) bind(c)
    type(c_lines), intent(in) :: c
    type(c_ptr), value :: user
    type(c_ptr), pointer :: values(:)
    call c_f_pointer(c%values, values, [c%fields])
    call change(user, values, c%count, c%axis, c%wavenumbers, c%at)
  end subroutine

  subroutine change(user, values, count, axis, wavenumbers, at)
    type(c_ptr), intent(in) :: user, wavenumbers, at
    type(c_ptr), target, intent(in) :: values(:)
    integer(c_int64_t), intent(in) :: count
    integer(c_int), intent(in) :: axis
    type(caller), pointer :: to
    type(weft_line) :: line
    real(real64), pointer :: others(:)
    call c_f_pointer(user, to)
    line%values => values
    line%count = count
    line%axis = to%axes - axis
    call c_f_pointer(wavenumbers, line%wavenumbers, [count])
    call c_f_pointer(at, others, [to%axes])
    line%at(:to%axes) = others(to%axes:1:-1)
    call to%function%change(line)
  end subroutine

  ! ---- What solvers ask ----------------------------------------------------------------------------

  !> The wavenumbers of this rank's modes along an axis of the spectrum: angular ones for a box with these
  !> edges, else in periods per box; and how often each counts, as a factor for each axis.
  subroutine plan_wavenumbers(self, axis, wavenumbers, weights, lengths, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: wavenumbers(:)
    real(real64), allocatable, intent(out), optional :: weights(:)
    real(real64), intent(in), optional :: lengths(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: edges(max_axes)
    real(c_double), allocatable :: k(:), w(:)
    type(weft_part) :: part
    type(c_ptr) :: given
    integer(c_int) :: status
    integer(int64) :: count
    part = part_at(self, 1 - physical_side(self))
    count = 0
    if (allocated(part%lower)) then
      if (axis >= 1 .and. axis <= self%axes) count = max(0_int64, part%upper(axis) - part%lower(axis) + 1)
    end if
    allocate (k(max(1_int64, count)), w(max(1_int64, count)))
    given = edges_of(edges, lengths)
    status = c_wavenumbers(self%handle, self%axes - axis, given, k, w)
    wavenumbers = k(:count)
    if (present(weights)) weights = w(:count)
    call report(status, stat, errmsg)
  end subroutine

  !> The edges in C's order, or null where none are given.
  function edges_of(edges, lengths) result(given)
    real(c_double), target, intent(inout) :: edges(max_axes)
    real(real64), intent(in), optional :: lengths(:)
    type(c_ptr) :: given
    integer :: n
    given = c_null_ptr
    if (.not. present(lengths)) return
    n = min(max_axes, size(lengths))
    edges = 0
    edges(:n) = lengths(n:1:-1)
    given = c_loc(edges)
  end function

  !> The mean of |x|**2 over the physical grid, from an array at either end. Collective.
  subroutine plan_mean_square(self, side, array, mean, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(*), dimension(..), target, intent(in) :: array
    real(real64), intent(out) :: mean
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    mean = 0
    call report(c_mean_square(self%handle, side, first_of(self, side, array), mean), stat, errmsg)
  end subroutine

  !> The sum of all elements of an array at that end. Collective.
  subroutine plan_global_sum(self, side, array, total, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(*), dimension(..), target, intent(in) :: array
    complex(real64), intent(out) :: total
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double) :: parts(2)
    integer(c_int) :: status
    parts = 0
    status = c_global_sum(self%handle, side, first_of(self, side, array), parts)
    total = cmplx(parts(1), parts(2), real64)
    call report(status, stat, errmsg)
  end subroutine

  !> Half the mean square by wavenumber: energy(1) is that of |k| < 1/2. Collective.
  subroutine plan_energy_by_shell(self, spectrum, energy, lengths, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, intent(in) :: spectrum
    real(real64), allocatable, intent(out) :: energy(:)
    real(real64), intent(in), optional :: lengths(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: edges(max_axes)
    real(c_double) :: none(1)
    type(c_ptr) :: first, given
    integer(c_int64_t) :: shells, again
    integer(c_int) :: status
    given = edges_of(edges, lengths)
    first = first_of(self, 1 - physical_side(self), spectrum)
    shells = 0
    status = c_energy_by_shell(self%handle, first, given, 0_c_int64_t, none, shells)
    allocate (energy(shells))
    if (status == weft_success) status = c_energy_by_shell(self%handle, first, given, shells, energy, again)
    call report(status, stat, errmsg)
  end subroutine

  !> Of r2c_packed: the bounds of this rank's part of the plane that holds two.
  subroutine plan_packed_plane(self, lower, upper, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_box) :: box
    integer(c_int) :: status
    status = c_packed_plane(self%handle, box)
    lower = box%lower(box%axes:1:-1) + 1
    upper = box%upper(box%axes:1:-1)
    call report(status, stat, errmsg)
  end subroutine

  !> Splits that plane of a spectrum into those of mode 0 and mode n/2, all by their addresses. Collective.
  subroutine plan_unpack_plane(self, spectrum, mean, nyquist, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: spectrum, mean, nyquist
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_unpack_plane(self%handle, spectrum, mean, nyquist), stat, errmsg)
  end subroutine

  !> Puts the two planes back. Collective.
  subroutine plan_pack_plane(self, mean, nyquist, spectrum, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: mean, nyquist, spectrum
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_pack_plane(self%handle, mean, nyquist, spectrum), stat, errmsg)
  end subroutine
end module
