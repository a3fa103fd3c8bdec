! Files of 2DECOMP&FFT on MPI-IO, without ADIOS2: the object for an open file, and the part of a rank in it.
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
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_SET_SIZE '//path)
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

!> Where elements of this rank lie in a file.
module weft_files
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_loc, c_null_char
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_io_object_mpi
  use decomp_2d_mpi
  use mpi
  use weft_pencils, only: bounds_of, global_size
  implicit none
  private
  public :: part_of, transfer_part, transfer_scalars, make_folder

  interface
    integer(c_int) function c_mkdir(path, mode) bind(c, name='mkdir')
      import :: c_char, c_int
      character(c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
    end function
  end interface

contains

  !> The pencil of this rank in a whole array.
  subroutine part_of(pencil, whole, first, part, decomp)
    integer, intent(in) :: pencil
    integer, intent(out) :: whole(3), first(3), part(3)
    type(decomp_info), intent(in), optional :: decomp
    integer :: bounds(2, 3)
    if (pencil < 1 .or. pencil > 3) call decomp_2d_abort(pencil, 'Error invalid value of ipencil')
    if (present(decomp)) then
      whole = global_size(decomp)
      bounds = bounds_of(pencil, decomp, .true., [0, 0, 0])
    else
      whole = global_size(decomp_main)
      bounds = bounds_of(pencil, decomp_main, .true., [0, 0, 0])
    end if
    first = bounds(1, :) - 1
    part = bounds(2, :) - bounds(1, :) + 1
  end subroutine

  !> Writes or reads the elements of this rank of a whole array that begins at `disp`, or begins to, if the caller has a
  !> request; one that is still pending is awaited. `disp` becomes the end of the array. All ranks, also those without
  !> elements. A rank's elements are one of a type for all of them, since MPI's counts end at 2^31.
  subroutine transfer_part(fh, disp, writes, values, element, whole, first, part, info, request)
    integer, intent(in) :: fh, element, whole(:), first(:), part(:)
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    logical, intent(in) :: writes
    type(*), target :: values(*)
    integer, intent(in), optional :: info
    integer, intent(inout), optional :: request
    integer :: view, elements, bytes, error, hints
    if (present(request)) call decomp_2d_mpi_wait(request)
    hints = MPI_INFO_NULL
    if (present(info)) hints = info
    view = element
    elements = element
    if (all(part > 0)) then
      call MPI_Type_create_subarray(size(whole), whole, part, first, MPI_ORDER_FORTRAN, element, view, error)
      call MPI_Type_commit(view, error)
      call MPI_Type_create_subarray(size(part), part, part, 0*part, MPI_ORDER_FORTRAN, element, elements, error)
      call MPI_Type_commit(elements, error)
    end if
    call MPI_File_set_view(fh, disp, element, view, 'native', hints, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_SET_VIEW')
    call transfer(fh, writes, values, merge(1, 0, all(part > 0)), elements, request)
    if (all(part > 0)) then
      call MPI_Type_free(view, error)
      call MPI_Type_free(elements, error)
    end if
    call MPI_Type_size(element, bytes, error)
    disp = disp + product(int(whole, MPI_OFFSET_KIND))*bytes
  end subroutine

  !> The same elements on all ranks.
  subroutine transfer_scalars(fh, disp, writes, values, n, element)
    integer, intent(in) :: fh, n, element
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    logical, intent(in) :: writes
    type(*), target :: values(*)
    integer :: bytes, error
    call MPI_File_set_view(fh, disp, element, element, 'native', MPI_INFO_NULL, error)
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE_SET_VIEW')
    call transfer(fh, writes, values, merge(0, n, writes .and. nrank > 0), element)
    call MPI_Type_size(element, bytes, error)
    disp = disp + int(n, MPI_OFFSET_KIND)*bytes
  end subroutine

  !> MPI takes the address as one of integers: some MPIs declare no interfaces that take any type.
  subroutine transfer(fh, writes, values, elements, element, request)
    integer, intent(in) :: fh, elements, element
    logical, intent(in) :: writes
    type(*), target :: values(*)
    integer, intent(inout), optional :: request
    integer, pointer, contiguous :: words(:)
    integer :: error
    call c_f_pointer(c_loc(values), words, [1])
    if (writes .and. present(request)) then
      call MPI_File_iwrite_all(fh, words, elements, element, request, error)
    else if (writes) then
      call MPI_File_write_all(fh, words, elements, element, MPI_STATUS_IGNORE, error)
    else if (present(request)) then
      call MPI_File_iread_all(fh, words, elements, element, request, error)
    else
      call MPI_File_read_all(fh, words, elements, element, MPI_STATUS_IGNORE, error)
    end if
    if (error /= MPI_SUCCESS) call decomp_2d_abort(error, 'MPI_FILE: cannot write or read')
  end subroutine

  !> One rank makes it, where it is not there yet.
  subroutine make_folder(path)
    character(*), intent(in) :: path
    integer :: error
    integer, parameter :: for_all = int(o'777')
    if (nrank == 0) error = c_mkdir(trim(path)//c_null_char, for_all)
    call MPI_Barrier(decomp_2d_comm, error)
  end subroutine
end module
