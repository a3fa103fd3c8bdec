! The module decomp_2d_io of 2DECOMP&FFT on MPI-IO: the same files, byte by byte, as 2DECOMP&FFT writes without ADIOS2. Its
! procedures have the arguments of the development branch here, and of release 2.0 in decomp_2d_io_named.F90.
module decomp_2d_io
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_io_named
  use decomp_2d_io_object_mpi
  use decomp_2d_mpi
  use mpi
  use weft_files
  implicit none
  private
  public :: decomp_2d_io_init, decomp_2d_io_fin, decomp_2d_write_one, decomp_2d_read_one, decomp_2d_write_var
  public :: decomp_2d_read_var, decomp_2d_write_plane, decomp_2d_read_plane, decomp_2d_write_scalar, decomp_2d_read_scalar
  public :: decomp_2d_write_every, decomp_2d_write_subdomain, decomp_2d_write_outflow, decomp_2d_read_inflow
  public :: decomp_2d_io_finalise, decomp_2d_init_io, decomp_2d_register_variable, decomp_2d_open_io, decomp_2d_close_io
  public :: decomp_2d_start_io, decomp_2d_end_io, gen_iodir_name, DECOMP_2D_WRITE_MODE, DECOMP_2D_READ_MODE
  public :: DECOMP_2D_APPEND_MODE

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

  !> A variable at the place that the file has come to, of which `nplanes` along the pencil are kept if given.
  subroutine transfer_pencil(io, writes, values, element, pencil, decomp, nplanes, request)
    type(d2d_io_mpi), intent(inout) :: io
    logical, intent(in) :: writes
    type(*), target :: values(*)
    integer, intent(in) :: element, pencil
    type(decomp_info), intent(in), optional :: decomp
    integer, intent(in), optional :: nplanes
    integer, intent(inout), optional :: request
    integer, dimension(3) :: whole, first, part
    call part_of(pencil, whole, first, part, decomp)
    if (present(nplanes)) then
      if (nplanes < 1) call decomp_2d_abort(nplanes, 'Error invalid value of nplanes')
      whole(pencil) = nplanes
      part(pencil) = nplanes
    end if
    call transfer_part(io%fh, io%disp, writes, values, element, whole, first, part, io%mpi_file_set_view_info, request)
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
#define SUMMED sum(var, ipencil)
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
#define SUMMED sum(var, ipencil)
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
#define SUMMED sum(var, ipencil)
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
#define SUMMED sum(var, ipencil)
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
#define SUMMED sum(var, ipencil)
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
