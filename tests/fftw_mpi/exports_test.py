"""Checks that the drop-in exports all that FFTW-MPI's headers declare, and nothing that is not FFTW's. Arguments: the
library, its prefix (fftw or fftwf), the folder of FFTW's headers."""
import pathlib
import re
import subprocess
import sys

library, prefix, headers = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
table = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
exported = {line.split()[-1].split("@")[0] for line in table.splitlines()}

declared = {f"{prefix}_mpi_{name}" for name in re.findall(r"\bXM\((\w+)\)", (headers / "fftw3-mpi.h").read_text())}
declared -= {f"{prefix}_mpi_ddim"}  # a type
fortran = headers / "fftw3-mpi.f03"
if fortran.exists():
    declared |= {name for name in re.findall(r"bind\(C, name='(\w+)'\)", fortran.read_text())
                 if name.startswith(prefix + "_") and not name.endswith("_ddim")}

wrong = [f"not in the library: {name}" for name in sorted(declared - exported)]
wrong += [f"exported, but not FFTW's: {name}" for name in sorted(exported) if not name.startswith(prefix + "_")]
print("\n".join(wrong) or f"{len(declared)} functions of the headers, all there, of {len(exported)} exported")
sys.exit(bool(wrong) or len(declared) < 37)
