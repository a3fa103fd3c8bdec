! The module decomp_2d_io of 2DECOMP&FFT on MPI-IO: the same files, byte by byte, as 2DECOMP&FFT writes without ADIOS2.
module decomp_2d_io_object_mpi
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_mpi
  use mpi
  implicit none
  private
  integer, save :: open_info = MPI_INFO_NULL, view_info = MPI_INFO_NULL

  type, public :: d2d_io_mpi
    character(:), allocatable :: label
    logical :: is_open = .false.
    integer :: fh
    integer(MPI_OFFSET_KIND) :: disp = 0  !< where the next variable begins
    integer :: mpi_file_open_info = MPI_INFO_NULL, mpi_file_set_view_info = MPI_INFO_NULL
  contains
    procedure :: open => file_open
    procedure :: close => file_close
    procedure :: log => file_log
  end type

  public :: decomp_2d_io_object_get_default_mpi_file_open_info, decomp_2d_io_object_set_default_mpi_file_open_info
  public :: decomp_2d_io_object_get_default_mpi_file_set_view_info
  public :: decomp_2d_io_object_set_default_mpi_file_set_view_info
  public :: decomp_2d_io_object_mpi_init, decomp_2d_io_object_mpi_fin

contains

  subroutine file_open(writer, filename, mode, opt_dirname, opt_mpi_file_open_info, opt_mpi_file_set_view_info)
    class(d2d_io_mpi), intent(inout) :: writer
    character(*), intent(in) :: filename
    integer, intent(in) :: mode
    character(*), intent(in), optional :: opt_dirname
    integer, intent(in), optional :: opt_mpi_file_open_info, opt_mpi_file_set_view_info
    character(:), allocatable :: path
    integer :: access, error
    if (writer%is_open) call decomp_2d_abort(-1, 'Writer was not closed '//writer%label)
    writer%mpi_file_open_info = open_info
    writer%mpi_file_set_view_info = view_info
    if (present(opt_mpi_file_open_info)) writer%mpi_file_open_info = opt_mpi_file_open_info
    if (present(opt_mpi_file_set_view_info)) writer%mpi_file_set_view_info = opt_mpi_file_set_view_info
    path = filename
    if (present(opt_dirname)) path = opt_dirname//'/'//filename
    access = MPI_MODE_CREATE + MPI_MODE_WRONLY
    if (mode == DECOMP_2D_READ_MODE) access = MPI_MODE_RDONLY
    call MPI_File_open(decomp_2d_comm, path, access, writer%mpi_file_open_info, writer%fh, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_OPEN '//path)
    if (mode == DECOMP_2D_WRITE_MODE) call MPI_File_set_size(writer%fh, 0_MPI_OFFSET_KIND, error)
    writer%label = filename
    writer%is_open = .true.
    writer%disp = 0
  end subroutine
  subroutine file_close(writer)
    class(d2d_io_mpi), intent(inout) :: writer
    integer :: error
    if (.not. writer%is_open) then
      call decomp_2d_warning(-1, 'Writer was not opened')
      return
    end if
    call MPI_File_close(writer%fh, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_CLOSE '//writer%label)
    writer%is_open = .false.
    writer%disp = 0
  end subroutine
  subroutine file_log(writer, opt_iounit)
    class(d2d_io_mpi), intent(in) :: writer
    integer, intent(in), optional :: opt_iounit
    integer :: unit
    if (.not. d2d_log_is_active()) return
    unit = d2d_log_get_unit()
    if (present(opt_iounit)) unit = opt_iounit
    if (allocated(writer%label)) write (unit, *) '  d2d_mpi_io '//writer%label
    write (unit, *) '  is_open ', writer%is_open, ', disp ', writer%disp
  end subroutine

  integer function decomp_2d_io_object_get_default_mpi_file_open_info()
    decomp_2d_io_object_get_default_mpi_file_open_info = open_info
  end function
  subroutine decomp_2d_io_object_set_default_mpi_file_open_info(file_open_info)
    integer, intent(in), optional :: file_open_info
    open_info = MPI_INFO_NULL
    if (present(file_open_info)) open_info = file_open_info
  end subroutine
  integer function decomp_2d_io_object_get_default_mpi_file_set_view_info()
    decomp_2d_io_object_get_default_mpi_file_set_view_info = view_info
  end function
  subroutine decomp_2d_io_object_set_default_mpi_file_set_view_info(file_set_view_info)
    integer, intent(in), optional :: file_set_view_info
    view_info = MPI_INFO_NULL
    if (present(file_set_view_info)) view_info = file_set_view_info
  end subroutine
  subroutine decomp_2d_io_object_mpi_init(file_open_info, file_set_view_info)
    integer, intent(in), optional :: file_open_info, file_set_view_info
    call decomp_2d_io_object_set_default_mpi_file_open_info(file_open_info)
    call decomp_2d_io_object_set_default_mpi_file_set_view_info(file_set_view_info)
  end subroutine
  subroutine decomp_2d_io_object_mpi_fin()
    call decomp_2d_io_object_mpi_init()
  end subroutine
end module

module decomp_2d_io
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_io_object_mpi
  use decomp_2d_mpi
  use mpi
  implicit none
  private
  public :: decomp_2d_io_init, decomp_2d_io_fin, decomp_2d_write_one, decomp_2d_read_one, decomp_2d_write_var
  public :: decomp_2d_read_var, decomp_2d_write_plane, decomp_2d_read_plane, decomp_2d_write_scalar, decomp_2d_read_scalar

  interface decomp_2d_write_one
    module procedure write_one_freal, write_one_dreal, write_one_fcplx, write_one_dcplx, write_one_ints, write_one_logs
  end interface
  interface decomp_2d_read_one
    module procedure read_one_freal, read_one_dreal, read_one_fcplx, read_one_dcplx, read_one_ints, read_one_logs
  end interface
  interface decomp_2d_write_var
    module procedure write_var_freal, write_var_dreal, write_var_fcplx, write_var_dcplx, write_var_ints, write_var_logs
  end interface
  interface decomp_2d_read_var
    module procedure read_var_freal, read_var_dreal, read_var_fcplx, read_var_dcplx, read_var_ints, read_var_logs
  end interface
  interface decomp_2d_write_plane
    module procedure write_plane_freal, write_plane_dreal, write_plane_fcplx, write_plane_dcplx, write_plane_ints
    module procedure write_plane_logs
  end interface
  interface decomp_2d_read_plane
    module procedure read_plane_freal, read_plane_dreal, read_plane_fcplx, read_plane_dcplx, read_plane_ints
    module procedure read_plane_logs
  end interface
  interface decomp_2d_write_scalar
    module procedure write_scalar_freal, write_scalar_dreal, write_scalar_fcplx, write_scalar_dcplx, write_scalar_ints
    module procedure write_scalar_logs
  end interface
  interface decomp_2d_read_scalar
    module procedure read_scalar_freal, read_scalar_dreal, read_scalar_fcplx, read_scalar_dcplx, read_scalar_ints
    module procedure read_scalar_logs
  end interface

contains

  subroutine decomp_2d_io_init(file_open_info, file_set_view_info, adios_xml)
    integer, intent(in), optional :: file_open_info, file_set_view_info
    character(*), intent(in), optional :: adios_xml  ! there is no ADIOS2
    if (present(adios_xml)) continue
    call decomp_2d_io_object_mpi_init(file_open_info, file_set_view_info)
  end subroutine
  subroutine decomp_2d_io_fin()
    call decomp_2d_io_object_mpi_fin()
  end subroutine

  !> The part of this rank in a variable at the place that the file has come to, of which `nplanes` are kept if given.
  subroutine view_part(io, pencil, element, decomp, nplanes, elements)
    type(d2d_io_mpi), intent(inout) :: io
    integer, intent(in) :: pencil, element
    type(decomp_info), intent(in), optional :: decomp
    integer, intent(in), optional :: nplanes
    integer, intent(out) :: elements
    integer, dimension(3) :: whole, part, first
    integer :: view, bytes, error
    if (present(decomp)) then
      call part_of(decomp)
    else
      call part_of(decomp_main)
    end if
    if (present(nplanes)) then
      whole(pencil) = nplanes
      part(pencil) = nplanes
    end if
    call MPI_Type_create_subarray(3, whole, part, first, MPI_ORDER_FORTRAN, element, view, error)
    call MPI_Type_commit(view, error)
    call MPI_File_set_view(io%fh, io%disp, element, view, 'native', io%mpi_file_set_view_info, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_SET_VIEW '//io%label)
    call MPI_Type_free(view, error)
    call MPI_Type_size(element, bytes, error)
    io%disp = io%disp + product(int(whole, MPI_OFFSET_KIND))*bytes
    elements = product(part)
  contains
    subroutine part_of(of)
      type(decomp_info), intent(in) :: of
      whole = [of%xsz(1), of%ysz(2), of%zsz(3)]
      select case (pencil)
      case (1)
        first = of%xst - 1
        part = of%xsz
      case (2)
        first = of%yst - 1
        part = of%ysz
      case (3)
        first = of%zst - 1
        part = of%zsz
      case default
        call decomp_2d_abort(pencil, 'Error invalid value of ipencil')
      end select
    end subroutine
  end subroutine

  !> Writes or reads the elements of this rank, or begins to, if the caller has a request.
  subroutine transfer_all(io, writes, data, elements, element, request)
    type(d2d_io_mpi), intent(in) :: io
    logical, intent(in) :: writes
    type(*) :: data(*)
    integer, intent(in) :: elements, element
    integer, intent(inout), optional :: request
    integer :: error
    if (writes) then
      if (present(request)) then
        call MPI_File_iwrite_all(io%fh, data, elements, element, request, error)
      else
        call MPI_File_write_all(io%fh, data, elements, element, MPI_STATUS_IGNORE, error)
      end if
    else if (present(request)) then
      call MPI_File_iread_all(io%fh, data, elements, element, request, error)
    else
      call MPI_File_read_all(io%fh, data, elements, element, MPI_STATUS_IGNORE, error)
    end if
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE: cannot write or read '//io%label)
  end subroutine

  !> The same elements on all ranks.
  subroutine transfer_scalar(io, writes, data, n, element)
    type(d2d_io_mpi), intent(inout) :: io
    logical, intent(in) :: writes
    type(*) :: data(*)
    integer, intent(in) :: n, element
    integer :: bytes, error
    call MPI_File_set_view(io%fh, io%disp, element, element, 'native', io%mpi_file_set_view_info, error)
    call transfer_all(io, writes, data, n, element)
    call MPI_Type_size(element, bytes, error)
    io%disp = io%disp + int(n, MPI_OFFSET_KIND)*bytes
  end subroutine

  logical function reduces(wish)
    logical, intent(in), optional :: wish
    reduces = default_opt_reduce_prec
    if (present(wish)) reduces = wish
  end function

#define WRITE_ONE write_one_freal
#define READ_ONE read_one_freal
#define WRITE_VAR write_var_freal
#define READ_VAR read_var_freal
#define WRITE_PLANE write_plane_freal
#define READ_PLANE read_plane_freal
#define WRITE_SCALAR write_scalar_freal
#define READ_SCALAR read_scalar_freal
#define VALUE real(real32)
#define ELEMENT MPI_REAL
#include "decomp_2d_io.inc"
#define WRITE_ONE write_one_dreal
#define READ_ONE read_one_dreal
#define WRITE_VAR write_var_dreal
#define READ_VAR read_var_dreal
#define WRITE_PLANE write_plane_dreal
#define READ_PLANE read_plane_dreal
#define WRITE_SCALAR write_scalar_dreal
#define READ_SCALAR read_scalar_dreal
#define VALUE real(real64)
#define ELEMENT MPI_DOUBLE_PRECISION
#define SHORT real(real32)
#define SHORT_ELEMENT MPI_REAL
#define SHORTENED real(var, real32)
#include "decomp_2d_io.inc"
#define WRITE_ONE write_one_fcplx
#define READ_ONE read_one_fcplx
#define WRITE_VAR write_var_fcplx
#define READ_VAR read_var_fcplx
#define WRITE_PLANE write_plane_fcplx
#define READ_PLANE read_plane_fcplx
#define WRITE_SCALAR write_scalar_fcplx
#define READ_SCALAR read_scalar_fcplx
#define VALUE complex(real32)
#define ELEMENT MPI_COMPLEX
#include "decomp_2d_io.inc"
#define WRITE_ONE write_one_dcplx
#define READ_ONE read_one_dcplx
#define WRITE_VAR write_var_dcplx
#define READ_VAR read_var_dcplx
#define WRITE_PLANE write_plane_dcplx
#define READ_PLANE read_plane_dcplx
#define WRITE_SCALAR write_scalar_dcplx
#define READ_SCALAR read_scalar_dcplx
#define VALUE complex(real64)
#define ELEMENT MPI_DOUBLE_COMPLEX
#define SHORT complex(real32)
#define SHORT_ELEMENT MPI_COMPLEX
#define SHORTENED cmplx(var, kind=real32)
#include "decomp_2d_io.inc"
#define WRITE_ONE write_one_ints
#define READ_ONE read_one_ints
#define WRITE_VAR write_var_ints
#define READ_VAR read_var_ints
#define WRITE_PLANE write_plane_ints
#define READ_PLANE read_plane_ints
#define WRITE_SCALAR write_scalar_ints
#define READ_SCALAR read_scalar_ints
#define VALUE integer
#define ELEMENT MPI_INTEGER
#include "decomp_2d_io.inc"
#define WRITE_ONE write_one_logs
#define READ_ONE read_one_logs
#define WRITE_VAR write_var_logs
#define READ_VAR read_var_logs
#define WRITE_PLANE write_plane_logs
#define READ_PLANE read_plane_logs
#define WRITE_SCALAR write_scalar_logs
#define READ_SCALAR read_scalar_logs
#define VALUE logical
#define ELEMENT MPI_LOGICAL
#include "decomp_2d_io.inc"
end module
