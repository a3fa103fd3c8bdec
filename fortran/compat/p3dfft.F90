! The module of P3DFFT 2 on Weft: its names, boxes and scales (none in either direction). There is one set-up at a time; a
! plan is made when a kind along z and a number of variables first occur. Compile it with SINGLE_PREC for single
! precision, and with STRIDE1 for spectra in which z is the fastest axis, as P3DFFT is configured. Where a spectrum keeps an
! even number of modes of a longer axis, P3DFFT keeps the highest negative mode alone; here it is the sum of both signs.
module p3dfft
  use, intrinsic :: iso_c_binding
  use mpi
  use weft
  implicit none
  private

#ifdef SINGLE_PREC
  integer, parameter, public :: p3dfft_type = c_float, p3dfft_mpireal = MPI_REAL, p3dfft_mpicomplex = MPI_COMPLEX
  character(*), parameter :: precision_name = 'float'
#else
  integer, parameter, public :: p3dfft_type = c_double
  integer, parameter, public :: p3dfft_mpireal = MPI_DOUBLE_PRECISION, p3dfft_mpicomplex = MPI_DOUBLE_COMPLEX
  character(*), parameter :: precision_name = 'double'
#endif
#ifdef STRIDE1
  logical, parameter :: has_stride1 = .true.
#else
  logical, parameter :: has_stride1 = .false.
#endif
  integer, parameter, public :: r8 = kind(1d0), i8 = selected_int_kind(18)
  integer, save, public :: num_thr = 1, padi = 0
  real(r8), save, public :: timers(12) = 0
  integer, allocatable, save, public :: proc_id2coords(:), proc_coords2id(:, :)

  public :: p3dfft_setup, p3dfft_clean, p3dfft_get_dims, p3dfft_get_mpi_info
  public :: p3dfft_ftran_r2c, p3dfft_btran_c2r, p3dfft_ftran_r2c_many, p3dfft_btran_c2r_many
  public :: p3dfft_cheby, p3dfft_cheby_many, get_timers, set_timers, print_buf, print_buf_real

  !> The plan of one kind along z and so many variables.
  type :: transform
    character :: kind
    integer :: variables
    type(weft_plan) :: plan
    real(r8) :: points  !< by which Weft divides on the way back
    type(transform), pointer :: next => null()
  end type
  type(transform), pointer, save :: transforms => null()

  logical, save :: is_set = .false.
  integer, save :: communicator, rank, ranks, grid(2), n(3), kept(3)
  integer, save :: real_start(3), real_size(3), mode_start(3), mode_size(3)  ! with x first
  type(weft_layout), save :: reals, modes

contains

  subroutine p3dfft_setup(dims, nx, ny, nz, mpi_comm_in, nxcut, nycut, nzcut, overwrite, memsize)
    integer, intent(in) :: dims(2), nx, ny, nz, mpi_comm_in
    integer, optional, intent(in) :: nxcut, nycut, nzcut
    logical, optional, intent(in) :: overwrite  ! transforms out of place leave their input as it is
    integer, optional, intent(out) :: memsize(3)
    integer :: error, row, id
    if (present(overwrite)) continue
    if (is_set) call fail('setup: there is one already; call p3dfft_clean first')
    communicator = mpi_comm_in
    call MPI_Comm_size(communicator, ranks, error)
    call MPI_Comm_rank(communicator, rank, error)
    grid = dims
    n = [nx, ny, nz]
    kept = n
    if (present(nxcut)) kept(1) = nxcut
    if (present(nycut)) kept(2) = nycut
    if (present(nzcut)) kept(3) = nzcut
    if (any(n < 1) .or. any(kept < 1) .or. any(kept > n)) call fail('setup: invalid dimensions')
    if (any(dims < 1) .or. product(dims) /= ranks) call fail('setup: invalid processor geometry')
    is_set = .true.
    row = mod(rank, dims(1))
    real_start = [1, start_of(ny, dims(1), row), start_of(nz, dims(2), rank/dims(1))]
    real_size = [nx, size_of(ny, dims(1), row), size_of(nz, dims(2), rank/dims(1))]
    mode_start = [start_of(kept(1)/2 + 1, dims(1), row), start_of(kept(2), dims(2), rank/dims(1)), 1]
    mode_size = [size_of(kept(1)/2 + 1, dims(1), row), size_of(kept(2), dims(2), rank/dims(1)), kept(3)]
    call reals%grid(n, dims, [2, 3])
    call modes%grid([kept(1)/2 + 1, kept(2), kept(3)], dims, [1, 2])
    call reals%partition('longer_last')
    call modes%partition('longer_last')
    if (has_stride1) call modes%order([3, 2, 1])
    padi = 2*max(mode_size(1)*mode_size(2)*nz, mode_size(1)*ny*real_size(3)) - product(real_size)
    padi = (max(padi, 0) + nx*real_size(2) - 1)/max(nx*real_size(2), 1)
    if (present(memsize)) memsize = [nx, real_size(2), real_size(3) + padi]
    allocate (proc_id2coords(0:2*ranks - 1))
    proc_id2coords(:) = [(mod(id, dims(1)), id/dims(1), id=0, ranks - 1)]
    allocate (proc_coords2id(0:dims(1) - 1, 0:dims(2) - 1))
    proc_coords2id(:, :) = reshape([(id, id=0, ranks - 1)], dims)
  end subroutine

  !> P3DFFT gives longer parts to the last ranks.
  pure integer function size_of(length, parts, part)
    integer, intent(in) :: length, parts, part
    size_of = length/parts + merge(1, 0, part >= parts - mod(length, parts))
  end function
  pure integer function start_of(length, parts, part)
    integer, intent(in) :: length, parts, part
    start_of = 1 + length/parts*part + max(part - (parts - mod(length, parts)), 0)
  end function

  subroutine fail(sentence)
    character(*), intent(in) :: sentence
    integer :: error
    print *, 'P3DFFT on Weft: ', sentence
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine

  subroutine p3dfft_get_dims(istart, iend, isize, conf)
    integer, intent(out) :: istart(3), iend(3), isize(3)
    integer, intent(in) :: conf
    if (.not. is_set) call fail('call setup before other routines')
    if (conf == 1) then
      istart = real_start
      isize = real_size
    else if (conf == 2) then
      istart = mode_start
      isize = mode_size
      if (has_stride1) istart = istart(3:1:-1)
      if (has_stride1) isize = isize(3:1:-1)
    else
      istart = 1
      isize = [n(1), real_size(2), real_size(3) + padi]
    end if
    iend = istart + isize - 1
    if (conf == 3) istart = 0
  end subroutine

  subroutine p3dfft_get_mpi_info(mpi_taskid, mpi_tasks, mpi_comm)
    integer, intent(out) :: mpi_taskid, mpi_tasks, mpi_comm
    mpi_taskid = rank
    mpi_tasks = ranks
    mpi_comm = communicator
  end subroutine

  subroutine p3dfft_clean()
    type(transform), pointer :: next
    do while (associated(transforms))
      next => transforms%next
      call transforms%plan%drop()
      deallocate (transforms)
      transforms => next
    end do
    call reals%drop()
    call modes%drop()
    if (allocated(proc_id2coords)) deallocate (proc_id2coords, proc_coords2id)
    is_set = .false.
  end subroutine

  !> Collective where it makes a plan. `kind` is the letter of an operation along z: t or f, c, s, n or 0.
  function transform_of(kind, variables) result(found)
    character, intent(in) :: kind
    integer, intent(in) :: variables
    type(transform), pointer :: found
    character(:), allocatable :: along_z
    character(200) :: text
    if (.not. is_set) call fail('call setup before other routines')
    found => transforms
    do while (associated(found))
      if (found%kind == kind .and. found%variables == variables) return
      found => found%next
    end do
    allocate (found)
    found%kind = kind
    found%variables = variables
    found%points = real(n(1), r8)*n(2)
    along_z = 'none'
    select case (kind)
    case ('t', 'f')
      along_z = 'c2c'
      found%points = found%points*n(3)
    case ('c')
      along_z = 'dct1'
      found%points = found%points*2*(n(3) - 1)
    case ('s')
      along_z = 'dst1'
      found%points = found%points*2*(n(3) + 1)
    case ('n', '0')
      if (kept(3) < n(3)) call fail('no transform along z, which then has all nz points; nzcut says otherwise')
    case default
      call fail('unknown transform type: '//kind)
    end select
    write (text, '(5a,i0)') 'kinds=r2c,c2c,', along_z, ' precision=', precision_name, ' fields=', variables
    if (any(kept < n)) then
      write (text, '(2a,i0,4a)') trim(text), ' modes=', kept(1)/2, ',', trim(modes_of(2, 'c2c')), ',', modes_of(3, along_z)
    end if
    call found%plan%create(communicator, n, trim(text), reals, modes)
    found%next => transforms
    transforms => found
  end function

  !> The kept modes of an axis in the words of Weft. Of an even number, the highest mode stands for both of its signs.
  function modes_of(axis, kind) result(text)
    integer, intent(in) :: axis
    character(*), intent(in) :: kind
    character(30) :: text
    text = 'all'
    if (kept(axis) == n(axis) .or. kind == 'none') return
    if (kind == 'c2c') write (text, '(a,i0)') 'grid_', kept(axis)
    if (kind /= 'c2c') write (text, '(a,i0)') '0..', kept(axis) - 1
  end function

  subroutine p3dfft_ftran_r2c(XgYZ, XYZg, op)
    real(p3dfft_type), target :: XgYZ(*)
    complex(p3dfft_type), target :: XYZg(*)
    character(3), intent(in) :: op
    type(transform), pointer :: it
    it => transform_of(op(3:3), 1)
    call it%plan%run_fields(weft_forward, [c_loc(XgYZ)], [c_loc(XYZg)])
  end subroutine

  subroutine p3dfft_btran_c2r(XYZg, XgYZ, op)
    complex(p3dfft_type), target :: XYZg(*)
    real(p3dfft_type), target :: XgYZ(*)
    character(3), intent(in) :: op
    type(transform), pointer :: it
    it => transform_of(op(1:1), 1)
    call it%plan%run_fields(weft_backward, [c_loc(XYZg)], [c_loc(XgYZ)], it%points)
  end subroutine

  subroutine p3dfft_ftran_r2c_many(XgYZ, dim_in, XYZg, dim_out, nv, op)
    integer, intent(in) :: dim_in, dim_out, nv
    real(p3dfft_type), target :: XgYZ(dim_in, nv)
    complex(p3dfft_type), target :: XYZg(dim_out, nv)
    character(3), intent(in) :: op
    type(transform), pointer :: it
    integer :: v
    it => transform_of(op(3:3), nv)
    call it%plan%run_fields(weft_forward, [(c_loc(XgYZ(1, v)), v=1, nv)], [(c_loc(XYZg(1, v)), v=1, nv)])
  end subroutine

  subroutine p3dfft_btran_c2r_many(XYZg, dim_in, XgYZ, dim_out, nv, op)
    integer, intent(in) :: dim_in, dim_out, nv
    complex(p3dfft_type), target :: XYZg(dim_in, nv)
    real(p3dfft_type), target :: XgYZ(dim_out, nv)
    character(3), intent(in) :: op
    type(transform), pointer :: it
    integer :: v
    it => transform_of(op(1:1), nv)
    call it%plan%run_fields(weft_backward, [(c_loc(XYZg(1, v)), v=1, nv)], [(c_loc(XgYZ(1, v)), v=1, nv)], it%points)
  end subroutine

  !> The Fourier-Chebyshev coefficients of the derivative along z of a field on Chebyshev points in a box of length Lz,
  !> by the usual recurrence (Canuto et al., Spectral Methods, section 2.4).
  subroutine p3dfft_cheby(in, out, Lz)
    real(p3dfft_type), target :: in(*)
    complex(p3dfft_type), target :: out(*)
    real(p3dfft_type), intent(in) :: Lz
    call p3dfft_ftran_r2c(in, out, 'ffc')
    if (has_stride1) then
      call differentiate(out, 1, kept(3), mode_size(1)*mode_size(2), Lz)
    else
      call differentiate(out, mode_size(1)*mode_size(2), kept(3), 1, Lz)
    end if
  end subroutine

  subroutine differentiate(a, before, points, behind, Lz)
    integer, intent(in) :: before, points, behind
    complex(p3dfft_type), intent(inout) :: a(before, points, behind)
    real(p3dfft_type), intent(in) :: Lz
    complex(p3dfft_type) :: above(before), here(before)
    integer :: j, k
    a = a*(1/(real(n(1), p3dfft_type)*n(2)*(points - 1)))
    do j = 1, behind
      above = a(:, points, j)/2
      a(:, points, j) = 0
      do k = points - 1, 1, -1
        here = a(:, k, j)
        a(:, k, j) = 4/Lz*k*above
        if (k + 2 <= points) a(:, k, j) = a(:, k, j) + a(:, k + 2, j)
        above = here
      end do
      a(:, 1, j) = a(:, 1, j)/2
    end do
  end subroutine

  subroutine p3dfft_cheby_many(in, dim_in, out, dim_out, nv, Lz)
    integer, intent(in) :: dim_in, dim_out, nv
    real(p3dfft_type), target :: in(dim_in, nv)
    complex(p3dfft_type), target :: out(dim_out, nv)
    real(p3dfft_type), intent(in) :: Lz
    integer :: v
    do v = 1, nv
      call p3dfft_cheby(in(:, v), out(:, v), Lz)
    end do
  end subroutine

  !> The timeline of Weft is WEFT_TRACE; these stay zero.
  subroutine get_timers(timer) bind(c, name='get_timers')
    real(c_double), intent(out) :: timer(12)
    timer = timers
  end subroutine
  subroutine set_timers() bind(c, name='set_timers')
    timers = 0
  end subroutine

  subroutine print_buf(A, lx, ly, lz)
    integer, intent(in) :: lx, ly, lz
    complex(p3dfft_type), intent(in) :: A(lx, ly, lz)
    integer :: i, j, k
    do k = 1, lz
      do j = 1, ly
        do i = 1, lx
          if (abs(A(i, j, k)) > 5e-7) print *, rank, ': (', i, j, k, ') =', A(i, j, k)
        end do
      end do
    end do
  end subroutine
  subroutine print_buf_real(A, lx, ly, lz)
    integer, intent(in) :: lx, ly, lz
    real(p3dfft_type), intent(in) :: A(lx, ly, lz)
    call print_buf(cmplx(A, kind=p3dfft_type), lx, ly, lz)
  end subroutine

  ! ---- C ---------------------------------------------------------------------------------------------

  subroutine c_setup(dims, nx, ny, nz, comm, nxcut, nycut, nzcut, overwrite, memsize) bind(c, name='p3dfft_setup')
    integer(c_int), intent(in) :: dims(2), nx, ny, nz, comm, nxcut, nycut, nzcut, overwrite
    integer(c_int), intent(out) :: memsize(3)
    call p3dfft_setup(dims, nx, ny, nz, comm, nxcut, nycut, nzcut, overwrite /= 0, memsize)
  end subroutine
  subroutine c_clean() bind(c, name='p3dfft_clean')
    call p3dfft_clean()
  end subroutine
  subroutine c_get_dims(istart, iend, isize, conf) bind(c, name='p3dfft_get_dims')
    integer(c_int), intent(out) :: istart(3), iend(3), isize(3)
    integer(c_int), intent(in) :: conf
    call p3dfft_get_dims(istart, iend, isize, conf)
  end subroutine
  subroutine c_ftran(in, out, op) bind(c, name='p3dfft_ftran_r2c')
    real(p3dfft_type), target :: in(*)
    complex(p3dfft_type), target :: out(*)
    character(c_char), intent(in) :: op(3)
    call p3dfft_ftran_r2c(in, out, op(1)//op(2)//op(3))
  end subroutine
  subroutine c_btran(in, out, op) bind(c, name='p3dfft_btran_c2r')
    complex(p3dfft_type), target :: in(*)
    real(p3dfft_type), target :: out(*)
    character(c_char), intent(in) :: op(3)
    call p3dfft_btran_c2r(in, out, op(1)//op(2)//op(3))
  end subroutine
  subroutine c_ftran_many(in, dim_in, out, dim_out, nv, op) bind(c, name='p3dfft_ftran_r2c_many')
    integer(c_int), intent(in) :: dim_in, dim_out, nv
    real(p3dfft_type), target :: in(dim_in, nv)
    complex(p3dfft_type), target :: out(dim_out, nv)
    character(c_char), intent(in) :: op(3)
    call p3dfft_ftran_r2c_many(in, dim_in, out, dim_out, nv, op(1)//op(2)//op(3))
  end subroutine
  subroutine c_btran_many(in, dim_in, out, dim_out, nv, op) bind(c, name='p3dfft_btran_c2r_many')
    integer(c_int), intent(in) :: dim_in, dim_out, nv
    complex(p3dfft_type), target :: in(dim_in, nv)
    real(p3dfft_type), target :: out(dim_out, nv)
    character(c_char), intent(in) :: op(3)
    call p3dfft_btran_c2r_many(in, dim_in, out, dim_out, nv, op(1)//op(2)//op(3))
  end subroutine
  subroutine c_cheby(in, out, Lz) bind(c, name='p3dfft_cheby')
    real(p3dfft_type), target :: in(*)
    complex(p3dfft_type), target :: out(*)
    real(p3dfft_type), intent(in) :: Lz
    call p3dfft_cheby(in, out, Lz)
  end subroutine
  subroutine c_cheby_many(in, dim_in, out, dim_out, nv, Lz) bind(c, name='p3dfft_cheby_many')
    integer(c_int), intent(in) :: dim_in, dim_out, nv
    real(p3dfft_type), target :: in(dim_in, nv)
    complex(p3dfft_type), target :: out(dim_out, nv)
    real(p3dfft_type), intent(in) :: Lz
    call p3dfft_cheby_many(in, dim_in, out, dim_out, nv, Lz)
  end subroutine
end module

! ---- Without the interfaces of the module, as P3DFFT has them for transforms in place -------------------------

subroutine ftran_r2c(in, out, op)
  use p3dfft, only: p3dfft_type, p3dfft_ftran_r2c
  real(p3dfft_type) :: in(*)
  complex(p3dfft_type) :: out(*)
  character(3) :: op
  call p3dfft_ftran_r2c(in, out, op)
end subroutine
subroutine btran_c2r(in, out, op)
  use p3dfft, only: p3dfft_type, p3dfft_btran_c2r
  complex(p3dfft_type) :: in(*)
  real(p3dfft_type) :: out(*)
  character(3) :: op
  call p3dfft_btran_c2r(in, out, op)
end subroutine
subroutine ftran_r2c_many(in, dim_in, out, dim_out, nv, op)
  use p3dfft, only: p3dfft_type, p3dfft_ftran_r2c_many
  integer :: dim_in, dim_out, nv
  real(p3dfft_type) :: in(dim_in, nv)
  complex(p3dfft_type) :: out(dim_out, nv)
  character(3) :: op
  call p3dfft_ftran_r2c_many(in, dim_in, out, dim_out, nv, op)
end subroutine
subroutine btran_c2r_many(in, dim_in, out, dim_out, nv, op)
  use p3dfft, only: p3dfft_type, p3dfft_btran_c2r_many
  integer :: dim_in, dim_out, nv
  complex(p3dfft_type) :: in(dim_in, nv)
  real(p3dfft_type) :: out(dim_out, nv)
  character(3) :: op
  call p3dfft_btran_c2r_many(in, dim_in, out, dim_out, nv, op)
end subroutine
