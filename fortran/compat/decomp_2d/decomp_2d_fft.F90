! The module decomp_2d_fft of 2DECOMP&FFT on Weft: FFTs between the pencils of either end.
module decomp_2d_fft
  use, intrinsic :: iso_fortran_env, only: real64
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_mpi
  use weft
  use weft_pencils
  implicit none
  private

  integer, parameter, public :: D2D_FFT_BACKEND = D2D_FFT_BACKEND_GENERIC

  type :: decomp_2d_fft_engine
    integer, private :: format = PHYSICAL_IN_X, sizes(3) = 0
    logical, private :: initialised = .false., inplace = .false., skips(3) = .false.
    type(decomp_info), pointer, public :: ph => null()
    type(decomp_info), public :: sp
    type(decomp_info), pointer, private :: own_ph => null()
    type(weft_plan), private :: complex_plan, real_plan
    real(real64), private :: complex_points, real_points  !< by which the plans divide on the way back
  contains
    procedure, public :: init => engine_init
    procedure, public :: fin => engine_fin
    procedure, public :: use_it => engine_use_it
    generic, public :: fft => c2c, r2c, c2r
    procedure, private :: c2c => engine_c2c
    procedure, private :: r2c => engine_r2c
    procedure, private :: c2r => engine_c2r
  end type
  type :: engine_place
    type(decomp_2d_fft_engine), pointer :: engine => null()
  end type
  type(engine_place), allocatable, save :: grids(:)
  type(decomp_2d_fft_engine), pointer, save :: now => null()

  public :: decomp_2d_fft_init, decomp_2d_fft_3d, decomp_2d_fft_finalize, decomp_2d_fft_get_size, decomp_2d_fft_get_ph
  public :: decomp_2d_fft_get_sp, decomp_2d_fft_get_ngrid, decomp_2d_fft_set_ngrid, decomp_2d_fft_use_grid
  public :: decomp_2d_fft_engine, decomp_2d_fft_get_engine, decomp_2d_fft_get_format, decomp_2d_fft_get_inplace
  public :: decomp_2d_fft_get_inplace_r2c, decomp_2d_fft_get_inplace_c2r

  interface decomp_2d_fft_init
    module procedure init_default, init_pencil, init_sizes, init_grid
  end interface
  interface decomp_2d_fft_3d
    module procedure fft_c2c, fft_r2c, fft_c2r
  end interface

contains

  subroutine init_default()
    call init_pencil(PHYSICAL_IN_X)
  end subroutine
  subroutine init_pencil(pencil, opt_skip_XYZ_c2c)
    integer, intent(in) :: pencil
    logical, intent(in), optional :: opt_skip_XYZ_c2c(3)
    call init_sizes(pencil, nx_global, ny_global, nz_global, opt_skip_XYZ_c2c=opt_skip_XYZ_c2c)
  end subroutine
  subroutine init_sizes(pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c)
    integer, intent(in) :: pencil, nx, ny, nz
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    call decomp_2d_fft_set_ngrid(1)
    call init_grid(pencil, nx, ny, nz, 1, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c)
  end subroutine
  subroutine init_grid(pencil, nx, ny, nz, igrid, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c)
    integer, intent(in) :: pencil, nx, ny, nz, igrid
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    call check_grid(igrid)
    call grids(igrid)%engine%init(pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c)
  end subroutine

  subroutine check_grid(igrid)
    integer, intent(in) :: igrid
    if (igrid < 1 .or. igrid > decomp_2d_fft_get_ngrid()) call decomp_2d_abort(igrid, 'Invalid value for igrid')
  end subroutine

  subroutine engine_init(engine, pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c)
    class(decomp_2d_fft_engine), target, intent(inout) :: engine
    integer, intent(in) :: pencil, nx, ny, nz
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    integer :: spectral(3)
    if (engine%initialised) call decomp_2d_abort(4, 'FFT engine should only be initialised once')
    if (pencil /= PHYSICAL_IN_X .and. pencil /= PHYSICAL_IN_Z) call decomp_2d_abort(pencil, 'Invalid value for pencil')
    if (min(nx, ny, nz) < 1) call decomp_2d_abort(1, 'Invalid value for nx, ny or nz')
    if (is_given(opt_inplace_r2c) .or. is_given(opt_inplace_c2r)) &
      call decomp_2d_abort(-1, 'In-place r2c and c2r transforms are not available')
    engine%inplace = is_given(opt_inplace)
    engine%skips = .false.
    if (present(opt_skip_XYZ_c2c)) engine%skips = opt_skip_XYZ_c2c
    engine%format = pencil
    engine%sizes = [nx, ny, nz]
    engine%ph => decomp_main
    if (any(engine%sizes /= [nx_global, ny_global, nz_global])) then
      allocate (engine%own_ph)
      call decomp_info_init(nx, ny, nz, engine%own_ph)
      engine%ph => engine%own_ph
    end if
    spectral = engine%sizes
    spectral(pencil) = spectral(pencil)/2 + 1
    call decomp_info_init(spectral(1), spectral(2), spectral(3), engine%sp)
    call make_plan(engine, 'c2c', engine%sizes, engine%complex_plan, engine%complex_points)
    call make_plan(engine, 'r2c', spectral, engine%real_plan, engine%real_points)
    engine%initialised = .true.
    call engine%use_it()
  end subroutine

  !> From the pencil of physical space to the one at the other end. The axis of real numbers cannot be skipped.
  subroutine make_plan(engine, kind, spectral, plan, points)
    type(decomp_2d_fft_engine), intent(in) :: engine
    character(*), intent(in) :: kind
    integer, intent(in) :: spectral(3)
    type(weft_plan), intent(inout) :: plan
    real(real64), intent(out) :: points
    type(weft_layout) :: physical, modes
    character(4) :: kinds(3)
    logical :: skips(3)
    skips = engine%skips
    if (kind == 'r2c') skips(engine%format) = .false.
    kinds = merge('none', 'c2c ', skips)
    if (kind == 'r2c') kinds(engine%format) = kind
    points = product(real(merge(1, engine%sizes, skips), real64))
    call pencil_layout(engine%sizes, engine%format, physical)
    call pencil_layout(spectral, 4 - engine%format, modes)
    if (all(skips)) then
      call plan%create(decomp_2d_comm, engine%sizes, merge('kind=none bytes=16', 'kind=none bytes=8 ', mytype == 8), &
                       physical, modes)
    else
      call plan%create(decomp_2d_comm, engine%sizes, 'kinds='//trim(kinds(1))//','//trim(kinds(2))//','// &
                       trim(kinds(3))//weft_precision, physical, modes)
    end if
    call physical%drop()
    call modes%drop()
  end subroutine

  subroutine engine_fin(engine)
    class(decomp_2d_fft_engine), intent(inout) :: engine
    if (associated(engine%own_ph)) then
      call decomp_info_finalize(engine%own_ph)
      deallocate (engine%own_ph)
    end if
    nullify (engine%ph)
    call decomp_info_finalize(engine%sp)
    call engine%complex_plan%drop()
    call engine%real_plan%drop()
    engine%initialised = .false.
  end subroutine

  subroutine engine_use_it(engine, opt_force)
    class(decomp_2d_fft_engine), intent(in), target :: engine
    logical, intent(in), optional :: opt_force
    if (present(opt_force)) continue
    if (.not. engine%initialised) call decomp_2d_abort(-1, 'FFT engine is not ready')
    select type (engine)
    type is (decomp_2d_fft_engine)
      now => engine
    end select
  end subroutine

  subroutine decomp_2d_fft_finalize()
    integer :: igrid
    do igrid = 1, decomp_2d_fft_get_ngrid()
      call drop_engine(grids(igrid)%engine)
    end do
    if (allocated(grids)) deallocate (grids)
    nullify (now)
  end subroutine
  subroutine drop_engine(engine)
    type(decomp_2d_fft_engine), pointer, intent(inout) :: engine
    if (associated(now, engine)) nullify (now)
    if (engine%initialised) call engine%fin()
    deallocate (engine)
  end subroutine
  subroutine require_now()
    if (.not. associated(now)) call decomp_2d_abort(-1, 'FFT library must be initialised first')
  end subroutine

  integer function decomp_2d_fft_get_ngrid()
    decomp_2d_fft_get_ngrid = 0
    if (allocated(grids)) decomp_2d_fft_get_ngrid = size(grids)
  end function
  subroutine decomp_2d_fft_set_ngrid(ngrd)
    integer, intent(in) :: ngrd
    type(engine_place), allocatable :: places(:)
    integer :: igrid, kept
    if (ngrd < 1) call decomp_2d_abort(ngrd, 'Invalid value for n_grid')
    kept = min(decomp_2d_fft_get_ngrid(), ngrd)
    do igrid = kept + 1, decomp_2d_fft_get_ngrid()
      call drop_engine(grids(igrid)%engine)
    end do
    allocate (places(ngrd))
    if (kept > 0) places(:kept) = grids(:kept)
    do igrid = kept + 1, ngrd
      allocate (places(igrid)%engine)
    end do
    call move_alloc(places, grids)
  end subroutine
  subroutine decomp_2d_fft_use_grid(igrid)
    integer, intent(in), optional :: igrid
    integer :: number
    number = 1
    if (present(igrid)) number = igrid
    call check_grid(number)
    call grids(number)%engine%use_it()
  end subroutine
  function decomp_2d_fft_get_engine(igrid) result(engine)
    integer, intent(in), optional :: igrid
    type(decomp_2d_fft_engine), pointer :: engine
    integer :: number
    number = 1
    if (present(igrid)) number = igrid
    call check_grid(number)
    engine => grids(number)%engine
  end function

  subroutine decomp_2d_fft_get_size(istart, iend, isize)
    integer, dimension(3), intent(out) :: istart, iend, isize
    call require_now()
    if (now%format == PHYSICAL_IN_X) then
      istart = now%sp%zst
      iend = now%sp%zen
      isize = now%sp%zsz
    else
      istart = now%sp%xst
      iend = now%sp%xen
      isize = now%sp%xsz
    end if
  end subroutine
  function decomp_2d_fft_get_ph() result(decomp)
    type(decomp_info), pointer :: decomp
    call require_now()
    decomp => now%ph
  end function
  function decomp_2d_fft_get_sp() result(decomp)
    type(decomp_info), pointer :: decomp
    call require_now()
    decomp => now%sp
  end function
  integer function decomp_2d_fft_get_format()
    decomp_2d_fft_get_format = now%format
  end function
  logical function decomp_2d_fft_get_inplace()
    decomp_2d_fft_get_inplace = now%inplace
  end function
  logical function decomp_2d_fft_get_inplace_r2c()
    decomp_2d_fft_get_inplace_r2c = .false.
  end function
  logical function decomp_2d_fft_get_inplace_c2r()
    decomp_2d_fft_get_inplace_c2r = .false.
  end function

  !> Nothing is scaled. Transforms leave their input as it is.
  subroutine fft_c2c(in, out, isign)
    complex(mytype), contiguous, target, intent(inout) :: in(:, :, :)
    complex(mytype), contiguous, target, intent(out) :: out(:, :, :)
    integer, intent(in) :: isign
    call require_now()
    if (isign == DECOMP_2D_FFT_FORWARD) call now%complex_plan%forward(in, out)
    if (isign == DECOMP_2D_FFT_BACKWARD) call now%complex_plan%backward(in, out, now%complex_points)
  end subroutine
  subroutine fft_r2c(in_r, out_c)
    real(mytype), contiguous, target, intent(in) :: in_r(:, :, :)
    complex(mytype), contiguous, target, intent(out) :: out_c(:, :, :)
    call check_real()
    call now%real_plan%forward(in_r, out_c)
  end subroutine
  subroutine fft_c2r(in_c, out_r)
    complex(mytype), contiguous, target, intent(inout) :: in_c(:, :, :)
    real(mytype), contiguous, target, intent(out) :: out_r(:, :, :)
    call check_real()
    call now%real_plan%backward(in_c, out_r, now%real_points)
  end subroutine
  subroutine check_real()
    call require_now()
    if (now%skips(now%format)) call decomp_2d_warning(1, 'r2c / c2r transform can not be skipped')
  end subroutine

  subroutine engine_c2c(engine, in, out, isign)
    class(decomp_2d_fft_engine), intent(in), target :: engine
    complex(mytype), contiguous, target, intent(inout) :: in(:, :, :)
    complex(mytype), contiguous, target, intent(out) :: out(:, :, :)
    integer, intent(in) :: isign
    call engine%use_it()
    call fft_c2c(in, out, isign)
  end subroutine
  subroutine engine_r2c(engine, in, out)
    class(decomp_2d_fft_engine), intent(in), target :: engine
    real(mytype), contiguous, target, intent(in) :: in(:, :, :)
    complex(mytype), contiguous, target, intent(out) :: out(:, :, :)
    call engine%use_it()
    call fft_r2c(in, out)
  end subroutine
  subroutine engine_c2r(engine, in, out)
    class(decomp_2d_fft_engine), intent(in), target :: engine
    complex(mytype), contiguous, target, intent(inout) :: in(:, :, :)
    real(mytype), contiguous, target, intent(out) :: out(:, :, :)
    call engine%use_it()
    call fft_c2r(in, out)
  end subroutine
end module
