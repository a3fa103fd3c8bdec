/* A program that transforms with PETSc's MATFFTW, there and back, in real or complex numbers, as
 * PETSc was built. Prints norms of the spectrum; exits with 1 where the field does not come back.
 */
#include <petscmat.h>

#ifdef PETSC_USE_COMPLEX
enum { row = 9 };
#else
enum { row = 10 }; /* FFTW-MPI pads rows of 9 */
#endif

int main(int argc, char** argv) {
  PetscInt shape[] = {12, 10, 9}, size, i;
  const PetscReal points = 12 * 10 * 9;
  PetscReal one, two, most, error = 0, worst;
  const PetscScalar *before, *after;
  Mat transform;
  Vec field, spectrum, back;
  PetscRandom random;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(MatCreateFFT(PETSC_COMM_WORLD, 3, shape, MATFFTW, &transform));
  PetscCall(MatCreateVecsFFTW(transform, &field, &spectrum, &back));
  PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  PetscCall(PetscRandomSetFromOptions(random));
  PetscCall(VecSetRandom(field, random));
  PetscCall(MatMult(transform, field, spectrum));
  PetscCall(VecNorm(spectrum, NORM_1, &one));
  PetscCall(VecNorm(spectrum, NORM_2, &two));
  PetscCall(VecNorm(spectrum, NORM_INFINITY, &most));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "norms %.9g %.9g %.9g\n", one, two, most));
  PetscCall(MatMultTranspose(transform, spectrum, back));
  PetscCall(VecGetLocalSize(field, &size));
  PetscCall(VecGetArrayRead(field, &before));
  PetscCall(VecGetArrayRead(back, &after));
  for (i = 0; i < size; ++i)
    if (i % row < 9) error = PetscMax(error, PetscAbsScalar(after[i] / points - before[i]));
  PetscCallMPI(MPI_Allreduce(&error, &worst, 1, MPIU_REAL, MPIU_MAX, PETSC_COMM_WORLD));
  PetscCall(VecRestoreArrayRead(field, &before));
  PetscCall(VecRestoreArrayRead(back, &after));
  PetscCall(VecDestroy(&field));
  PetscCall(VecDestroy(&spectrum));
  PetscCall(VecDestroy(&back));
  PetscCall(PetscRandomDestroy(&random));
  PetscCall(MatDestroy(&transform));
  PetscCall(PetscFinalize());
  return worst < 1e-12 ? 0 : 1;
}
