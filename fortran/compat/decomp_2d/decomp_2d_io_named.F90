! The procedures of decomp_2d_io with the arguments of release 2.0, where open files have names: a program says
! io_name and the path. Xcompact3d uses them.
module decomp_2d_io_named
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_io_object_mpi
  use decomp_2d_mpi
  use mpi
  use weft_files
  implicit none
  private
  public :: decomp_2d_io_finalise, decomp_2d_init_io, decomp_2d_register_variable, decomp_2d_open_io, decomp_2d_close_io
  public :: decomp_2d_start_io, decomp_2d_end_io, gen_iodir_name, decomp_2d_write_one, decomp_2d_read_one
  public :: decomp_2d_write_var, decomp_2d_read_var, decomp_2d_write_scalar, decomp_2d_read_scalar, decomp_2d_write_plane
  public :: decomp_2d_write_every, decomp_2d_write_subdomain, decomp_2d_write_outflow, decomp_2d_read_inflow

  type :: named_file
    character(:), allocatable :: name
    type(d2d_io_mpi) :: io
  end type
  type(named_file), target, save :: files(100)

  interface decomp_2d_write_one
    module procedure write_one_real_of, write_one_complex_of, write_coarse, write_probe
  end interface
  interface decomp_2d_read_one
    module procedure read_one_named, read_one_complex_of
  end interface
  interface decomp_2d_write_var
    module procedure write_var_real, write_var_complex
  end interface
  interface decomp_2d_read_var
    module procedure read_var_real, read_var_complex
  end interface
  interface decomp_2d_write_scalar
    module procedure write_scalar_real, write_scalar_complex, write_scalar_integer, write_scalar_logical
  end interface
  interface decomp_2d_read_scalar
    module procedure read_scalar_real, read_scalar_complex, read_scalar_integer, read_scalar_logical
  end interface
  interface decomp_2d_write_plane
    module procedure write_plane_real, write_plane_complex
  end interface
  interface decomp_2d_write_every
    module procedure write_every_real, write_every_complex
  end interface

contains

  subroutine decomp_2d_io_finalise()
    call decomp_2d_io_object_mpi_fin()
  end subroutine

  ! ---- Open files --------------------------------------------------------------------------------------

  !> Null unless the program has opened it.
  function file_of(io_name, path) result(io)
    character(*), intent(in) :: io_name, path
    type(d2d_io_mpi), pointer :: io
    integer :: i
    io => null()
    do i = 1, size(files)
      if (.not. files(i)%io%is_open) cycle
      if (files(i)%name == io_name//'::'//path) io => files(i)%io
    end do
  end function
  function required(io_name, path) result(io)
    character(*), intent(in) :: io_name, path
    type(d2d_io_mpi), pointer :: io
    io => file_of(io_name, path)
    if (.not. associated(io)) call decomp_2d_abort(-1, 'decomp_2d_io: '//io_name//' is not open on '//path)
  end function

  subroutine decomp_2d_open_io(io_name, io_dir, mode)
    character(*), intent(in) :: io_name, io_dir
    integer, intent(in) :: mode
    integer :: i
    if (associated(file_of(io_name, io_dir))) return
    do i = 1, size(files)
      if (.not. files(i)%io%is_open) exit
    end do
    if (i > size(files)) call decomp_2d_abort(i, 'decomp_2d_open_io: too many open files')
    files(i)%name = io_name//'::'//io_dir
    call files(i)%io%open(trim(io_dir), mode)
  end subroutine
  subroutine decomp_2d_close_io(io_name, io_dir)
    character(*), intent(in) :: io_name, io_dir
    type(d2d_io_mpi), pointer :: io
    io => required(io_name, io_dir)
    call io%close()
  end subroutine

  ! These have a meaning for ADIOS2 alone.
  subroutine decomp_2d_init_io(io_name)
    character(*), intent(in) :: io_name
    if (len(io_name) < 0) continue
  end subroutine
  subroutine decomp_2d_start_io(io_name, io_dir)
    character(*), intent(in) :: io_name, io_dir
    if (len(io_name) + len(io_dir) < 0) continue
  end subroutine
  subroutine decomp_2d_end_io(io_name, io_dir)
    character(*), intent(in) :: io_name, io_dir
    if (len(io_name) + len(io_dir) < 0) continue
  end subroutine
  subroutine decomp_2d_register_variable(io_name, varname, ipencil, icoarse, iplane, type, opt_decomp, opt_nplanes)
    character(*), intent(in) :: io_name, varname
    integer, intent(in) :: ipencil, icoarse, iplane, type
    type(decomp_info), intent(in), optional :: opt_decomp
    integer, intent(in), optional :: opt_nplanes
    if (len(io_name) + len(varname) + ipencil + icoarse + iplane + type < 0) continue
    if (present(opt_decomp) .or. present(opt_nplanes)) continue
  end subroutine
  function gen_iodir_name(io_dir, io_name)
    character(*), intent(in) :: io_dir, io_name
    character(len(io_dir) + 5) :: gen_iodir_name
    if (len(io_name) < 0) continue
    gen_iodir_name = io_dir
  end function

  ! ---- Whole arrays, and coarse meshes of them ------------------------------------------------------------

  !> mesh: 0: all points, 1: for statistics, 2: for pictures, 3: for probes.
  subroutine coarse_part(mesh, pencil, whole, first, part, decomp)
    integer, intent(in) :: mesh, pencil
    integer, intent(out) :: whole(3), first(3), part(3)
    type(decomp_info), intent(in), optional :: decomp
    integer, dimension(3, 3, 3) :: start, extent  ! axis, pencil, mesh
    call part_of(pencil, whole, first, part, decomp)
    if (mesh == 0) return
    if (mesh < 0 .or. mesh > 3) call decomp_2d_abort(mesh, 'Error invalid value of icoarse')
    start = reshape([xstS, ystS, zstS, xstV, ystV, zstV, xstP, ystP, zstP], [3, 3, 3])
    extent = reshape([xszS, yszS, zszS, xszV, yszV, zszV, xszP, yszP, zszP], [3, 3, 3])
    whole = [extent(1, 1, mesh), extent(2, 2, mesh), extent(3, 3, mesh)]
    first = start(:, pencil, mesh) - 1
    part = extent(:, pencil, mesh)
  end subroutine

  !> Whether numbers in files are shorter than those of the program.
  logical function shortens(reduce_prec)
    logical, intent(in), optional :: reduce_prec
    shortens = mytype_single /= mytype
    if (present(reduce_prec)) shortens = shortens .and. reduce_prec
  end function

  !> To a file that the program has opened, else to dirname/varname.
  subroutine write_coarse(ipencil, var, dirname, varname, icoarse, io_name, opt_decomp, reduce_prec, opt_deferred_writes)
    integer, intent(in) :: ipencil, icoarse
    real(mytype), contiguous, intent(in) :: var(:, :, :)
    character(*), intent(in) :: dirname, varname, io_name
    type(decomp_info), intent(in), optional :: opt_decomp
    logical, intent(in), optional :: reduce_prec, opt_deferred_writes
    real(mytype_single), allocatable :: short_form(:, :, :)
    type(d2d_io_mpi), pointer :: io
    type(d2d_io_mpi), target :: own
    integer, dimension(3) :: whole, first, part
    if (present(opt_deferred_writes)) continue
    call coarse_part(icoarse, ipencil, whole, first, part, opt_decomp)
    io => file_of(io_name, dirname)
    if (.not. associated(io)) then
      call make_folder(dirname)
      call own%open(trim(varname), DECOMP_2D_WRITE_MODE, trim(dirname))
      io => own
    end if
    if (shortens(reduce_prec)) then
      allocate (short_form, source=real(var, mytype_single))
      call transfer_part(io%fh, io%disp, .true., short_form, real_type_single, whole, first, part)
    else
      call transfer_part(io%fh, io%disp, .true., var, real_type, whole, first, part)
    end if
    if (own%is_open) call own%close()
  end subroutine
  subroutine read_one_named(ipencil, var, dirname, varname, io_name, opt_decomp, reduce_prec)
    integer, intent(in) :: ipencil
    real(mytype), contiguous, intent(inout) :: var(:, :, :)
    character(*), intent(in) :: dirname, varname, io_name
    type(decomp_info), intent(in), optional :: opt_decomp
    logical, intent(in), optional :: reduce_prec
    real(mytype_single), allocatable :: short_form(:, :, :)
    type(d2d_io_mpi), pointer :: io
    type(d2d_io_mpi), target :: own
    integer, dimension(3) :: whole, first, part
    call part_of(ipencil, whole, first, part, opt_decomp)
    io => file_of(io_name, dirname)
    if (.not. associated(io)) then
      call own%open(trim(varname), DECOMP_2D_READ_MODE, trim(dirname))
      io => own
    end if
    if (shortens(reduce_prec)) then
      allocate (short_form(part(1), part(2), part(3)))
      call transfer_part(io%fh, io%disp, .false., short_form, real_type_single, whole, first, part)
      var = short_form
    else
      call transfer_part(io%fh, io%disp, .false., var, real_type, whole, first, part)
    end if
    if (own%is_open) call own%close()
  end subroutine

  !> The coarse mesh for probes, with a value for each of some times.
  subroutine write_probe(ipencil, var, filename, nlength)
    integer, intent(in) :: ipencil, nlength
    real(mytype), contiguous, intent(in) :: var(:, :, :, :)
    character(*), intent(in) :: filename
    type(d2d_io_mpi) :: io
    integer, dimension(3) :: whole, first, part
    call coarse_part(3, ipencil, whole, first, part)
    call io%open(filename, DECOMP_2D_WRITE_MODE)
    call transfer_part(io%fh, io%disp, .true., var, real_type, [whole, nlength], [first, 0], [part, nlength])
    call io%close()
  end subroutine

  !> Points is to ie, js to je, ks to ke.
  subroutine decomp_2d_write_subdomain(ipencil, var, is, ie, js, je, ks, ke, filename)
    integer, intent(in) :: ipencil, is, ie, js, je, ks, ke
    real(mytype), contiguous, intent(in) :: var(:, :, :)
    character(*), intent(in) :: filename
    type(d2d_io_mpi) :: io
    real(mytype), allocatable :: inside(:, :, :)
    integer, dimension(3) :: whole, first, part, low, high
    call part_of(ipencil, whole, first, part)
    if (min(is, js, ks) < 1 .or. any([ie, je, ke] > whole)) call decomp_2d_abort(10, 'Invalid subdomain specified in I/O')
    low = max([is, js, ks] - first, 1)
    high = min([ie, je, ke] - first, part)
    allocate (inside, source=var(low(1):high(1), low(2):high(2), low(3):high(3)))
    call io%open(filename, DECOMP_2D_WRITE_MODE)
    call transfer_part(io%fh, io%disp, .true., inside, real_type, [ie, je, ke] - [is, js, ks] + 1, &
                       first + low - [is, js, ks], merge(high - low + 1, 0, all(high >= low)))
    call io%close()
  end subroutine

  ! ---- Planes of some times, at a face where x begins or ends -----------------------------------------------

  subroutine decomp_2d_write_outflow(dirname, varname, ntimesteps, var, io_name, opt_decomp)
    character(*), intent(in) :: dirname, varname, io_name
    integer, intent(in) :: ntimesteps
    real(mytype), contiguous, intent(in) :: var(:, :, :)
    type(decomp_info), intent(in), optional :: opt_decomp
    call transfer_face(.true., dirname, varname, ntimesteps, var, io_name, opt_decomp)
  end subroutine
  subroutine decomp_2d_read_inflow(dirname, varname, ntimesteps, var, io_name, opt_decomp)
    character(*), intent(in) :: dirname, varname, io_name
    integer, intent(in) :: ntimesteps
    real(mytype), contiguous, intent(inout) :: var(:, :, :)
    type(decomp_info), intent(in), optional :: opt_decomp
    call transfer_face(.false., dirname, varname, ntimesteps, var, io_name, opt_decomp)
  end subroutine
  subroutine transfer_face(writes, dirname, varname, ntimesteps, values, io_name, decomp)
    logical, intent(in) :: writes
    character(*), intent(in) :: dirname, varname, io_name
    integer, intent(in) :: ntimesteps
    type(*), target :: values(*)
    type(decomp_info), intent(in), optional :: decomp
    type(d2d_io_mpi), pointer :: io
    integer, dimension(3) :: whole, first, part
    if (len(varname) < 0) continue
    io => required(io_name, dirname)
    call part_of(1, whole, first, part, decomp)
    whole(1) = ntimesteps
    part(1) = ntimesteps
    call transfer_part(io%fh, io%disp, writes, values, real_type, whole, first, part)
  end subroutine

  ! ---- Real and complex alike ------------------------------------------------------------------------------

#define WRITE_ONE_OF write_one_real_of
#define WRITE_VAR write_var_real
#define READ_VAR read_var_real
#define WRITE_SCALAR write_scalar_real
#define READ_SCALAR read_scalar_real
#define WRITE_PLANE write_plane_real
#define WRITE_EVERY write_every_real
#define VALUE real(mytype)
#define ELEMENT real_type
#include "decomp_2d_io_named.inc"
#define WRITE_ONE_OF write_one_complex_of
#define WRITE_VAR write_var_complex
#define READ_VAR read_var_complex
#define WRITE_SCALAR write_scalar_complex
#define READ_SCALAR read_scalar_complex
#define WRITE_PLANE write_plane_complex
#define WRITE_EVERY write_every_complex
#define VALUE complex(mytype)
#define ELEMENT complex_type
#include "decomp_2d_io_named.inc"
  subroutine read_one_complex_of(ipencil, var, filename, decomp)
    integer, intent(in) :: ipencil
    complex(mytype), contiguous, intent(inout) :: var(:, :, :)
    character(*), intent(in) :: filename
    type(decomp_info), intent(in) :: decomp
    type(d2d_io_mpi) :: io
    call io%open(filename, DECOMP_2D_READ_MODE)
    call read_var_complex(io%fh, io%disp, ipencil, var, decomp)
    call io%close()
  end subroutine
  subroutine write_scalar_integer(fh, disp, n, var)
    integer, intent(in) :: fh, n, var(n)
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    call transfer_scalars(fh, disp, .true., var, n, MPI_INTEGER)
  end subroutine
  subroutine read_scalar_integer(fh, disp, n, var)
    integer, intent(in) :: fh, n
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    integer, intent(inout) :: var(n)
    call transfer_scalars(fh, disp, .false., var, n, MPI_INTEGER)
  end subroutine
  subroutine write_scalar_logical(fh, disp, n, var)
    integer, intent(in) :: fh, n
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    logical, intent(in) :: var(n)
    call transfer_scalars(fh, disp, .true., var, n, MPI_LOGICAL)
  end subroutine
  subroutine read_scalar_logical(fh, disp, n, var)
    integer, intent(in) :: fh, n
    integer(MPI_OFFSET_KIND), intent(inout) :: disp
    logical, intent(inout) :: var(n)
    call transfer_scalars(fh, disp, .false., var, n, MPI_LOGICAL)
  end subroutine
end module
