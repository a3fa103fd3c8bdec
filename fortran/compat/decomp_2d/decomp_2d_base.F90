! The modules of 2DECOMP&FFT below its decomposition, on Weft: constants, communicators, the plans that transposes share,
! and ghost cells. Compiled with DOUBLE_PREC, numbers have double precision, as in 2DECOMP&FFT.
module decomp_2d_constants
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi
  implicit none
#ifdef DOUBLE_PREC
  integer, parameter, public :: mytype = real64, real_type = MPI_DOUBLE_PRECISION, complex_type = MPI_DOUBLE_COMPLEX
  integer, parameter, public :: real2_type = MPI_2DOUBLE_PRECISION
  character(*), parameter :: weft_precision = ' precision=double'
#else
  integer, parameter, public :: mytype = real32, real_type = MPI_REAL, complex_type = MPI_COMPLEX
  integer, parameter, public :: real2_type = MPI_2REAL
  character(*), parameter :: weft_precision = ' precision=float'
#endif
#if defined(DOUBLE_PREC) && !defined(SAVE_SINGLE)
  integer, parameter, public :: mytype_single = real64, real_type_single = MPI_DOUBLE_PRECISION
#else
  integer, parameter, public :: mytype_single = real32, real_type_single = MPI_REAL
#endif
#ifdef SAVE_SINGLE
  logical, parameter :: default_opt_reduce_prec = .true.
#else
  logical, parameter :: default_opt_reduce_prec = .false.
#endif
  integer, parameter, public :: D2D_MAJOR = 2, D2D_MINOR = 0
  logical, parameter, public :: D2D_RELEASE = .true.
  integer, parameter, public :: D2D_LOG_QUIET = 0, D2D_LOG_STDOUT = 1, D2D_LOG_TOFILE = 2, D2D_LOG_TOFILE_FULL = 3
  integer, parameter, public :: D2D_DEBUG_LEVEL_OFF = 0, D2D_DEBUG_LEVEL_CRITICAL = 1, D2D_DEBUG_LEVEL_ERROR = 2
  integer, parameter, public :: D2D_DEBUG_LEVEL_WARN = 3, D2D_DEBUG_LEVEL_INFO = 4, D2D_DEBUG_LEVEL_DEBUG = 5
  integer, parameter, public :: D2D_DEBUG_LEVEL_TRACE = 6
  integer, parameter, public :: DECOMP_PROFILER_NONE = 0, DECOMP_PROFILER_CALIPER = 1
  integer, parameter, public :: D2D_FFT_BACKEND_GENERIC = 0, D2D_FFT_BACKEND_FFTW3 = 1, D2D_FFT_BACKEND_FFTW3_F03 = 2
  integer, parameter, public :: D2D_FFT_BACKEND_MKL = 3, D2D_FFT_BACKEND_CUFFT = 4
  integer, parameter, public :: DECOMP_2D_FFT_FORWARD = -1, DECOMP_2D_FFT_BACKWARD = 1
  integer, parameter, public :: PHYSICAL_IN_X = 1, PHYSICAL_IN_Z = 3
  integer, parameter, public :: DECOMP_2D_IO_NONE = 0, DECOMP_2D_IO_MPI = 1, DECOMP_2D_IO_ADIOS2 = 2
  integer, parameter, public :: DECOMP_2D_WRITE_MODE = 1, DECOMP_2D_READ_MODE = 2, DECOMP_2D_APPEND_MODE = 3
  integer, parameter, public :: DECOMP_2D_IO_DEFERRED = 1, DECOMP_2D_IO_SYNC = 2, DECOMP_2D_INTERP_BASIC = 0
  logical, parameter, public :: DECOMP_2D_FFT_INPLACE = .false.
end module

module decomp_2d_mpi
  use decomp_2d_constants
  use mpi
  implicit none
  integer, save, public :: mytype_bytes, nrank = -1, nproc = -1, decomp_2d_comm = MPI_COMM_NULL
  integer, save, public :: DECOMP_2D_COMM_CART_X = MPI_COMM_NULL, DECOMP_2D_COMM_CART_Y = MPI_COMM_NULL
  integer, save, public :: DECOMP_2D_COMM_CART_Z = MPI_COMM_NULL
  integer, save, public :: DECOMP_2D_COMM_ROW = MPI_COMM_NULL, DECOMP_2D_COMM_COL = MPI_COMM_NULL

  interface decomp_2d_abort
    module procedure abort_basic, abort_at
  end interface
  interface decomp_2d_warning
    module procedure warn_basic, warn_at
  end interface
  private :: abort_basic, abort_at, warn_basic, warn_at, tell

contains

  subroutine decomp_2d_mpi_init(comm)
    integer, intent(in), optional :: comm
    integer :: error
    decomp_2d_comm = MPI_COMM_WORLD
    if (present(comm)) decomp_2d_comm = comm
    call MPI_Comm_rank(decomp_2d_comm, nrank, error)
    call MPI_Comm_size(decomp_2d_comm, nproc, error)
  end subroutine
  subroutine decomp_2d_mpi_fin()
    nrank = -1
    nproc = -1
    decomp_2d_comm = MPI_COMM_NULL
  end subroutine
  subroutine decomp_2d_mpi_comm_free(mpi_comm)
    integer, intent(inout) :: mpi_comm
    integer :: error
    if (mpi_comm /= MPI_COMM_NULL) call MPI_Comm_free(mpi_comm, error)
    mpi_comm = MPI_COMM_NULL
  end subroutine
  subroutine decomp_2d_mpi_wait(req)
    integer, intent(inout) :: req
    integer :: error
    call MPI_Wait(req, MPI_STATUS_IGNORE, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_WAIT')
  end subroutine

  subroutine tell(kind, errorcode, msg)
    use, intrinsic :: iso_fortran_env, only: error_unit
    character(*), intent(in) :: kind, msg
    integer, intent(in) :: errorcode
    if (nrank == 0) write (error_unit, '(3a,i0,2a)') '2DECOMP&FFT ', kind, ' - errorcode: ', errorcode, ': ', msg
  end subroutine
  subroutine abort_basic(errorcode, msg)
    integer, intent(in) :: errorcode
    character(*), intent(in) :: msg
    integer :: error
    call tell('ERROR', errorcode, msg)
    call MPI_Abort(decomp_2d_comm, errorcode, error)
  end subroutine
  subroutine abort_at(file, line, errorcode, msg)
    character(*), intent(in) :: file, msg
    integer, intent(in) :: line, errorcode
    character(12) :: number
    write (number, '(i0)') line
    call abort_basic(errorcode, file//', line '//trim(number)//': '//msg)
  end subroutine
  subroutine warn_basic(errorcode, msg)
    integer, intent(in) :: errorcode
    character(*), intent(in) :: msg
    call tell('WARNING', errorcode, msg)
  end subroutine
  subroutine warn_at(file, line, errorcode, msg)
    character(*), intent(in) :: file, msg
    integer, intent(in) :: line, errorcode
    character(12) :: number
    write (number, '(i0)') line
    call tell('WARNING', errorcode, file//', line '//trim(number)//': '//msg)
  end subroutine
end module

!> Nothing is profiled here: WEFT_TRACE records what plans do.
module decomp_2d_profiler
  use decomp_2d_constants
  implicit none
  integer, save, public :: decomp_profiler = DECOMP_PROFILER_NONE
  logical, save, public :: decomp_profiler_transpose = .false., decomp_profiler_io = .false., decomp_profiler_fft = .false.
  logical, save, public :: decomp_profiler_d2d = .false.
contains
  subroutine decomp_profiler_prep(profiler_setup)
    logical, intent(in), optional :: profiler_setup(4)
    if (present(profiler_setup)) continue
  end subroutine
  subroutine decomp_profiler_start(timer_name)
    character(*), intent(in) :: timer_name
    if (len(timer_name) < 0) continue
  end subroutine
  subroutine decomp_profiler_end(timer_name)
    character(*), intent(in) :: timer_name
    if (len(timer_name) < 0) continue
  end subroutine
end module

module m_info
  implicit none
  type, abstract :: info
    integer, dimension(3) :: xst, xen, xsz, yst, yen, ysz, zst, zen, zsz
  end type
  !> The pencils of this rank for a global size.
  type, extends(info), public :: decomp_info
    integer, allocatable, dimension(:) :: x1dist, y1dist, y2dist, z2dist
    integer, dimension(3) :: xlevel = 0, ylevel = 0, zlevel = 0
  end type
  type(decomp_info), target, save, public :: decomp_main
  public
end module

!> Plans of Weft between pencils, by their sizes.
module weft_pencils
  use, intrinsic :: iso_c_binding, only: c_int
  use decomp_2d_constants
  use decomp_2d_mpi
  use m_info
  use weft
  implicit none
  private
  public :: kept_plan, pencil_layout, global_size, transpose_plan, drop_plans, first_of, size_of, bounds_of, is_given

  integer, save, public :: dims(2), coord(2)

  type :: kept_plan
    integer :: sizes(3), from, bytes
    type(weft_plan) :: plan
    type(kept_plan), pointer :: next => null()
  end type
  type(kept_plan), pointer, save :: plans => null()

contains

  !> 2DECOMP gives longer parts to the last ranks.
  pure integer function size_of(length, parts, part)
    integer, intent(in) :: length, parts, part
    size_of = length/parts + merge(1, 0, part >= parts - mod(length, parts))
  end function
  pure integer function first_of(length, parts, part)
    integer, intent(in) :: length, parts, part
    first_of = 1 + length/parts*part + max(part - (parts - mod(length, parts)), 0)
  end function

  pure function global_size(decomp) result(sizes)
    type(decomp_info), intent(in) :: decomp
    integer :: sizes(3)
    sizes = [decomp%xsz(1), decomp%ysz(2), decomp%zsz(3)]
  end function

  !> The bounds of an array: of this rank, or global, with ghost cells of the decomposition or of the caller.
  function bounds_of(pencil, decomp, global, levels) result(bounds)
    integer, intent(in) :: pencil
    type(decomp_info), intent(in) :: decomp
    logical, intent(in), optional :: global
    integer, intent(in), optional :: levels(3)
    integer :: bounds(2, 3), around(3)
    select case (pencil)
    case (1)
      bounds = reshape([decomp%xst, decomp%xen], [2, 3], order=[2, 1])
      around = decomp%xlevel
    case (2)
      bounds = reshape([decomp%yst, decomp%yen], [2, 3], order=[2, 1])
      around = decomp%ylevel
    case default
      bounds = reshape([decomp%zst, decomp%zen], [2, 3], order=[2, 1])
      around = decomp%zlevel
    end select
    if (present(levels)) around = levels
    if (.not. is_given(global)) bounds = bounds - spread(bounds(1, :), 1, 2) + 1
    bounds(1, :) = bounds(1, :) - around
    bounds(2, :) = bounds(2, :) + around
  end function
  logical function is_given(flag)
    logical, intent(in), optional :: flag
    is_given = .false.
    if (present(flag)) is_given = flag
  end function

  !> Ranks are numbered along the columns of the grid first. `pencil` is the axis that is whole.
  subroutine pencil_layout(sizes, pencil, layout)
    integer, intent(in) :: sizes(3), pencil
    type(weft_layout), intent(inout) :: layout
    integer, parameter :: cut(2, 3) = reshape([3, 2, 3, 1, 2, 1], [2, 3])
    call layout%grid(sizes, [dims(2), dims(1)], cut(:, pencil))
    call layout%partition('longer_last')
  end subroutine

  !> Between pencils `from` and from + 1, of elements with so many bytes.
  function transpose_plan(sizes, from, bytes) result(found)
    integer, intent(in) :: sizes(3), from, bytes
    type(kept_plan), pointer :: found
    type(weft_layout) :: source, target
    character(20) :: text
    found => plans
    do while (associated(found))
      if (all(found%sizes == sizes) .and. found%from == from .and. found%bytes == bytes) return
      found => found%next
    end do
    allocate (found)
    found%sizes = sizes
    found%from = from
    found%bytes = bytes
    call pencil_layout(sizes, from, source)
    call pencil_layout(sizes, from + 1, target)
    write (text, '(a,i0)') 'kind=none bytes=', bytes
    call found%plan%create(decomp_2d_comm, sizes, trim(text), source, target)
    found%next => plans
    plans => found
    call source%drop()
    call target%drop()
  end function

  subroutine drop_plans()
    type(kept_plan), pointer :: plan
    do while (associated(plans))
      plan => plans
      plans => plan%next
      call plan%plan%drop()
      deallocate (plan)
    end do
  end subroutine
end module

!> Ghost cells are exchanged between neighbours, of whatever parts they have: also of coarse meshes, whose parts are no
!> partition of Weft.
module m_halo
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
  use decomp_2d_constants
  use decomp_2d_mpi
  use m_info
  use mpi
  implicit none
  private
  public :: update_halo, halo_exchange, halo_extents_t

  type :: halo_extents_t
    integer :: xs, xe, ys, ye, zs, ze
  end type
  interface halo_extents_t
    procedure extents_of
  end interface
  interface update_halo
    module procedure update_real, update_real_short, update_complex, update_complex_short
  end interface
  interface halo_exchange
    module procedure exchange_real, exchange_complex
  end interface

contains

  !> The pencil that a caller names; else the one whose whole axis has this length.
  integer function pencil_of(sizes, decomp, pencil)
    integer, intent(in) :: sizes(3)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in), optional :: pencil
    pencil_of = 0
    if (sizes(3) == decomp%zsz(3)) pencil_of = 3
    if (sizes(2) == decomp%ysz(2)) pencil_of = 2
    if (sizes(1) == decomp%xsz(1)) pencil_of = 1
    if (present(pencil)) pencil_of = pencil
    if (pencil_of == 0) call decomp_2d_abort(1, 'update_halo: the array is no pencil of this decomposition')
  end function

  type(halo_extents_t) function extents_of(ipencil, sizes, decomp, level, global) result(extents)
    integer, intent(in) :: ipencil, sizes(3), level
    type(decomp_info), intent(in) :: decomp
    logical, intent(in) :: global
    integer :: first(3), around(3)
    first = 1
    if (global .and. ipencil == 1) first = decomp%xst
    if (global .and. ipencil == 2) first = decomp%yst
    if (global .and. ipencil == 3) first = decomp%zst
    around = level
    around(ipencil) = 0
    extents%xs = first(1) - around(1)
    extents%ys = first(2) - around(2)
    extents%zs = first(3) - around(3)
    extents%xe = first(1) + sizes(1) - 1 + around(1)
    extents%ye = first(2) + sizes(2) - 1 + around(2)
    extents%ze = first(3) + sizes(3) - 1 + around(3)
  end function

  !> Along one axis and then, with the ghost cells of that one, along the other. `words` is the address of an array with
  !> ghost cells and these extents. Both directions of an axis have their own tag, because on two ranks of a periodic axis
  !> both neighbours are the same.
  subroutine exchange_cells(words, extents, pencil, level, element)
    integer, contiguous, intent(inout) :: words(:)
    integer, intent(in) :: extents(3), pencil, level, element
    integer, parameter :: cut(2, 3) = reshape([2, 3, 1, 3, 1, 2], [2, 3])  ! by rows, by columns
    integer :: by, axis, below, above, comm, error, lower_ghost, upper_ghost, lower_inside, upper_inside
    if (level < 1) return
    comm = merge(DECOMP_2D_COMM_CART_X, merge(DECOMP_2D_COMM_CART_Y, DECOMP_2D_COMM_CART_Z, pencil == 2), pencil == 1)
    do by = 1, 2
      axis = cut(by, pencil)
      call MPI_Cart_shift(comm, by - 1, 1, below, above, error)
      lower_ghost = slab(0)
      lower_inside = slab(level)
      upper_inside = slab(extents(axis) - 2*level)
      upper_ghost = slab(extents(axis) - level)
      call MPI_Sendrecv(words, 1, lower_inside, below, 1, words, 1, upper_ghost, above, 1, comm, MPI_STATUS_IGNORE, error)
      call MPI_Sendrecv(words, 1, upper_inside, above, 2, words, 1, lower_ghost, below, 2, comm, MPI_STATUS_IGNORE, error)
      call MPI_Type_free(lower_ghost, error)
      call MPI_Type_free(lower_inside, error)
      call MPI_Type_free(upper_inside, error)
      call MPI_Type_free(upper_ghost, error)
    end do
  contains
    !> The type of `level` planes across the axis.
    integer function slab(first) result(planes)
      integer, intent(in) :: first
      integer :: part(3), start(3)
      part = extents
      part(axis) = level
      start = 0
      start(axis) = first
      call MPI_Type_create_subarray(3, extents, part, start, MPI_ORDER_FORTRAN, element, planes, error)
      call MPI_Type_commit(planes, error)
    end function
  end subroutine

#define UPDATE_SHORT update_real_short
#define UPDATE update_real
#define EXCHANGE exchange_real
#define VALUE real(mytype)
#define ELEMENT real_type
#include "decomp_2d_halo.inc"
#define UPDATE_SHORT update_complex_short
#define UPDATE update_complex
#define EXCHANGE exchange_complex
#define VALUE complex(mytype)
#define ELEMENT complex_type
#include "decomp_2d_halo.inc"
end module
