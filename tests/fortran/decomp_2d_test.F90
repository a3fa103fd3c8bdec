! The modules of 2DECOMP&FFT on Weft: who holds which points, transposes, ghost cells, FFTs of either format beside a direct
! sum, coarse meshes and files.
program decomp_2d_test
  use mpi
  use decomp_2d_constants
  use decomp_2d_mpi, only: nrank, nproc, DECOMP_2D_COMM_COL
  use decomp_2d
  use decomp_2d_fft
  use decomp_2d_io
  use m_halo, only: halo_exchange, halo_extents_t
  implicit none
  integer, parameter :: n(3) = [9, 7, 8]
  real(mytype), parameter :: pi = acos(-1._mytype), allowed = 100*epsilon(1._mytype)
  character(20), parameter :: letters = 'xyz'
  integer :: error, wrong, all_wrong, rows

  wrong = 0
  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, error)
  do rows = 1, nproc
    if (mod(nproc, rows) == 0) call on_grid(rows, nproc/rows)
  end do
  call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rows, error)
  if (rows == 0) print *, 'wrong: ', all_wrong
  call MPI_Finalize(error)
  if (all_wrong > 0) error stop 1

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    wrong = wrong + 1
    print *, 'rank ', nrank, ': ', what
  end subroutine

  subroutine on_grid(p_row, p_col)
    integer, intent(in) :: p_row, p_col
    integer :: row, column, ranks
    row = p_row
    column = p_col
    ranks = nproc
    call decomp_2d_init(n(1), n(2), n(3), row, column, [.true., .false., .true.])
    call parts()
    call transposes()
    call ghosts()
    call ghosts_of_few_planes()
    call transforms(PHYSICAL_IN_X)
    call transforms(PHYSICAL_IN_Z)
    call skipped()
    call skipped_real()
    call again()
    call coarse()
    call files()
    call named_files()
    call decomp_2d_finalize()
    nproc = ranks
  end subroutine

  !> Some number for each point, the same on all ranks. Points beyond an end are those of the other end.
  elemental real(mytype) function field(x, y, z)
    integer, intent(in) :: x, y, z
    field = modulo(37*modulo(x - 1, n(1)) + 101*modulo(y - 1, n(2)) + 53*modulo(z - 1, n(3))**2, 97)/97._mytype - 0.5_mytype
  end function
  subroutine fill(first, last, values)
    integer, intent(in) :: first(3), last(3)
    real(mytype), allocatable, intent(out) :: values(:, :, :)
    integer :: x, y, z
    allocate (values(first(1):last(1), first(2):last(2), first(3):last(3)))
    do z = first(3), last(3)
      do y = first(2), last(2)
        do x = first(1), last(1)
          values(x, y, z) = field(x, y, z)
        end do
      end do
    end do
  end subroutine

  !> The last ranks hold the longer parts.
  subroutine parts()
    integer :: d(2), coordinates(2), first
    d = get_decomp_dims()
    call MPI_Cart_coords(DECOMP_2D_COMM_CART_X, nrank, 2, coordinates, error)
    call check(xsize(1) == n(1) .and. ysize(2) == n(2) .and. zsize(3) == n(3), 'whole axes')
    call check(ysize(1) == n(1)/d(1) + merge(1, 0, coordinates(1) >= d(1) - mod(n(1), d(1))), 'the longer parts')
    first = 0
    call MPI_Exscan(xsize(2), first, 1, MPI_INTEGER, MPI_SUM, DECOMP_2D_COMM_COL, error)
    call check(xstart(2) == first + 1 .and. xend(2) == first + xsize(2), 'the order of parts')
  end subroutine

  subroutine transposes()
    real(mytype), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :), in_x(:, :, :), in_y(:, :, :), in_z(:, :, :)
    complex(mytype), allocatable :: cx(:, :, :), cy(:, :, :)
    call fill(xstart, xend, in_x)
    call fill(ystart, yend, in_y)
    call fill(zstart, zend, in_z)
    call alloc_x(x)
    call alloc_y(y, opt_global=.true.)
    call alloc_z(z)
    call alloc_x(cx)
    call alloc_y(cy)
    y = 99
    z = 99
    call transpose_x_to_y(in_x, y)
    call check(all(abs(y - in_y) <= 0) .and. lbound(y, 1) == ystart(1), 'x to y')
    call transpose_y_to_z(y, z)
    call check(all(abs(z - in_z) <= 0), 'z from y')
    y = 99
    call transpose_z_to_y(z, y)
    call check(all(abs(y - in_y) <= 0), 'y from z')
    x = 99
    call transpose_y_to_x(y, x)
    call check(all(abs(x - in_x) <= 0), 'x from y')
    cx = cmplx(in_x, 2*in_x, mytype)
    cy = 99
    call transpose_x_to_y(cx, cy, decomp_main)
    call check(all(abs(cy - cmplx(in_y, 2*in_y, mytype)) <= 0), 'complex x to y')
  end subroutine

  !> Along periodic axes the field continues; elsewhere nothing is promised beyond an end.
  subroutine ghosts()
    real(mytype), allocatable :: in(:, :, :), around(:, :, :)
    integer :: y, z
    call fill(xstart, xend, in)
    call update_halo(in, around, level=1, opt_global=.true., opt_pencil=1)
    call check(all(lbound(around) == xstart - [0, 1, 1]) .and. all(ubound(around) == xend + [0, 1, 1]), 'ghost cells'' bounds')
    do z = xstart(3) - 1, xend(3) + 1
      do y = max(1, xstart(2) - 1), min(n(2), xend(2) + 1)
        call check(abs(around(4, y, z) - field(4, y, z)) <= 0, 'a ghost cell')
      end do
    end do
  end subroutine

  !> Three planes, so that some ranks have none. Then ghost cells that the program has set beyond the end of an axis that is
  !> not periodic, which neighbours along the other axis get as well.
  subroutine ghosts_of_few_planes()
    type(decomp_info) :: few
    real(mytype), allocatable :: in(:, :, :), around(:, :, :)
    type(halo_extents_t) :: e
    integer :: x, z, coordinates(2)
    call decomp_info_init(3, n(2), n(3), few)
    call fill(few%yst, few%yen, in)
    call update_halo(in, around, 1, few, opt_global=.true., opt_pencil=2)
    do z = few%yst(3) - 1, few%yen(3) + 1
      do x = few%yst(1), few%yen(1)
        call check(abs(around(x, 2, z) - field(x, 2, z)) <= 0, 'a ghost cell of few planes')
      end do
    end do
    call decomp_info_finalize(few)

    call fill(xstart, xend, in)
    e = halo_extents_t(1, xsize, decomp_main, 1, .true.)
    deallocate (around)
    allocate (around(e%xs:e%xe, e%ys:e%ye, e%zs:e%ze))
    call MPI_Cart_coords(DECOMP_2D_COMM_CART_X, nrank, 2, coordinates, error)
    around = 99
    around(:, xstart(2):xend(2), xstart(3):xend(3)) = in
    if (coordinates(1) == 0) around(:, 0, xstart(3):xend(3)) = 2*in(:, 1, :)
    call halo_exchange(around, 1, e, 1, xsize)
    do z = xstart(3) - 1, xend(3) + 1
      if (coordinates(1) == 0) call check(abs(around(4, 0, z) - 2*field(4, 1, z)) <= 0, 'a ghost cell that the program has set')
    end do
  end subroutine

  subroutine transforms(pencil)
    integer, intent(in) :: pencil
    complex(mytype), allocatable :: in(:, :, :), modes(:, :, :), back(:, :, :)
    real(mytype), allocatable :: u(:, :, :), u_back(:, :, :)
    integer, dimension(3) :: first, last, sizes
    call decomp_2d_fft_init(pencil)
    call check(decomp_2d_fft_get_format() == pencil, 'the format')
    if (pencil == PHYSICAL_IN_X) then
      call fill(xstart, xend, u)
      call alloc_z(modes, opt_global=.true.)
    else
      call fill(zstart, zend, u)
      call alloc_x(modes, opt_global=.true.)
    end if
    in = cmplx(u, 0, mytype)
    allocate (back, mold=in)
    modes = 99
    back = 99
    call decomp_2d_fft_3d(in, modes, DECOMP_2D_FFT_FORWARD)
    call compare(lbound(modes), modes, letters(pencil:pencil)//': c2c')
    call decomp_2d_fft_3d(modes, back, DECOMP_2D_FFT_BACKWARD)
    call check(maxval(abs(back - in*product(n))) < allowed*product(n), letters(pencil:pencil)//': c2c back')
    call decomp_2d_fft_get_size(first, last, sizes)
    deallocate (modes)
    allocate (modes(first(1):last(1), first(2):last(2), first(3):last(3)))
    allocate (u_back, mold=u)
    modes = 99
    u_back = 99
    call decomp_2d_fft_3d(u, modes)
    call compare(first, modes, letters(pencil:pencil)//': r2c')
    call decomp_2d_fft_3d(modes, u_back)
    call check(maxval(abs(u_back - u*product(n))) < allowed*product(n), letters(pencil:pencil)//': c2r')
    call decomp_2d_fft_finalize()
  end subroutine

  !> Modes beside the sum over all points.
  subroutine compare(first, modes, what)
    integer, intent(in) :: first(3)
    complex(mytype), intent(in) :: modes(first(1):, first(2):, first(3):)
    character(*), intent(in) :: what
    real(mytype), allocatable :: points(:, :, :)
    complex(mytype) :: sum_y(n(3)), direct
    integer :: kx, ky, kz, z, x
    real(mytype) :: difference
    call fill([1, 1, 1], n, points)
    difference = 0
    do ky = lbound(modes, 2), ubound(modes, 2)
      do kx = lbound(modes, 1), ubound(modes, 1)
        do z = 1, n(3)
          sum_y(z) = sum([(wave(kx, x, 1)*sum(points(x, :, z)*wave_of(ky, 2)), x=1, n(1))])
        end do
        do kz = lbound(modes, 3), ubound(modes, 3)
          direct = sum(sum_y*wave_of(kz, 3))
          difference = max(difference, abs(direct - modes(kx, ky, kz)))
        end do
      end do
    end do
    call check(difference < allowed*product(n)**0.5, what)
  end subroutine
  complex(mytype) function wave(k, x, axis)
    integer, intent(in) :: k, x, axis
    wave = exp(cmplx(0, -2*pi*modulo((k - 1)*(x - 1), n(axis))/n(axis), mytype))
  end function
  function wave_of(k, axis)
    integer, intent(in) :: k, axis
    complex(mytype) :: wave_of(n(axis))
    integer :: x
    wave_of = [(wave(k, x, axis), x=1, n(axis))]
  end function

  !> Without a transform along y and z.
  subroutine skipped()
    complex(mytype), allocatable :: in(:, :, :), modes(:, :, :), back(:, :, :)
    real(mytype), allocatable :: u(:, :, :), at_modes(:, :, :)
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.true., .true., .true.])
    call fill(xstart, xend, u)
    call fill(zstart, zend, at_modes)
    in = cmplx(u, -u, mytype)
    call alloc_z(modes)
    modes = 99
    call decomp_2d_fft_3d(in, modes, DECOMP_2D_FFT_FORWARD)
    call check(all(abs(modes - cmplx(at_modes, -at_modes, mytype)) <= 0), 'no transform')
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.false., .true., .true.])
    allocate (back, mold=in)
    call decomp_2d_fft_3d(in, modes, DECOMP_2D_FFT_FORWARD)
    call decomp_2d_fft_3d(modes, back, DECOMP_2D_FFT_BACKWARD)
    call check(maxval(abs(back - in*n(1))) < allowed*n(1), 'one axis and back')
    call decomp_2d_fft_finalize()
  end subroutine

  !> The axis of real numbers is transformed all the same.
  subroutine skipped_real()
    complex(mytype), allocatable :: modes(:, :, :)
    real(mytype), allocatable :: u(:, :, :), back(:, :, :)
    integer, dimension(3) :: first, last, sizes
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.true., .true., .true.])
    call fill(xstart, xend, u)
    allocate (back, mold=u)
    call decomp_2d_fft_get_size(first, last, sizes)
    allocate (modes(first(1):last(1), first(2):last(2), first(3):last(3)))
    call decomp_2d_fft_3d(u, modes)
    call decomp_2d_fft_3d(modes, back)
    call check(maxval(abs(back - u*n(1))) < allowed*n(1), 'real numbers along x alone')
    call decomp_2d_fft_finalize()
  end subroutine

  !> A grid that is made anew, and fewer grids than before.
  subroutine again()
    complex(mytype), allocatable :: in(:, :, :), modes(:, :, :)
    type(decomp_2d_fft_engine), pointer :: engine
    call decomp_2d_fft_set_ngrid(2)
    call decomp_2d_fft_init(PHYSICAL_IN_X, n(1), n(2), n(3), 2, opt_skip_XYZ_c2c=[.false., .true., .true.])
    engine => decomp_2d_fft_get_engine(2)
    call engine%fin()
    call engine%init(PHYSICAL_IN_X, n(1), n(2), n(3))
    allocate (in(xsize(1), xsize(2), xsize(3)))
    in = 1
    call alloc_z(modes)
    call decomp_2d_fft_3d(in, modes, DECOMP_2D_FFT_FORWARD)
    call check(abs(sum(real(modes)) - merge(product(n), 0, all(zstart == 1))) < allowed*product(n), 'a grid made anew')
    call decomp_2d_fft_set_ngrid(1)
    call check(decomp_2d_fft_get_ngrid() == 1, 'fewer grids')
    call decomp_2d_fft_finalize()
  end subroutine

  subroutine coarse()
    real(mytype), allocatable :: u(:, :, :), every(:, :, :)
    integer :: x, y, z
    call init_coarser_mesh_statS(2, 3, 2, .true.)
    call fill(xstart, xend, u)
    allocate (every(xstS(1):xenS(1), xstS(2):xenS(2), xstS(3):xenS(3)))
    call fine_to_coarseS(1, u, every)
    do z = xstS(3), xenS(3)
      do y = xstS(2), xenS(2)
        do x = xstS(1), xenS(1)
          call check(abs(every(x, y, z) - field(2*x - 1, 3*y - 2, 2*z - 1)) <= 0, 'a coarse point')
        end do
      end do
    end do
  end subroutine

  !> Files hold the numbers with x fastest, whoever wrote them.
  subroutine files()
    real(mytype), allocatable :: x(:, :, :), y(:, :, :), again(:, :, :), whole(:, :, :)
    character(40) :: name
    name = file_name('one')
    call decomp_2d_io_init()
    call fill(xstart, xend, x)
    call fill(ystart, yend, y)
    call fill([1, 1, 1], n, whole)
    call decomp_2d_write_one(1, x, trim(name))
    allocate (again, mold=y)
    again = 99
    call decomp_2d_read_one(2, again, trim(name))
    call check(all(abs(again - y) <= 0), 'a file read back')
    call expect_file(name, [whole])
    call decomp_2d_write_plane(2, y, trim(file_name('sum')), opt_iplane=0)
    call expect_file(file_name('sum'), [sum(whole, 2)])
    call decomp_2d_io_fin()
  end subroutine

  !> Of one test, so that tests of other precisions and ranks may run at the same time.
  character(40) function file_name(name)
    character(*), intent(in) :: name
    write (file_name, '(a,i0,a,i0,2a)') 'decomp_2d_test.', kind(pi), '.', nproc, '.', name
  end function
  !> The file has these numbers and nothing else; it is removed.
  subroutine expect_file(name, expected)
    character(*), intent(in) :: name
    real(mytype), intent(in) :: expected(:)
    real(mytype) :: found(size(expected))
    integer :: unit, bytes
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (nrank == 0) then
      open (newunit=unit, file=trim(name), access='stream', form='unformatted', status='old')
      inquire (unit, size=bytes)
      found = 99
      if (bytes == mytype*size(expected)) read (unit) found
      call check(maxval(abs(found - expected)) < allowed, name)
      close (unit, status='delete')
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine

  !> Files with the arguments of release 2.0.
  subroutine named_files()
    real(mytype), allocatable :: x(:, :, :), z(:, :, :), again(:, :, :), whole(:, :, :), every(:, :, :), times(:, :, :, :)
    character(40) :: name
    integer(MPI_OFFSET_KIND) :: place
    integer :: file, i
    call decomp_2d_io_init()
    call decomp_2d_init_io('fields')
    call fill(xstart, xend, x)
    call fill(zstart, zend, z)
    call fill([1, 1, 1], n, whole)
    allocate (again, mold=z)
    name = file_name('named')
    call decomp_2d_open_io('fields', trim(name), decomp_2d_write_mode)
    call decomp_2d_write_one(1, x, trim(name), 'first', 0, 'fields')
    call decomp_2d_write_one(3, 2*z, trim(name), 'second', 0, 'fields', reduce_prec=.false.)
    call decomp_2d_close_io('fields', trim(name))
    call decomp_2d_open_io('fields', trim(name), decomp_2d_read_mode)
    again = 99
    call decomp_2d_read_one(3, again, trim(name), 'first', 'fields')
    call check(all(abs(again - z) <= 0), 'an open file')
    call decomp_2d_close_io('fields', trim(name))
    call expect_file(name, [whole, 2*whole])
    do i = 1, 3
      call decomp_2d_write_plane(1, x, i, 2, '.', file_name('plane'), 'planes')
      if (i == 1) call expect_file(file_name('plane'), [whole(2, :, :)])
      if (i == 2) call expect_file(file_name('plane'), [whole(:, 2, :)])
      if (i == 3) call expect_file(file_name('plane'), [whole(:, :, 2)])
    end do
    call decomp_2d_write_plane(3, z, 1, 0, '.', file_name('mean'), 'planes')
    call expect_file(file_name('mean'), [sum(whole, 1)/n(1)])
    call decomp_2d_write_every(1, x, 2, 3, 5, trim(file_name('every')), .true.)
    call expect_file(file_name('every'), [whole(1::2, 1::3, 1::5)])
    call decomp_2d_write_every(3, z, 2, 3, 5, trim(file_name('every')), .false.)
    call expect_file(file_name('every'), [whole(2::2, 3::3, 5::5)])
    call decomp_2d_write_subdomain(3, z, 2, 4, 3, 6, 5, 5, trim(file_name('part')))
    call expect_file(file_name('part'), [whole(2:4, 3:6, 5:5)])
    call init_coarser_mesh_statP(3, 2, 3, .true.)
    allocate (every(xszP(1), xszP(2), xszP(3)), times(xszP(1), xszP(2), xszP(3), 2))
    call fine_to_coarseP(1, x, every)
    times(:, :, :, 1) = every
    times(:, :, :, 2) = 3*every
    call decomp_2d_write_one(1, times, trim(file_name('times')), 2)
    call expect_file(file_name('times'), [whole(1::3, 1::2, 1::3), 3*whole(1::3, 1::2, 1::3)])
    call MPI_File_open(MPI_COMM_WORLD, file_name('restart'), MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
    place = 0
    call decomp_2d_write_scalar(file, place, 2, [1.5_mytype, 2.5_mytype])
    call decomp_2d_write_var(file, place, 1, x)
    call MPI_File_close(file, error)
    call expect_file(file_name('restart'), [1.5_mytype, 2.5_mytype, whole])
    call decomp_2d_io_finalise()
  end subroutine
end program
