! The module decomp_2d of 2DECOMP&FFT on Weft: pencils, transposes between them, arrays and coarse meshes, with the same
! names, arguments and layouts. A transpose is planned when its sizes first occur, and kept until decomp_2d_finalize.
module decomp_2d
  use, intrinsic :: iso_fortran_env, only: real32, real64, output_unit
  use decomp_2d_constants
  use decomp_2d_mpi
  use decomp_2d_profiler
  use m_halo, only: update_halo
  use m_info
  use mpi
  use weft_pencils
  implicit none
  private

  integer, save, public :: nx_global, ny_global, nz_global
  integer, save, public :: decomp_log = D2D_LOG_QUIET, decomp_debug = D2D_DEBUG_LEVEL_OFF
  logical, save, public, protected :: use_pool = .false.
  integer, save, dimension(3), public :: xstart, xend, xsize, ystart, yend, ysize, zstart, zend, zsize
  integer, save, dimension(3), public :: xstS, xenS, xszS, ystS, yenS, yszS, zstS, zenS, zszS
  integer, save, dimension(3), public :: xstV, xenV, xszV, ystV, yenV, yszV, zstV, zenV, zszV
  integer, save, dimension(3), public :: xstP, xenP, xszP, ystP, yenP, yszP, zstP, zenP, zszP
  type(decomp_info), save, public :: phG, ph1, ph2, ph3, ph4  ! for the program
  integer, save :: skip_of(3, 3) = 1  ! by axis, for S, V and P
  logical, save :: from_first = .true.

  public :: decomp_2d_init, decomp_2d_finalize, decomp_info, decomp_main, decomp_info_init, decomp_info_finalize
  public :: decomp_info_print, get_decomp_info, get_decomp_dims, partition, update_halo
  public :: transpose_x_to_y, transpose_y_to_z, transpose_z_to_y, transpose_y_to_x, alloc_x, alloc_y, alloc_z
  public :: init_coarser_mesh_statS, init_coarser_mesh_statV, init_coarser_mesh_statP
  public :: fine_to_coarseS, fine_to_coarseV, fine_to_coarseP
  public :: d2d_log_is_active, d2d_log_get_unit, d2d_log_close_unit, d2d_listing_get_unit, d2d_listing_close_unit
  public :: decomp_profiler, decomp_profiler_transpose, decomp_profiler_io, decomp_profiler_fft, decomp_profiler_d2d
  public :: decomp_profiler_prep, decomp_profiler_start, decomp_profiler_end
  public :: DECOMP_2D_COMM_CART_X, DECOMP_2D_COMM_CART_Y, DECOMP_2D_COMM_CART_Z

  interface d2d_listing_get_unit
    module procedure d2d_log_get_unit
  end interface
  interface d2d_listing_close_unit
    module procedure d2d_log_close_unit
  end interface
  interface transpose_x_to_y
    module procedure x_to_y_real, x_to_y_complex
  end interface
  interface transpose_y_to_z
    module procedure y_to_z_real, y_to_z_complex
  end interface
  interface transpose_z_to_y
    module procedure z_to_y_real, z_to_y_complex
  end interface
  interface transpose_y_to_x
    module procedure y_to_x_real, y_to_x_complex
  end interface
  interface alloc_x
    module procedure alloc_x_freal, alloc_x_dreal, alloc_x_fcplx, alloc_x_dcplx, alloc_x_ints, alloc_x_logs
    module procedure alloc_x_freal_of, alloc_x_dreal_of, alloc_x_fcplx_of, alloc_x_dcplx_of, alloc_x_ints_of, alloc_x_logs_of
  end interface
  interface alloc_y
    module procedure alloc_y_freal, alloc_y_dreal, alloc_y_fcplx, alloc_y_dcplx, alloc_y_ints, alloc_y_logs
    module procedure alloc_y_freal_of, alloc_y_dreal_of, alloc_y_fcplx_of, alloc_y_dcplx_of, alloc_y_ints_of, alloc_y_logs_of
  end interface
  interface alloc_z
    module procedure alloc_z_freal, alloc_z_dreal, alloc_z_fcplx, alloc_z_dcplx, alloc_z_ints, alloc_z_logs
    module procedure alloc_z_freal_of, alloc_z_dreal_of, alloc_z_fcplx_of, alloc_z_dcplx_of, alloc_z_ints_of, alloc_z_logs_of
  end interface

contains

  subroutine decomp_2d_init(nx, ny, nz, p_row, p_col, periodic_bc, comm, complex_pool)
    integer, intent(in) :: nx, ny, nz
    integer, intent(inout) :: p_row, p_col
    logical, intent(in), optional :: periodic_bc(3)
    integer, intent(in), optional :: comm
    logical, intent(in), optional :: complex_pool  ! Weft has no pool
    logical :: periodic(3)
    integer :: error
    if (present(complex_pool)) continue
    call decomp_2d_mpi_init(comm)
    if (min(nx, ny, nz) < 1) call decomp_2d_abort(1, 'invalid value for nx, ny or nz')
    nx_global = nx
    ny_global = ny
    nz_global = nz
    periodic = .false.
    if (present(periodic_bc)) periodic = periodic_bc
    if (p_row <= 0 .or. p_col <= 0) then  ! near a square, with the longer side for columns
      p_row = int(sqrt(real(nproc, real64)))
      do while (mod(nproc, p_row) /= 0)
        p_row = p_row - 1
      end do
      p_col = nproc/p_row
    end if
    if (p_row*p_col /= nproc) call decomp_2d_abort(1, 'Invalid 2D processor grid - nproc /= p_row*p_col')
    dims = [p_row, p_col]
    call MPI_Cart_create(decomp_2d_comm, 2, dims, periodic([2, 3]), .false., DECOMP_2D_COMM_CART_X, error)
    call MPI_Cart_create(decomp_2d_comm, 2, dims, periodic([1, 3]), .false., DECOMP_2D_COMM_CART_Y, error)
    call MPI_Cart_create(decomp_2d_comm, 2, dims, periodic([1, 2]), .false., DECOMP_2D_COMM_CART_Z, error)
    call MPI_Cart_coords(DECOMP_2D_COMM_CART_X, nrank, 2, coord, error)
    call MPI_Cart_sub(DECOMP_2D_COMM_CART_X, [.true., .false.], DECOMP_2D_COMM_COL, error)
    call MPI_Cart_sub(DECOMP_2D_COMM_CART_X, [.false., .true.], DECOMP_2D_COMM_ROW, error)
    call decomp_info_init(nx, ny, nz, decomp_main)
    xstart = decomp_main%xst
    xend = decomp_main%xen
    xsize = decomp_main%xsz
    ystart = decomp_main%yst
    yend = decomp_main%yen
    ysize = decomp_main%ysz
    zstart = decomp_main%zst
    zend = decomp_main%zen
    zsize = decomp_main%zsz
    mytype_bytes = mytype
  end subroutine

  subroutine decomp_2d_finalize()
    call drop_plans()
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_ROW)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_COL)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_X)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_Y)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_Z)
    call decomp_info_finalize(decomp_main)
    call decomp_2d_mpi_fin()
  end subroutine

  subroutine decomp_info_init(nx, ny, nz, decomp)
    integer, intent(in) :: nx, ny, nz
    type(decomp_info), intent(inout) :: decomp
    integer :: part
    if (min(nx_global, ny_global) < dims(1) .or. min(ny_global, nz_global) < dims(2)) &
      call decomp_2d_abort(6, 'Invalid 2D processor grid. min(nx, ny) >= p_row and min(ny, nz) >= p_col are needed')
    call decomp_info_finalize(decomp)
    allocate (decomp%x1dist(0:dims(1) - 1), decomp%y1dist(0:dims(1) - 1))
    allocate (decomp%y2dist(0:dims(2) - 1), decomp%z2dist(0:dims(2) - 1))
    decomp%x1dist = [(size_of(nx, dims(1), part), part=0, dims(1) - 1)]
    decomp%y1dist = [(size_of(ny, dims(1), part), part=0, dims(1) - 1)]
    decomp%y2dist = [(size_of(ny, dims(2), part), part=0, dims(2) - 1)]
    decomp%z2dist = [(size_of(nz, dims(2), part), part=0, dims(2) - 1)]
    call partition(nx, ny, nz, [1, 2, 3], decomp%xst, decomp%xen, decomp%xsz)
    call partition(nx, ny, nz, [2, 1, 3], decomp%yst, decomp%yen, decomp%ysz)
    call partition(nx, ny, nz, [2, 3, 1], decomp%zst, decomp%zen, decomp%zsz)
  end subroutine

  subroutine decomp_info_finalize(decomp)
    type(decomp_info), intent(inout) :: decomp
    if (allocated(decomp%x1dist)) deallocate (decomp%x1dist, decomp%y1dist, decomp%y2dist, decomp%z2dist)
  end subroutine

  subroutine decomp_info_print(d2d, io_unit, d2dname)
    type(decomp_info), intent(in) :: d2d
    integer, intent(in) :: io_unit
    character(*), intent(in) :: d2dname
    write (io_unit, *) d2dname, ': x ', d2d%xst, d2d%xen, ', y ', d2d%yst, d2d%yen, ', z ', d2d%zst, d2d%zen
  end subroutine

  !> Of each axis: 1: whole, 2: cut by rows of the grid, 3: by columns.
  subroutine partition(nx, ny, nz, pdim, lstart, lend, lsize)
    integer, intent(in) :: nx, ny, nz, pdim(3)
    integer, intent(out) :: lstart(3), lend(3), lsize(3)
    integer :: axis, sizes(3)
    sizes = [nx, ny, nz]
    do axis = 1, 3
      lstart(axis) = 1
      lsize(axis) = sizes(axis)
      if (pdim(axis) > 1) then
        lstart(axis) = first_of(sizes(axis), dims(pdim(axis) - 1), coord(pdim(axis) - 1))
        lsize(axis) = size_of(sizes(axis), dims(pdim(axis) - 1), coord(pdim(axis) - 1))
      end if
    end do
    lend = lstart + lsize - 1
  end subroutine

  subroutine get_decomp_info(decomp)
    type(decomp_info), intent(out) :: decomp
    decomp = decomp_main
  end subroutine
  function get_decomp_dims()
    integer :: get_decomp_dims(2)
    get_decomp_dims = dims
  end function
  logical function d2d_log_is_active()
    d2d_log_is_active = decomp_log /= D2D_LOG_QUIET .and. nrank == 0
  end function
  integer function d2d_log_get_unit()
    d2d_log_get_unit = output_unit
  end function
  subroutine d2d_log_close_unit(io_unit)
    integer, intent(in) :: io_unit
    flush (io_unit)
  end subroutine

  ! ---- Transposes ------------------------------------------------------------------------------------

  !> Of the decomposition that a caller names, or the default one.
  function sizes_of(decomp) result(sizes)
    type(decomp_info), intent(in), optional :: decomp
    integer :: sizes(3)
    sizes = global_size(decomp_main)
    if (present(decomp)) sizes = global_size(decomp)
  end function

#define TRANSPOSE x_to_y_real
#define VALUE real(mytype)
#define BETWEEN 1, mytype
#define RUN forward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE x_to_y_complex
#define VALUE complex(mytype)
#define BETWEEN 1, 2*mytype
#define RUN forward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE y_to_z_real
#define VALUE real(mytype)
#define BETWEEN 2, mytype
#define RUN forward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE y_to_z_complex
#define VALUE complex(mytype)
#define BETWEEN 2, 2*mytype
#define RUN forward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE z_to_y_real
#define VALUE real(mytype)
#define BETWEEN 2, mytype
#define RUN backward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE z_to_y_complex
#define VALUE complex(mytype)
#define BETWEEN 2, 2*mytype
#define RUN backward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE y_to_x_real
#define VALUE real(mytype)
#define BETWEEN 1, mytype
#define RUN backward
#include "decomp_2d_transpose.inc"
#define TRANSPOSE y_to_x_complex
#define VALUE complex(mytype)
#define BETWEEN 1, 2*mytype
#define RUN backward
#include "decomp_2d_transpose.inc"

  ! ---- Arrays ----------------------------------------------------------------------------------------

#define ALLOC_X alloc_x_freal
#define ALLOC_Y alloc_y_freal
#define ALLOC_Z alloc_z_freal
#define ALLOC_X_OF alloc_x_freal_of
#define ALLOC_Y_OF alloc_y_freal_of
#define ALLOC_Z_OF alloc_z_freal_of
#define VALUE real(real32)
#include "decomp_2d_alloc.inc"
#define ALLOC_X alloc_x_dreal
#define ALLOC_Y alloc_y_dreal
#define ALLOC_Z alloc_z_dreal
#define ALLOC_X_OF alloc_x_dreal_of
#define ALLOC_Y_OF alloc_y_dreal_of
#define ALLOC_Z_OF alloc_z_dreal_of
#define VALUE real(real64)
#include "decomp_2d_alloc.inc"
#define ALLOC_X alloc_x_fcplx
#define ALLOC_Y alloc_y_fcplx
#define ALLOC_Z alloc_z_fcplx
#define ALLOC_X_OF alloc_x_fcplx_of
#define ALLOC_Y_OF alloc_y_fcplx_of
#define ALLOC_Z_OF alloc_z_fcplx_of
#define VALUE complex(real32)
#include "decomp_2d_alloc.inc"
#define ALLOC_X alloc_x_dcplx
#define ALLOC_Y alloc_y_dcplx
#define ALLOC_Z alloc_z_dcplx
#define ALLOC_X_OF alloc_x_dcplx_of
#define ALLOC_Y_OF alloc_y_dcplx_of
#define ALLOC_Z_OF alloc_z_dcplx_of
#define VALUE complex(real64)
#include "decomp_2d_alloc.inc"
#define ALLOC_X alloc_x_ints
#define ALLOC_Y alloc_y_ints
#define ALLOC_Z alloc_z_ints
#define ALLOC_X_OF alloc_x_ints_of
#define ALLOC_Y_OF alloc_y_ints_of
#define ALLOC_Z_OF alloc_z_ints_of
#define VALUE integer
#include "decomp_2d_alloc.inc"
#define ALLOC_X alloc_x_logs
#define ALLOC_Y alloc_y_logs
#define ALLOC_Z alloc_z_logs
#define ALLOC_X_OF alloc_x_logs_of
#define ALLOC_Y_OF alloc_y_logs_of
#define ALLOC_Z_OF alloc_z_logs_of
#define VALUE logical
#include "decomp_2d_alloc.inc"

  ! ---- Coarse meshes: every few points, for statistics, pictures and probes --------------------------------

  subroutine init_coarser_mesh_statS(i_skip, j_skip, k_skip, from1)
    integer, intent(in) :: i_skip, j_skip, k_skip
    logical, intent(in) :: from1
    call coarse(1, [i_skip, j_skip, k_skip], from1, xstS, xenS, xszS, ystS, yenS, yszS, zstS, zenS, zszS)
  end subroutine
  subroutine init_coarser_mesh_statV(i_skip, j_skip, k_skip, from1)
    integer, intent(in) :: i_skip, j_skip, k_skip
    logical, intent(in) :: from1
    call coarse(2, [i_skip, j_skip, k_skip], from1, xstV, xenV, xszV, ystV, yenV, yszV, zstV, zenV, zszV)
  end subroutine
  subroutine init_coarser_mesh_statP(i_skip, j_skip, k_skip, from1)
    integer, intent(in) :: i_skip, j_skip, k_skip
    logical, intent(in) :: from1
    call coarse(3, [i_skip, j_skip, k_skip], from1, xstP, xenP, xszP, ystP, yenP, yszP, zstP, zenP, zszP)
  end subroutine

  subroutine coarse(mesh, skip, from1, xst, xen, xsz, yst, yen, ysz, zst, zen, zsz)
    integer, intent(in) :: mesh, skip(3)
    logical, intent(in) :: from1
    integer, dimension(3), intent(out) :: xst, xen, xsz, yst, yen, ysz, zst, zen, zsz
    skip_of(:, mesh) = skip
    from_first = from1
    call points(xstart, xend, xst, xen, xsz)
    call points(ystart, yend, yst, yen, ysz)
    call points(zstart, zend, zst, zen, zsz)
  contains
    !> The coarse points i among fine ones, where i is the fine point (i - 1) skip + 1, or i skip.
    pure subroutine points(first, last, st, en, sz)
      integer, dimension(3), intent(in) :: first, last
      integer, dimension(3), intent(out) :: st, en, sz
      integer :: shift(3)
      shift = merge(skip - 1, 0, from1)
      st = (first + shift + skip - 1)/skip
      en = (last + shift)/skip
      sz = en - st + 1
    end subroutine
  end subroutine

  subroutine fine_to_coarseS(ipencil, var_fine, var_coarse)
    integer, intent(in) :: ipencil
    real(mytype), intent(in) :: var_fine(:, :, :)
    real(mytype), intent(out) :: var_coarse(:, :, :)
    call coarsen(1, ipencil, var_fine, var_coarse)
  end subroutine
  subroutine fine_to_coarseV(ipencil, var_fine, var_coarse)
    integer, intent(in) :: ipencil
    real(mytype), intent(in) :: var_fine(:, :, :)
    real(mytype), intent(out) :: var_coarse(:, :, :)
    call coarsen(2, ipencil, var_fine, var_coarse)
  end subroutine
  subroutine fine_to_coarseP(ipencil, var_fine, var_coarse)
    integer, intent(in) :: ipencil
    real(mytype), intent(in) :: var_fine(:, :, :)
    real(mytype), intent(out) :: var_coarse(:, :, :)
    call coarsen(3, ipencil, var_fine, var_coarse)
  end subroutine

  subroutine coarsen(mesh, pencil, fine, coarse)
    integer, intent(in) :: mesh, pencil
    real(mytype), intent(in) :: fine(:, :, :)
    real(mytype), intent(out) :: coarse(:, :, :)
    integer :: bounds(2, 3), first(3), skip(3)
    bounds = bounds_of(pencil, decomp_main, .true., [0, 0, 0])
    skip = skip_of(:, mesh)
    first = merge(modulo(1 - bounds(1, :), skip), modulo(-bounds(1, :), skip), from_first) + 1
    coarse = fine(first(1)::skip(1), first(2)::skip(2), first(3)::skip(3))
  end subroutine
end module
