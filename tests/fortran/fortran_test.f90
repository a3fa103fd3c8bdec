! Module weft on any number of ranks: ends with an error where anything is wrong on any rank.
program fortran_test
  use arrays_with_gaps
  use checks
  use mistakes_of_callers
  use other_kinds
  implicit none
  type(MPI_Comm) :: part
  integer :: all_mistakes
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call transforms(MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, part)
  call transforms(part)
  call MPI_Comm_free(part)
  call random_transforms()
  call bounds()
  call layouts()
  call other_calls()
  call devices()
  call functions()
  call packed()
  call messages()
  call wrong_calls()
  call all_kinds()
  call gaps()
  call MPI_Allreduce(mistakes, all_mistakes, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (all_mistakes > 0) error stop 1
end program
