! Module p3dfft on Weft: where the modes of a wave lie, each kind along z, several variables, kept modes, and the way back.
program p3dfft_test
  use mpi
  use p3dfft
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = acos(-1d0)
  integer :: error, rank, ranks, wrong, all_wrong

  wrong = 0
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call waves([10, 9, 7], [10, 9, 7])
  call waves([8, 4, 12], [8, 4, 12])
  call waves([12, 12, 10], [8, 7, 5])
  call waves([3, 1, 2], [3, 1, 2])  ! ranks without points
  call chebyshev()
  call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print *, 'wrong: ', all_wrong
  call MPI_Finalize(error)
  if (all_wrong > 0) error stop 1

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    wrong = wrong + 1
    print *, 'rank ', rank, ': ', what
  end subroutine

  !> The element of a spectrum whose axes are x, y, z.
  integer function at(first, last, k)
    integer, intent(in) :: first(3), last(3), k(3)
    integer :: it(3), n(3)
    n = last - first + 1
    it = k
#ifdef STRIDE1
    it = k(3:1:-1)
#endif
    at = 0
    if (all(it >= first .and. it <= last)) at = 1 + it(1) - first(1) + n(1)*(it(2) - first(2) + n(2)*(it(3) - first(3)))
  end function

  subroutine waves(n, kept)
    integer, intent(in) :: n(3), kept(3)
    integer :: dims(2), first(3), last(3), extent(3), low(3), high(3), modes(3), x, y, z, v, place, memory(3), points(3)
    character(3), parameter :: letters = 'ncs'
    real(dp), allocatable :: u(:, :, :, :), back(:, :, :, :)
    complex(dp), allocatable :: s(:, :)
    dims = [1, ranks]
    if (mod(ranks, 2) == 0) dims = [2, ranks/2]
    call p3dfft_setup(dims, n(1), n(2), n(3), MPI_COMM_WORLD, kept(1), kept(2), kept(3), .true., memory)
    call p3dfft_get_dims(first, last, extent, 1)
    call p3dfft_get_dims(low, high, modes, 2)
    allocate (u(first(1):last(1), first(2):last(2), first(3):last(3), 2), back(extent(1), extent(2), extent(3), 2))
    allocate (s(product(modes), 2))
    do v = 1, 2
      do z = first(3), last(3)
        do y = first(2), last(2)
          do x = first(1), last(1)
            u(x, y, z, v) = v + cos(2*pi*((x - 1)*1d0/n(1) + (z - 1)*1d0/n(3)))
          end do
        end do
      end do
    end do
    call p3dfft_ftran_r2c_many(u, product(extent), s, product(modes), 2, 'fft')
    do v = 1, 2
      place = at(low, high, [1, 1, 1])
      if (place > 0) call check(abs(s(place, v) - v*product(real(n, dp))) < 1d-9, 'the mean')
      place = at(low, high, [2, 1, 2])
      if (place > 0 .and. n(3) > 2) call check(abs(s(place, v) - product(real(n, dp))/2) < 1d-9, 'the wave')
    end do
    call p3dfft_btran_c2r_many(s, product(modes), back, product(extent), 2, 'tff')
    call check(all(abs(back/product(n) - u) < 1d-12), 'back')
    ! A DCT-I twice is 2 (n - 1) times the field, a DST-I 2 (n + 1) times; without a transform along z nothing is added.
    points = [1, 2*(n(3) - 1), 2*(n(3) + 1)]
    do v = 1, merge(3, 0, all(kept == n) .and. n(3) > 2)
      call p3dfft_ftran_r2c(u(:, :, :, 1), s(:, 1), 'ff'//letters(v:v))
      call p3dfft_btran_c2r(s(:, 1), back(:, :, :, 1), letters(v:v)//'ff')
      call check(all(abs(back(:, :, :, 1)/(n(1)*n(2)*points(v)) - u(:, :, :, 1)) < 1d-12), letters(v:v))
    end do
    call p3dfft_clean()
  end subroutine

  !> The derivative of z**3 on Chebyshev points, in a box of length 2.
  subroutine chebyshev()
    integer, parameter :: n(3) = [6, 5, 9]
    integer :: dims(2), first(3), last(3), extent(3), low(3), high(3), modes(3), z, x, y, k
    real(dp), allocatable :: u(:, :, :)
    complex(dp), allocatable :: s(:)
    real(dp) :: point
    dims = [1, ranks]
    call p3dfft_setup(dims, n(1), n(2), n(3), MPI_COMM_WORLD)
    call p3dfft_get_dims(first, last, extent, 1)
    call p3dfft_get_dims(low, high, modes, 2)
    allocate (u(first(1):last(1), first(2):last(2), first(3):last(3)), s(product(modes)))
    do z = first(3), last(3)
      u(:, :, z) = cos(pi*(z - 1)/(n(3) - 1))**3
    end do
    call p3dfft_cheby(u, s, 2d0)
    ! The way back of coefficients a is sum a_k T_k if all but the first and the last are halved.
    do y = low(2), high(2)
      do k = 2, n(3) - 1
#ifdef STRIDE1
        do x = low(3), high(3)
#else
        do x = low(1), high(1)
#endif
          s(at(low, high, [x, y, k])) = s(at(low, high, [x, y, k]))/2
        end do
      end do
    end do
    call p3dfft_btran_c2r(s, u, 'cff')
    do z = first(3), last(3)
      point = cos(pi*(z - 1)/(n(3) - 1))
      call check(all(abs(u(:, :, z) - 3*point**2) < 1d-11), 'the derivative')
    end do
    call p3dfft_clean()
  end subroutine
end program
