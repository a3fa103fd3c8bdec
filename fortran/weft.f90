! Weft for Fortran: plans, layouts and transforms in flight as objects, with Fortran's conventions.
!
! Shapes, axes, orders and bounds follow Fortran: the first axis is the fastest in memory and has the number 1,
! bounds are inclusive, and an r2c transform halves the first of its axes. Each procedure has the optional arguments
! `stat` (0, or a weft_error_... number) and `errmsg` (the sentence). With neither, a mistake prints the sentence and
! stops the program. Communicators are integers or type(MPI_Comm).
!
! The module is a thin layer on weft.h, which says more about each call. It is compiled by every compiler
! for itself, since .mod files fit only one.
module weft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  implicit none
  private

  integer(c_int), parameter, public :: weft_success = 0         !< all is well
  integer(c_int), parameter, public :: weft_error_argument = 1  !< the caller's request is wrong
  integer(c_int), parameter, public :: weft_error_mpi = 2       !< a call of MPI failed
  integer(c_int), parameter, public :: weft_error_memory = 3    !< there is too little memory
  integer(c_int), parameter, public :: weft_error_data = 4      !< verify=1 found altered data or a wrong result
  integer(c_int), parameter, public :: weft_error_internal = 5  !< anything else
  integer(c_int), parameter, public :: weft_forward = 0         !< the direction from input to output
  integer(c_int), parameter, public :: weft_backward = 1        !< the direction from output to input
  integer(c_int), parameter, public :: weft_input = 0           !< the end of a plan where forward begins
  integer(c_int), parameter, public :: weft_output = 1          !< the end of a plan where forward ends

  integer, parameter :: max_axes = 8
  integer, parameter :: longest_choices = 4096

  public :: weft_plan, weft_layout, weft_halo, weft_request, weft_part, weft_function, weft_line
  public :: weft_error, weft_version, weft_tune, weft_describe_ranks, weft_place

  !> A rank's part of an array, and its place in memory.
  type :: weft_part
    integer(int64), allocatable :: lower(:)   !< the first index along each axis
    integer(int64), allocatable :: upper(:)   !< the last one; less than `lower` where there is none
    integer(int64), allocatable :: first(:)   !< `lower`, but of cyclic axes the first index where `lower` is a place
    integer(int64), allocatable :: step(:)    !< between indices: 1, more of cyclic axes, 0 where they are not equally spaced
    integer, allocatable :: order(:)          !< the axes from the fastest to the slowest in memory
    integer(int64), allocatable :: stride(:)  !< elements between neighbours along each axis
    integer(int64), allocatable :: extent(:)  !< the lengths in the order of memory, padding included: what to allocate
    integer(int64) :: elements = 0            !< how many are held
    integer(int64) :: allocated = 0           !< elements of memory that they take, gaps included
  end type

  !> How a global array is spread over ranks. Procedures that make one replace what was there; a = b makes
  !> `a` a copy, which may be changed by itself.
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
    procedure :: spread => layout_spread
    procedure :: order => layout_order
    procedure :: reshape => layout_reshape
    procedure :: pad => layout_pad
    procedure :: strides => layout_strides
    procedure :: contiguous => layout_contiguous
    procedure :: part => layout_part
    procedure :: text => layout_text
    procedure :: drop => layout_drop
    procedure, private :: layout_assign
    generic :: assignment(=) => layout_assign
  end type

  !> Ghost cells around each rank's box, which `update` fills with elements of other ranks.
  type :: weft_halo
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: axes = 0
  contains
    procedure :: create => halo_create
    procedure :: layout => halo_layout
    procedure :: update => halo_update
    procedure :: start => halo_start
    procedure :: wait => halo_wait
    procedure :: drop => halo_drop
  end type

  !> A distributed transform. `input` and `output` say what this rank holds of its arrays. After a = b both stand
  !> for one plan, which ends when both have dropped it.
  type :: weft_plan
    private
    type(c_ptr) :: handle = c_null_ptr
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
    procedure :: tile_bytes => plan_tile_bytes
    procedure :: element_bytes => plan_element_bytes
    procedure :: is_real => plan_is_real
    procedure :: spectral_side => plan_spectral_side
    procedure :: describe => plan_describe
    procedure :: text => plan_text
    procedure :: own_array => plan_own_array
    procedure :: copy => plan_copy
    procedure :: synchronize => plan_synchronize
    procedure :: set_stream => plan_set_stream
    procedure :: forward => plan_forward
    procedure :: backward => plan_backward
    procedure :: run_fields => plan_run_fields
    procedure :: start_forward => plan_start_forward
    procedure :: start_backward => plan_start_backward
    procedure :: apply => plan_apply
    procedure :: apply_each => plan_apply_each
    procedure :: apply_fields => plan_apply_fields
    procedure :: apply_operator => plan_apply_operator
    procedure :: wavenumbers => plan_wavenumbers
    procedure :: mean_square => plan_mean_square
    procedure :: global_sum => plan_global_sum
    procedure :: energy_by_shell => plan_energy_by_shell
    procedure :: packed_plane => plan_packed_plane
    procedure :: unpack_plane => plan_unpack_plane
    procedure :: pack_plane => plan_pack_plane
    procedure, private :: plan_assign
    generic :: assignment(=) => plan_assign
  end type

  !> A transform in flight. Requests are not to be copied.
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
    integer :: axis = 0                                !< the axis of the line
    real(real64), pointer :: wavenumbers(:) => null()  !< of the modes
    real(real64) :: at(max_axes) = 0                   !< the wavenumbers along all other axes, by axis
  end type

  !> A function of the spectrum, with the caller's data: extend it. Several threads call it at once where
  !> the plan has several: then it must be `recursive`.
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
    integer(c_int64_t) :: first(max_axes) = 0, step(max_axes) = 1
    integer(c_int) :: order(max_axes) = 0
    integer(c_int64_t) :: stride(max_axes) = 0, elements = 0, allocated = 0
  end type
  type, bind(c) :: c_sizes
    integer(c_size_t) :: input = 0, output = 0, in_place = 0, workspace = 0, tiles = 0
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
  ! An array as weft_fortran_run and weft_fortran_start take it; instead of a size:
  integer(c_int64_t), parameter :: unknown_size = -1, not_contiguous = -2, first_element = -3
  type, bind(c) :: c_array
    type(c_ptr) :: first = c_null_ptr
    integer(c_int64_t) :: size = 0
    integer(c_size_t) :: element_bytes = 0
  end type

  abstract interface
    !> Writes a text about the object of the handle.
    integer(c_int) function c_text(handle, buffer, size, length) bind(c)
      import
      type(c_ptr), value :: handle
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out) :: length
    end function

    !> Ends the object of the handle.
    subroutine c_drop(handle) bind(c)
      import
      type(c_ptr), intent(inout) :: handle
    end subroutine

    !> The part of an array at a rank of a layout, or at a side of a plan.
    integer(c_int) function c_part_of(handle, place, part) bind(c)
      import
      type(c_ptr), value :: handle
      integer(c_int), value :: place
      type(c_part), intent(out) :: part
    end function

    !> A new handle of an object at a side of a plan.
    integer(c_int) function c_object_at(plan, side, object) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), intent(inout) :: object
    end function

    !> Splits or joins the plane of a packed spectrum: arguments in the order of weft.h.
    integer(c_int) function c_planes(plan, first, second, third) bind(c)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: first
      type(c_ptr), value :: second
      type(c_ptr), value :: third
    end function
  end interface

  procedure(c_part_of), bind(c, name="weft_layout_part") :: c_layout_part
  procedure(c_part_of), bind(c, name="weft_plan_part") :: c_plan_part
  procedure(c_object_at), bind(c, name="weft_plan_layout") :: c_plan_layout
  procedure(c_object_at), bind(c, name="weft_array_own") :: c_array_own
  procedure(c_planes), bind(c, name="weft_unpack_plane") :: c_unpack_plane
  procedure(c_planes), bind(c, name="weft_pack_plane") :: c_pack_plane
  procedure(c_drop), bind(c, name="weft_layout_drop") :: c_layout_drop
  procedure(c_drop), bind(c, name="weft_plan_drop") :: c_plan_drop
  procedure(c_drop), bind(c, name="weft_halo_drop") :: c_halo_drop
  procedure(c_drop), bind(c, name="weft_array_drop") :: c_array_drop
  procedure(c_text), bind(c, name="weft_layout_text") :: c_layout_text
  procedure(c_text), bind(c, name="weft_fortran_plan_text") :: c_plan_text
  procedure(c_text), bind(c, name="weft_describe") :: c_describe

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
    integer(c_int) function c_layout_gathered(communicator, axes, shape, lower, upper, mine, layout) &
      bind(c, name="weft_fortran_layout_gathered")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), value :: lower
      integer(c_int), value :: upper
      type(c_box), intent(in) :: mine
      type(c_ptr), intent(inout) :: layout
    end function
    integer(c_int) function c_layout_copy(layout, copy) bind(c, name="weft_layout_copy")
      import
      type(c_ptr), value :: layout
      type(c_ptr), intent(inout) :: copy
    end function
    integer(c_int) function c_layout_partition(layout, rule) bind(c, name="weft_layout_partition")
      import
      type(c_ptr), value :: layout
      character(kind=c_char), intent(in) :: rule(*)
    end function
    integer(c_int) function c_layout_spread(layout, ranks, stride) bind(c, name="weft_layout_spread")
      import
      type(c_ptr), value :: layout
      integer(c_int), value :: ranks, stride
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
    integer(c_int) function c_halo_create(communicator, layout, below, above, periodic, counts, corners, bytes, halo) &
      bind(c, name="weft_fortran_halo_create")
      import
      type(*), intent(in) :: communicator
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(in) :: below(*), above(*)
      integer(c_int), intent(in) :: periodic(*), counts(3)
      integer(c_int), value :: corners
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(inout) :: halo
    end function
    integer(c_int) function c_halo_layout(halo, layout) bind(c, name="weft_halo_layout")
      import
      type(c_ptr), value :: halo
      type(c_ptr), intent(out) :: layout
    end function
    integer(c_int) function c_halo_start(halo, array) bind(c, name="weft_fortran_halo_start")
      import
      type(c_ptr), value :: halo
      type(c_array), intent(in) :: array
    end function
    integer(c_int) function c_halo_wait(halo) bind(c, name="weft_halo_wait")
      import
      type(c_ptr), value :: halo
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
    integer(c_int) function c_tune(communicator, axes, shape, text, input, output, seconds, buffer, size) &
      bind(c, name="weft_fortran_tune")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: input
      type(c_ptr), value :: output
      real(c_double), value :: seconds
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
    end function
    integer(c_int) function c_place(communicator, dimensions, grid, network, placed) &
      bind(c, name="weft_fortran_place")
      import
      type(*), intent(in) :: communicator
      integer(c_int), value :: dimensions
      integer(c_int), intent(in) :: grid(*)
      character(kind=c_char), intent(in) :: network(*)
      type(*), intent(inout) :: placed
    end function
    integer(c_int) function c_describe_ranks(axes, shape, text, ranks, ranks_per_node, buffer, size, length) &
      bind(c, name="weft_fortran_describe_ranks")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: ranks
      integer(c_int), value :: ranks_per_node
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
      integer(c_size_t), intent(out) :: length
    end function
    integer(c_int) function c_mistake(sentence) bind(c, name="weft_fortran_mistake")
      import
      character(kind=c_char), intent(in) :: sentence(*)
    end function
    integer(c_int) function c_check_array(plan, side, array) bind(c, name="weft_fortran_check_array")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_array), intent(in) :: array
    end function
    integer(c_int) function c_check_lengths(plan, count) bind(c, name="weft_fortran_check_lengths")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: count
    end function
    integer(c_int) function c_spectral_side(plan, side) bind(c, name="weft_plan_spectral_side")
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: side
    end function
    integer(c_int) function c_plan_close(plan) bind(c, name="weft_plan_close")
      import
      type(c_ptr), intent(inout) :: plan
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
    integer(c_int) function c_plan_copy(plan, to, from, bytes) bind(c, name="weft_plan_copy")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: to
      type(c_ptr), value :: from
      integer(c_size_t), value :: bytes
    end function
    integer(c_int) function c_plan_synchronize(plan) bind(c, name="weft_plan_synchronize")
      import
      type(c_ptr), value :: plan
    end function
    integer(c_int) function c_plan_set_stream(plan, stream) bind(c, name="weft_plan_set_stream")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: stream
    end function
    integer(c_int) function c_run(plan, direction, in, out, scale) bind(c, name="weft_fortran_run")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_array), intent(in) :: in
      type(c_array), intent(in) :: out
      real(c_double), value :: scale
    end function
    integer(c_int) function c_run_fields(plan, direction, inputs, in, outputs, out, scale) &
      bind(c, name="weft_fortran_run_fields")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      integer(c_int), value :: inputs
      type(c_ptr), intent(in) :: in(*)
      integer(c_int), value :: outputs
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
    integer(c_int) function c_apply_each(plan, in, outputs, out, count, functions, users) &
      bind(c, name="weft_fortran_apply_each")
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: in
      integer(c_int), value :: outputs, count
      type(c_ptr), intent(in) :: out(*)
      type(c_funptr), intent(in) :: functions(*)
      type(c_ptr), intent(in) :: users(*)
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
    subroutine c_plan_share(plan) bind(c, name="weft_fortran_plan_share")
      import
      type(c_ptr), value :: plan
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

  !> Tells the caller the status and the sentence as far as the caller asks; else a mistake stops the program.
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

  !> The text that C has written to a buffer.
  function joined(letters) result(text)
    character(kind=c_char), intent(in) :: letters(:)
    character(:), allocatable :: text
    integer :: i
    allocate (character(findloc(letters, c_null_char, dim=1) - 1) :: text)
    do i = 1, len(text)
      text(i:i) = letters(i)
    end do
  end function

  !> A text of any length; empty if the handle has no object.
  function text_from(say, handle) result(text)
    procedure(c_text) :: say
    type(c_ptr), intent(in) :: handle
    character(:), allocatable :: text
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length, again
    text = ''
    allocate (buffer(1))
    if (say(handle, buffer, 0_c_size_t, length) /= weft_success) return
    deallocate (buffer)
    allocate (buffer(length + 1))
    if (say(handle, buffer, length + 1, again) == weft_success) text = joined(buffer)
  end function

  !> An error unless a list has the valid number of entries.
  function check_count(what, given, valid) result(status)
    character(*), intent(in) :: what
    integer, intent(in) :: given, valid
    integer(c_int) :: status
    character(100) :: sentence
    status = weft_success
    if (given == valid) return
    write (sentence, '(2a,i0,a,i0)') what, ': ', given, ' entries given; valid is ', valid
    status = c_mistake(to_c(sentence))
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

  !> The number of an axis in C. A number that is no axis gets one that is none in C, where negative ones count
  !> from the end.
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
    allocate (part%first, source=from%first(n:1:-1) + 1)
    allocate (part%step, source=from%step(n:1:-1))
    allocate (part%stride, source=from%stride(n:1:-1))
    allocate (part%order, source=n - from%order(n:1:-1))
    extent = max(0_int64, part%upper - part%lower + 1)
    extent = extent(part%order)
    if (from%elements > 0) then  ! any axis may be padded
      do i = 1, n - 1
        extent(i) = max(extent(i), part%stride(part%order(i + 1))/part%stride(part%order(i)))
      end do
      extent(n) = max(extent(n), from%allocated/part%stride(part%order(n)))
    end if
    allocate (part%extent, source=extent)
    part%elements = from%elements
    part%allocated = from%allocated
  end function

  !> `recursive`, because the checks of gfortran 12 mistake several calls in a loop for recursion.
  pure recursive function to_box(lower, upper) result(box)
    integer(int64), intent(in) :: lower(:), upper(:)
    type(c_box) :: box
    integer :: n
    n = min(size(lower), size(upper), max_axes)
    box%axes = n
    box%lower(:n) = lower(n:1:-1) - 1
    box%upper(:n) = upper(n:1:-1)
  end function

  !> The description of an array for C. It takes addresses only, so no copies are made here.
  function described(array) result(it)
    type(*), dimension(..), target, asynchronous, intent(in) :: array
    type(c_array) :: it
    it%size = size(array, kind=c_int64_t)
    it%element_bytes = c_element_bytes(array)
    if (it%size /= 0) it%first = c_loc(array)
    if (it%size < 0) then  ! a dummy argument declared with (*)
      it%size = unknown_size
    else if (rank(array) == 0) then
      it%size = first_element
    else if (.not. is_contiguous(array)) then
      it%size = not_contiguous
    end if
  end function

  !> The first element of an array at that end of a plan. Collective: where it cannot be one on any rank, all ranks
  !> have the status of an error.
  subroutine take(self, side, array, first, status)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(*), dimension(..), target, intent(in) :: array
    type(c_ptr), intent(out) :: first
    integer(c_int), intent(out) :: status
    type(c_array) :: it
    it = described(array)
    first = it%first
    status = c_check_array(self%handle, side, it)
  end subroutine

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
    integer, intent(in) :: shape(:), grid(:)
    integer, intent(in), optional :: local_axis
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: local
    integer(c_int) :: status
    local = 1
    if (present(local_axis)) local = local_axis
    call self%drop()
    self%axes = size(shape)
    status = check_count('grid', size(grid), 2)
    if (status == weft_success) status = c_layout_pencils(size(shape), reversed(shape), reversed_counts(grid), &
      c_axis(size(shape), local), self%handle)
    call report(status, stat, errmsg)
  end subroutine

  !> Axis a is split in grid(a); ranks are numbered with the first axis the fastest.
  subroutine layout_bricks(self, shape, grid, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call self%drop()
    self%axes = size(shape)
    status = check_count('grid', size(grid), size(shape))
    if (status == weft_success) &
      status = c_layout_bricks(size(shape), reversed(shape), reversed_counts(grid), self%handle)
    call report(status, stat, errmsg)
  end subroutine

  !> A process grid whose dimension d splits axis split(d) in grid(d); the first dimension varies the fastest
  !> from rank to rank. Where several split one axis, the last is the coarsest.
  subroutine layout_grid(self, shape, grid, split, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:), split(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call self%drop()
    self%axes = size(shape)
    status = check_count('split', size(split), size(grid))
    if (status == weft_success) status = c_layout_grid(size(shape), reversed(shape), size(grid), &
      reversed_counts(grid), c_axis(size(shape), split(size(split):1:-1)), self%handle)
    call report(status, stat, errmsg)
  end subroutine

  !> The caller's own boxes: rank r has those from lower(:, r + 1) to upper(:, r + 1).
  subroutine layout_boxes(self, shape, lower, upper, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer(int64), intent(in) :: lower(:, :), upper(:, :)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_box) :: boxes(size(lower, 2))
    integer(c_int) :: status
    integer :: rank
    call self%drop()
    self%axes = size(shape)
    status = check_count('upper, of ranks', size(upper, 2), size(lower, 2))
    if (status == weft_success) status = check_count('lower, of axes', size(lower, 1), size(shape))
    if (status == weft_success) status = check_count('upper, of axes', size(upper, 1), size(shape))
    if (status == weft_success) then
      do rank = 1, size(boxes)
        boxes(rank) = to_box(lower(:, rank), upper(:, rank))
      end do
      status = c_layout_boxes(size(shape), reversed(shape), size(boxes), boxes, self%handle)
    end if
    call report(status, stat, errmsg)
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
    call report(c_layout_gathered(communicator, size(shape), reversed(shape), size(lower), size(upper), &
      to_box(lower, upper), self%handle), stat, errmsg)
  end subroutine

  !> Cuts axes by another rule: 'balanced', 'blocks', 'longer_first', 'longer_last' or 'cyclic'.
  subroutine layout_partition(self, rule, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    character(*), intent(in) :: rule
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_partition(self%handle, to_c(rule)), stat, errmsg)
  end subroutine

  !> Puts the process grid on some of `ranks` ranks, `stride` apart from 0 on, and nothing on the others; without
  !> `stride` as far apart as possible.
  subroutine layout_spread(self, ranks, stride, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: ranks
    integer, intent(in), optional :: stride
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: apart
    apart = 0
    if (present(stride)) apart = stride
    call report(c_layout_spread(self%handle, ranks, apart), stat, errmsg)
  end subroutine

  !> Stores elements in another order: the axes from the fastest to the slowest.
  subroutine layout_order(self, order, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = check_count('order', size(order), self%axes)
    if (status == weft_success) status = c_layout_order(self%handle, self%axes - reversed_counts(order))
    call report(status, stat, errmsg)
  end subroutine

  !> Splits another shape in the same way.
  subroutine layout_reshape(self, shape, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_reshape(self%handle, size(shape), reversed(shape)), stat, errmsg)
  end subroutine

  !> Leaves room for `extra` elements more along each axis of every rank's array. Twice the width of ghost cells, say:
  !> calls then take the first element inside, u(1, 1, 1) of u(0:, 0:, 0:), or a whole array where the room lies behind.
  subroutine layout_pad(self, extra, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: extra(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = check_count('extra', size(extra), self%axes)
    if (status == weft_success) status = c_layout_pad(self%handle, reversed(extra))
    call report(status, stat, errmsg)
  end subroutine

  !> Sets this rank's own strides, in elements.
  subroutine layout_strides(self, strides, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(in) :: strides(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = check_count('strides', size(strides), self%axes)
    if (status == weft_success) status = c_layout_strides(self%handle, reversed(strides))
    call report(status, stat, errmsg)
  end subroutine

  !> Takes padding and strides away.
  subroutine layout_contiguous(self, stat, errmsg)
    class(weft_layout), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_layout_contiguous(self%handle), stat, errmsg)
  end subroutine

  !> The part of a rank (from 0).
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
    text = text_from(c_layout_text, self%handle)
  end function

  !> Not collective.
  subroutine layout_drop(self)
    class(weft_layout), intent(inout) :: self
    call c_layout_drop(self%handle)
  end subroutine

  !> a = b: a copy. A copy of no layout is no layout.
  subroutine layout_assign(self, other)
    class(weft_layout), intent(inout) :: self
    type(weft_layout), intent(in) :: other
    if (c_associated(self%handle, other%handle)) return  ! a = a
    call self%drop()
    self%axes = other%axes
    if (c_associated(other%handle)) call report(c_layout_copy(other%handle, self%handle))
  end subroutine

  ! ---- Ghost cells ---------------------------------------------------------------------------------

  !> Ghost cells of arrays with this layout: so many below and above each rank's box, along each axis. The array
  !> continues at its other end along `periodic` axes (all, unless given); cells beyond the ends of others stay as they
  !> are. corners=.false. leaves out cells that are outside along several axes. Elements have `element_bytes` (8, unless
  !> given): 1, 2, 4, 8 or 16. Collective.
  subroutine halo_create(self, communicator, layout, below, above, periodic, corners, element_bytes, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    type(*), intent(in) :: communicator
    type(weft_layout), intent(in) :: layout
    integer, intent(in) :: below(:), above(:)
    logical, intent(in), optional :: periodic(:), corners
    integer, intent(in), optional :: element_bytes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: wraps(max_axes), counts(3), has_corners
    integer :: bytes, given
    call self%drop()
    self%axes = layout%axes
    wraps = 1
    counts = [size(below), size(above), layout%axes]
    if (present(periodic)) then
      counts(3) = size(periodic)
      given = min(size(periodic), max_axes)
      wraps(:given) = merge(1, 0, periodic(given:1:-1))
    end if
    has_corners = 1
    if (present(corners)) has_corners = merge(1, 0, corners)
    bytes = 8
    if (present(element_bytes)) bytes = element_bytes
    call report(c_halo_create(communicator, layout%handle, reversed(below), reversed(above), wraps, counts, has_corners, &
                              int(bytes, c_size_t), self%handle), stat, errmsg)
  end subroutine

  !> The layout of the arrays, with room for the ghost cells: for plans that transform the arrays, and to ask what to
  !> allocate (`part%extent`).
  subroutine halo_layout(self, layout, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(weft_layout), intent(inout) :: layout
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call layout%drop()
    layout%axes = self%axes
    call report(c_halo_layout(self%handle, layout%handle), stat, errmsg)
  end subroutine

  !> Fills the ghost cells of `array`, which is the whole array with its ghost cells: u of u(0:n+1, 0:m+1), say.
  !> Collective; a mistake ends the job, because others wait.
  subroutine halo_update(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), target, intent(inout) :: array
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_halo_start(self%handle, described(array))
    if (status == weft_success) status = c_halo_wait(self%handle)
    call report(status, stat, errmsg)
  end subroutine

  !> Begins an update. Until `wait`, all but ghost cells may be read.
  subroutine halo_start(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(*), dimension(..), target, asynchronous, intent(inout) :: array
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_halo_start(self%handle, described(array)), stat, errmsg)
  end subroutine

  !> Returns when the update has ended.
  subroutine halo_wait(self, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_halo_wait(self%handle), stat, errmsg)
  end subroutine

  !> Not collective.
  subroutine halo_drop(self)
    class(weft_halo), intent(inout) :: self
    call c_halo_drop(self%handle)
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
    integer(c_int) :: status
    call self%drop()
    self%axes = size(shape)
    status = c_plan_create(communicator, size(shape), int(shape, c_int64_t), to_c(choices), handle_of(input), &
      handle_of(output), self%handle)
    if (status == weft_success) then
      self%input = part_at(self, weft_input)
      self%output = part_at(self, weft_output)
    end if
    call report(status, stat, errmsg)
  end subroutine

  !> The layout's handle; null where none is given.
  function handle_of(layout) result(handle)
    type(weft_layout), intent(in), optional :: layout
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(layout)) handle = layout%handle
  end function

  function part_at(self, side) result(part)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(weft_part) :: part
    type(c_part) :: own
    if (c_plan_part(self%handle, side, own) == weft_success) part = to_part(own)
  end function

  !> Collective: drops the plan, and frees at once everything that all ranks have dropped.
  subroutine plan_close(self, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call forget_parts(self)
    call report(c_plan_close(self%handle), stat, errmsg)
  end subroutine

  !> Not collective, and harmless after MPI_Finalize.
  subroutine plan_drop(self)
    class(weft_plan), intent(inout) :: self
    call forget_parts(self)
    call c_plan_drop(self%handle)
  end subroutine

  !> Empties the parts of a plan that is dropped.
  subroutine forget_parts(self)
    class(weft_plan), intent(inout) :: self
    type(weft_part) :: nothing
    self%input = nothing
    self%output = nothing
  end subroutine

  !> a = b: another name of the same plan.
  subroutine plan_assign(self, other)
    class(weft_plan), intent(inout) :: self
    type(weft_plan), intent(in) :: other
    if (c_associated(self%handle, other%handle)) return  ! perhaps a = a
    call c_plan_share(other%handle)
    call self%drop()
    self%handle = other%handle
    self%axes = other%axes
    self%input = other%input
    self%output = other%output
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
  integer(int64) function plan_in_place_bytes(self) result(bytes)
    class(weft_plan), intent(in) :: self
    type(c_sizes) :: sizes
    sizes = sizes_of(self)
    bytes = sizes%in_place
  end function

  !> The bytes that the plan holds besides arrays; 0 where there is no plan.
  integer(int64) function plan_workspace_bytes(self) result(bytes)
    class(weft_plan), intent(in) :: self
    type(c_sizes) :: sizes
    sizes = sizes_of(self)
    bytes = sizes%workspace
  end function

  !> The bytes of them that tiles take; their number depends on the caches.
  integer(int64) function plan_tile_bytes(self) result(bytes)
    class(weft_plan), intent(in) :: self
    type(c_sizes) :: sizes
    sizes = sizes_of(self)
    bytes = sizes%tiles
  end function

  type(c_sizes) function sizes_of(self) result(sizes)
    class(weft_plan), intent(in) :: self
    if (c_plan_sizes(self%handle, sizes) /= weft_success) sizes = c_sizes()
  end function

  !> The bytes of an element at that end; 0 where there is no plan.
  integer function plan_element_bytes(self, side) result(bytes)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(c_element) :: element
    bytes = 0
    if (c_plan_element(self%handle, side, element) == weft_success) bytes = int(element%bytes)
  end function

  !> Whether elements at that end are real numbers; false where there is no plan.
  logical function plan_is_real(self, side) result(is_real)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: side
    type(c_element) :: element
    is_real = .false.
    if (c_plan_element(self%handle, side, element) == weft_success) is_real = element%is_real /= 0
  end function

  !> The end at which the spectrum is: weft_output, unless the kind is c2r.
  integer(c_int) function plan_spectral_side(self) result(side)
    class(weft_plan), intent(in) :: self
    if (c_spectral_side(self%handle, side) /= weft_success) side = weft_output
  end function

  !> Passes, exchanges, bytes, messages and memory, for people; axes are counted as in C. Empty where there is
  !> no plan.
  function plan_describe(self) result(text)
    class(weft_plan), intent(in) :: self
    character(:), allocatable :: text
    text = text_from(c_describe, self%handle)
  end function

  !> The choices that make the same plan again, including the values of options that were left open. Empty where
  !> there is no plan.
  function plan_text(self) result(text)
    class(weft_plan), intent(in) :: self
    character(:), allocatable :: text
    text = text_from(c_plan_text, self%handle)
  end function

  !> Searches for about `seconds` for the fastest values of options that `choices` leave open, and keeps
  !> them as wisdom for later plans. `best` becomes the best options. Collective.
  subroutine weft_tune(communicator, shape, choices, seconds, input, output, stat, errmsg, best)
    type(*), intent(in) :: communicator
    integer, intent(in) :: shape(:)
    character(*), intent(in) :: choices
    real(real64), intent(in) :: seconds
    type(weft_layout), intent(in), optional :: input, output
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable, intent(out), optional :: best
    integer(c_int) :: status
    character(kind=c_char) :: buffer(longest_choices)
    status = c_tune(communicator, size(shape), int(shape, c_int64_t), to_c(choices), handle_of(input), &
      handle_of(output), seconds, buffer, size(buffer, kind=c_size_t))
    if (present(best) .and. status == weft_success) best = joined(buffer)
    call report(status, stat, errmsg)
  end subroutine

  !> A communicator of the same ranks in an order that suits a process grid, whose first dimension varies the
  !> fastest: ranks that exchange are near each other. `placed` becomes an integer or a type(MPI_Comm), as it is
  !> declared, to be freed with MPI_Comm_free. `network`: 'torus:8x8x8' for example; without it what WEFT_NETWORK
  !> says, and without that only nodes are known. Collective.
  subroutine weft_place(communicator, grid, placed, network, stat, errmsg)
    type(*), intent(in) :: communicator
    integer, intent(in) :: grid(:)
    type(*), intent(inout) :: placed
    character(*), intent(in), optional :: network
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: described
    described = ''
    if (present(network)) described = network
    call report(c_place(communicator, size(grid), int(grid, c_int), to_c(described), placed), stat, errmsg)
  end subroutine

  !> The text of plan%describe() for any number of ranks, without starting them; ranks_per_node 0: all on one node.
  subroutine weft_describe_ranks(shape, choices, ranks, text, ranks_per_node, stat, errmsg)
    integer, intent(in) :: shape(:), ranks
    character(*), intent(in) :: choices
    character(:), allocatable, intent(out) :: text
    integer, intent(in), optional :: ranks_per_node
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable :: buffer(:)
    integer(c_size_t) :: length
    integer(c_int) :: status, on_node
    on_node = 0
    if (present(ranks_per_node)) on_node = ranks_per_node
    allocate (buffer(1))
    status = describe_to(buffer(:0))
    if (status == weft_success) then
      deallocate (buffer)
      allocate (buffer(length + 1))
      status = describe_to(buffer)
    end if
    text = ''
    if (status == weft_success) text = joined(buffer)
    call report(status, stat, errmsg)
  contains
    integer(c_int) function describe_to(letters) result(status)
      character(kind=c_char), intent(out) :: letters(:)
      status = c_describe_ranks(size(shape), int(shape, c_int64_t), to_c(choices), ranks, on_node, letters, &
        size(letters, kind=c_size_t), length)
    end function
  end subroutine

  !> The plan's own array at that end, between which transforms are the fastest: call c_f_pointer(p, u,
  !> plan%input%extent). It ends with the plan. Collective.
  subroutine plan_own_array(self, side, first, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer(c_int), intent(in) :: side
    type(c_ptr), intent(out) :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: array
    integer(c_int) :: status
    array = c_null_ptr
    status = c_array_own(self%handle, side, array)
    first = c_array_data(array)
    call c_array_drop(array)  ! the memory stays with the plan
    call report(status, stat, errmsg)
  end subroutine

  !> Copies `bytes` bytes between memory of the plan's device (plan%own_array's, say) and memory of the host. Waits
  !> for all earlier transforms of the plan, and for the copy: call plan%copy(first, c_loc(u), bytes).
  subroutine plan_copy(self, to, from, bytes, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: to, from
    integer(int64), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_plan_copy(self%handle, to, from, int(bytes, c_size_t)), stat, errmsg)
  end subroutine

  !> Returns when the plan's device has done all its work. Results in its memory are complete only then, or for
  !> later work on the plan's stream.
  subroutine plan_synchronize(self, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_plan_synchronize(self%handle), stat, errmsg)
  end subroutine

  !> From now on the plan's device works on this stream of the caller (a cudaStream_t), after the
  !> work that the stream already holds. No transform of the plan may be in flight.
  subroutine plan_set_stream(self, stream, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: stream
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call report(c_plan_set_stream(self%handle, stream), stat, errmsg)
  end subroutine

  ! ---- Transforms ----------------------------------------------------------------------------------

  !> Transforms `in`, an array as plan%input says, to `out`, one as plan%output says, and multiplies by
  !> `scale`. They are arrays of any rank and bounds, whose elements must be contiguous; where the layout is padded or
  !> has strides, their first elements will do. Collective.
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
    call report(c_run_fields(self%handle, direction, size(in), in, size(out), out, factor(scale)), stat, errmsg)
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

  !> Does all work that needs no waiting; `done` says whether the transform is over.
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

  !> Transforms a physical array to its spectrum, applies `function` and transforms back, without a spectrum
  !> in memory. The function sees each mode once, as `forward` would have written it. Collective.
  subroutine plan_apply(self, in, out, function, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(*), dimension(..), target, intent(in) :: in
    type(*), dimension(..), target, intent(inout) :: out
    class(weft_function), target, intent(inout) :: function
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: from, to
    integer(c_int) :: status
    type(caller), target :: user
    user%function => function
    user%axes = self%axes
    call take(self, physical_side(self), in, from, status)
    if (status == weft_success) call take(self, physical_side(self), out, to, status)
    if (status == weft_success) status = c_apply(self%handle, from, to, c_funloc(change_one), c_loc(user))
    call report(status, stat, errmsg)
  end subroutine

  !> The same from one field to several others, by their addresses, through functions(f) to out(f): of one type, with
  !> data of their own. None of them may be the input.
  subroutine plan_apply_each(self, in, out, functions, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(c_ptr), intent(in) :: in, out(:)
    class(weft_function), target, intent(inout) :: functions(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(caller), target :: users(size(functions))
    type(c_ptr) :: to_users(size(functions))
    type(c_funptr) :: calls(size(functions))
    integer :: i
    do i = 1, size(functions)
      users(i)%function => functions(i)
      users(i)%axes = self%axes
      to_users(i) = c_loc(users(i))
      calls(i) = c_funloc(change_one)
    end do
    call report(c_apply_each(self%handle, in, size(out), out, size(calls), calls, to_users), stat, errmsg)
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
    integer(c_int) :: status
    edges = 0
    edges(:min(size(lengths), max_axes)) = lengths(:min(size(lengths), max_axes))
    status = c_check_lengths(self%handle, size(lengths))
    if (status == weft_success) &
      status = c_apply_operator(self%handle, to_c(name), edges, size(in), in, size(out), out)
    call report(status, stat, errmsg)
  end subroutine

  !> Where the physical array is.
  integer(c_int) function physical_side(self) result(side)
    class(weft_plan), intent(in) :: self
    side = weft_input + weft_output - self%spectral_side()
  end function

  ! Threads call these at the same time: `recursive`, so that none shares variables with another.

  recursive subroutine change_one(c, user) bind(c)
    type(c_line), intent(in) :: c
    type(c_ptr), value :: user
    type(c_ptr), target :: values(1)
    values(1) = c%values
    call change(user, values, c%count, c%axis, c%wavenumbers, c%at)
  end subroutine

  recursive subroutine change_several(c, user) bind(c)
    type(c_lines), intent(in) :: c
    type(c_ptr), value :: user
    type(c_ptr), pointer :: values(:)
    call c_f_pointer(c%values, values, [c%fields])
    call change(user, values, c%count, c%axis, c%wavenumbers, c%at)
  end subroutine

  recursive subroutine change(user, values, count, axis, wavenumbers, at)
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

  ! ---- Functions for solvers -----------------------------------------------------------------------

  !> The wavenumbers of this rank's modes along an axis of the spectrum: angular for a box with the edges
  !> `lengths`, else in periods per box. `weights`: how often each mode counts, as a factor for each axis.
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
    part = part_at(self, self%spectral_side())
    count = 0
    if (allocated(part%lower)) then
      if (axis >= 1 .and. axis <= self%axes) count = max(0_int64, part%upper(axis) - part%lower(axis) + 1)
    end if
    allocate (k(max(1_int64, count)), w(max(1_int64, count)))
    given = edges_of(edges, lengths)
    status = weft_success
    if (present(lengths)) status = check_count('lengths', size(lengths), self%axes)
    if (status == weft_success) status = c_wavenumbers(self%handle, c_axis(self%axes, axis), given, k, w)
    wavenumbers = k(:count)
    if (present(weights)) weights = w(:count)
    call report(status, stat, errmsg)
  end subroutine

  !> How many edges are given; where there are none, as many as there should be.
  pure integer function number_of(lengths, axes) result(number)
    real(real64), intent(in), optional :: lengths(:)
    integer, intent(in) :: axes
    number = axes
    if (present(lengths)) number = size(lengths)
  end function

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
    type(c_ptr) :: first
    integer(c_int) :: status
    mean = 0
    call take(self, side, array, first, status)
    if (status == weft_success) status = c_mean_square(self%handle, side, first, mean)
    call report(status, stat, errmsg)
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
    type(c_ptr) :: first
    integer(c_int) :: status
    parts = 0
    call take(self, side, array, first, status)
    if (status == weft_success) status = c_global_sum(self%handle, side, first, parts)
    total = cmplx(parts(1), parts(2), real64)
    call report(status, stat, errmsg)
  end subroutine

  !> Half the mean square by wavenumber: energy(1) has the modes of |k| < 1/2. Collective.
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
    first = c_null_ptr
    shells = 0
    status = c_check_lengths(self%handle, number_of(lengths, self%axes))
    if (status == weft_success) call take(self, self%spectral_side(), spectrum, first, status)
    if (status == weft_success) status = c_energy_by_shell(self%handle, first, given, 0_c_int64_t, none, shells)
    allocate (energy(shells))
    if (status == weft_success) status = c_energy_by_shell(self%handle, first, given, shells, energy, again)
    call report(status, stat, errmsg)
  end subroutine

  !> For r2c_packed: the bounds of this rank's part of the plane that holds modes 0 and n/2.
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

  !> Splits this plane of a spectrum into the planes of mode 0 and of mode n/2, all by their addresses. Collective.
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
