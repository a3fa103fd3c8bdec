#!/usr/bin/env python3
"""Runs programs that others wrote before and after they use Weft, in pairs: their results must agree, their times are printed.

    tests/programs/run.py dedalus PREFIX                       Dedalus 3, imported by this Python, on the drop-in for FFTW-MPI
    tests/programs/run.py fftw PREFIX SOURCE                   FFTW's benchmark on the drop-in, SOURCE its program mpi-bench
    tests/programs/run.py mpb PREFIX                           mpb-mpi of Debian on the drop-in: the bands of a photonic crystal
    tests/programs/run.py shenfun PREFIX                       shenfun, imported by this Python as weft is, on weft.compat.mpi4py_fft
    tests/programs/run.py xcompact3d PREFIX SOURCE ORIGINAL    Xcompact3d's Taylor-Green vortex, on weft::decomp_2d
    tests/programs/run.py cans PREFIX SOURCE ORIGINAL          CaNS's periodic channel, likewise
    tests/programs/run.py transposes PREFIX SOURCE ORIGINAL    2DECOMP&FFT's transposes alone, on grids of the ranks
    tests/programs/run.py decomp_2d PREFIX SOURCE ORIGINAL     2DECOMP&FFT 2.0's own example programs, and the files that they write
    tests/programs/run.py p3dfft PREFIX SOURCE                 P3DFFT 2's own sample programs

PREFIX is where Weft is installed (cmake --install), ORIGINAL a build of 2DECOMP&FFT, SOURCE the program's source. Nothing is
fetched. --ranks, --pairs, --size, --folder and --launcher choose more. Needs NumPy.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
FORTRAN_FLAGS = "-cpp -DDOUBLE_PREC -O3 -march=native -ffree-line-length-none -fallow-argument-mismatch -w".split()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("prefix", type=Path)
    parser.add_argument("source", type=Path, nargs="?")
    parser.add_argument("original", type=Path, nargs="?")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--size", type=int, default=65, help="points along each axis of Xcompact3d's and CaNS's flows")
    parser.add_argument("--folder", type=Path, help="keeps the compiled programs here, and uses those that are here already")
    parser.add_argument("--launcher", default="mpiexec --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n {ranks}")
    arguments = parser.parse_args()
    for name in ("prefix", "source", "original", "folder"):
        if path := getattr(arguments, name):
            setattr(arguments, name, path.resolve())
    return arguments


class Weft:
    """An installed Weft: where its libraries and its modules of other libraries are."""

    def __init__(self, prefix):
        package = next(prefix.glob("lib*/**/weft.pc"))
        self.library = package.parent.parent
        self.variables = dict(re.findall(r"^(\w+)=(.*)$", package.read_text(), re.M))
        self.compat = prefix / "include/weft/fortran/compat"
        self.modules = prefix / "include/weft/fortran"

    @property
    def link(self):
        return [f"-L{self.library}", "-lweft_fortran", "-lweft", f"-Wl,-rpath,{self.library}"]

    def decomp_2d(self, folder):
        """Flags to compile and to link a program with the modules of 2DECOMP&FFT, which are compiled into a folder."""
        names = ["base", "", "fft", "io_base", "io_named", "io"]
        sources = [self.compat / "decomp_2d" / (f"decomp_2d_{name}" if name else "decomp_2d") for name in names]
        folder.mkdir(parents=True)
        for source in sources:
            self.compile([*FORTRAN_FLAGS, f"-I{self.modules}", "-c", f"{source}.F90"], folder)
        return [f"-I{folder}", f"-I{self.modules}"], [*map(str, folder.glob("*.o")), *self.link]

    def compile(self, flags, folder, wrapper="mpifort", check=True):
        return subprocess.run([self.variables[wrapper], *map(str, flags)], cwd=folder, check=check, text=True, capture_output=not check)


def original_decomp_2d(build):
    return [f"-I{build / 'include'}"], [str(build / "lib/libdecomp2d.a")]


def compile_in_any_order(weft, sources, flags, folder):
    """Compiles modules as soon as those that they use are there."""
    folder.mkdir(parents=True)
    while sources:
        failed = {source: weft.compile([*FORTRAN_FLAGS, *flags, "-c", source], folder, check=False) for source in sources}
        failed = {source: result for source, result in failed.items() if result.returncode != 0}
        if len(failed) == len(sources):
            sys.exit(f"{next(iter(failed))}: {next(iter(failed.values())).stderr}")
        sources = list(failed)


def run(arguments, command, folder, environment=None, ranks=None):
    launcher = arguments.launcher.format(ranks=ranks or arguments.ranks).split()
    own = [f"{name}={value}" for name, value in {"OMP_NUM_THREADS": "1", **(environment or {})}.items()]  # not the launcher's
    started = time.perf_counter()
    result = subprocess.run([*launcher, "env", *own, *map(str, command)], cwd=folder, text=True, capture_output=True)
    return result.returncode, f"{result.stdout}{result.stderr}\nseconds of the whole run: {time.perf_counter() - started}"


def pairs(arguments, before, after, seconds, compare, name=None, tolerance=1e-10):
    """Runs (command, folder, environment) of both alternately; seconds(output) is a run's time, compare() their difference."""
    times = [], []
    for _ in range(arguments.pairs):
        for which, (command, folder, environment) in enumerate((before, after)):
            code, output = run(arguments, command, folder, environment)
            if code != 0:
                sys.exit(output)
            times[which].append(seconds(output))
            if which == 1:
                after_output = output
            else:
                before_output = output
    ratios = [b / a for a, b in zip(*times)]
    difference = compare(before_output, after_output)
    print(f"{name or arguments.program}, {arguments.ranks} ranks: before {statistics.median(times[0]):.4g} s, on Weft "
          f"{statistics.median(times[1]):.4g} s, ratio of pairs {statistics.median(ratios):.3f} "
          f"({min(ratios):.3f} to {max(ratios):.3f}), difference {difference:.1e}")
    if not difference < tolerance:
        sys.exit("the results differ")
    return after_output


def number(pattern):
    return lambda output: float(re.findall(pattern, output)[-1])


def difference_of_results(before, after):
    a, b = number(r"result: *(\S+)")(before), number(r"result: *(\S+)")(after)
    return abs(a - b) / abs(a)


def difference_of_files(before, after, pattern):
    """The largest relative L2 difference of files of numbers in two folders."""
    largest = 0.0
    files = sorted(before.glob(pattern))
    if not files:
        sys.exit(f"the program has written no {pattern}")
    for file in files:
        a, b = np.fromfile(file), np.fromfile(after / file.relative_to(before))
        largest = max(largest, np.linalg.norm(a - b) / max(np.linalg.norm(a), 1e-300))
    return largest


def pairs_on_drop_in(arguments, weft, scratch, command, seconds, compare, **settings):
    """All plans of a program on FFTW-MPI must run on Weft."""
    on_weft = {"LD_PRELOAD": str(weft.library / "libweft_fftw3_mpi.so.3"), "WEFT_FFTW": "report"}
    output = pairs(arguments, (command, scratch, {}), (command, scratch, on_weft), seconds, compare, **settings)
    report = re.findall(r"weft_fftw3_mpi: .*", output)[-1]
    if " 0 were passed on" not in report:
        sys.exit(report)


def dedalus(arguments, weft, scratch):
    pairs_on_drop_in(arguments, weft, scratch, [sys.executable, HERE / "dedalus_flow.py"], number(r"seconds per step: (\S+)"),
                     difference_of_results)


# Problems of mpi-bench: out of place or in place, complex or real, forward or backward, real transforms, lengths.
FFTW_PROBLEMS = [letters + lengths for lengths in ("16x16x16", "32x32x32", "64x64x64", "60x56x50", "97x89x61", "128x128x128",
                                                   "1024x1024", "256x256x256") for letters in ("ocf", "icb", "orf", "irb")]


def fftw(arguments, weft, scratch):
    def seconds(output):
        value, unit = re.findall(r" time: ([\d.e+-]+) (\w+)", output)[-1]
        return float(value) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]

    for problem in FFTW_PROBLEMS:
        pairs_on_drop_in(arguments, weft, scratch, [arguments.source, "-s", problem], seconds, lambda *_: 0, name=problem)


MPB_INPUT = """
(set! geometry-lattice (make lattice (size 1 1 1)))
(set! geometry (list (make sphere (center 0 0 0) (radius 0.3) (material (make dielectric (epsilon 12))))))
(set! k-points (list (vector3 0.5 0 0) (vector3 0.5 0.5 0)))
(set! resolution %d)
(set! num-bands 6)
(run)
"""


def mpb(arguments, weft, scratch):
    (scratch / "bands.ctl").write_text(MPB_INPUT % arguments.size)

    def frequencies(output):  # after the number of the wave vector, the vector and its length
        return np.array([float(word) for line in re.findall(r"^freqs:, \d.*", output, re.M) for word in line.split(",")[6:]])

    # Each run starts from random fields, and ends within mpb's own tolerance.
    pairs_on_drop_in(arguments, weft, scratch, ["mpb-mpi", "bands.ctl"], number(r"whole run: (\S+)"),
                     lambda *outputs: np.abs(np.subtract(*map(frequencies, outputs))).max(), tolerance=1e-4)


def shenfun(arguments, weft, scratch):
    script = HERE / "shenfun_flow.py"
    pairs(arguments, ([sys.executable, script], scratch, {}),
          ([sys.executable, "-m", "weft.compat.mpi4py_fft", script], scratch, {}), number(r"seconds per step: (\S+)"), difference_of_results)


def both_builds(arguments, weft, scratch, sources, flags, libraries=()):
    """A program compiled with 2DECOMP&FFT and with Weft's modules; returns the two executables."""
    top = (arguments.folder or scratch) / arguments.program
    folders = [top / name for name in ("before", "after")]
    if not all((folder / "program").exists() for folder in folders):
        shutil.rmtree(top, ignore_errors=True)
        builds = original_decomp_2d(arguments.original), weft.decomp_2d(top / "modules")
        for folder, (include, link) in zip(folders, builds):
            compile_in_any_order(weft, sources, [*flags, *include], folder)
            weft.compile([*folder.glob("*.o"), *link, *libraries, "-o", "program"], folder)
    return [folder / "program" for folder in folders]


def run_folders(scratch, files):
    """Two folders to run in, with these files in both."""
    folders = []
    for name in ("before", "after"):
        folder = scratch / name
        (folder / "data").mkdir(parents=True)
        for target, text in files.items():
            (folder / target).write_text(text)
        folders.append(folder)
    return folders


def xcompact3d(arguments, weft, scratch):
    listed = re.findall(r"[\w-]+\.f90", (arguments.source / "src/CMakeLists.txt").read_text())
    before, after = both_builds(arguments, weft, scratch, [arguments.source / "src" / name for name in dict.fromkeys(listed)], [])
    case = arguments.source / "examples/TGV-Taylor-Green-vortex"
    text = (case / "input.i3d").read_text()
    for name, value in {"n[xyz]": arguments.size, "ilast": 20, "icheckpoint": 20, "ioutput": 20}.items():
        text = re.sub(rf"^({name} *= *)\d+", rf"\g<1>{value}", text, flags=re.M)
    files = {"input.i3d": text, **{file.name: file.read_text() for file in case.glob("*.dat")}}
    folders = run_folders(scratch, files)
    pairs(arguments, ([before], folders[0], {}), ([after], folders[1], {}),
          number(r"Averaged time per step \(s\): *(\S+)"), lambda *_: difference_of_files(*folders, "data/*.bin"))


def cans(arguments, weft, scratch):
    folder = arguments.source / "src"
    before, after = both_builds(arguments, weft, scratch, sorted(folder.glob("*.f90")), [f"-I{folder}", "-I/usr/include"], ["-lfftw3"])
    text = (arguments.source / "examples/periodic_channel/input.nml").read_text()
    size = arguments.size - arguments.size % 2
    for name, value in {r"ng\(1:3\)": f"{size}, {size}, {size}", "nstep": 20, "stop_type\\(1:3\\)": "T, F, F", "isave": 20,
                        "iout3d": 1000}.items():
        text = re.sub(rf"({name} *= *)[^,\n]+(, *[\dTF]+)*", rf"\g<1>{value}", text, count=1)
    folders = run_folders(scratch, {"input.nml": text})
    pairs(arguments, ([before], folders[0], {}), ([after], folders[1], {}), mean_step_of_cans,
          lambda *_: difference_of_files(*folders, "data/fld*.bin"))


def mean_step_of_cans(output):
    found = re.findall(r"elapsed time:\s*\n?\s*([\d.E+-]+)", output)
    return statistics.median(map(float, found[2:]))


def transposes(arguments, weft, scratch):
    before, after = both_builds(arguments, weft, scratch, [HERE / "transposes.f90"], [])
    size = arguments.size
    for rows in (rows for rows in range(1, arguments.ranks + 1) if arguments.ranks % rows == 0):
        for kind in ("real", "complex"):
            settings = [size, rows, arguments.ranks // rows, kind]
            pairs(arguments, ([before, *settings], scratch, {}), ([after, *settings], scratch, {}),
                  number(r"seconds per round: *(\S+)"), difference_of_results,
                  name=f"{size}^3 {kind} on {rows}x{arguments.ranks // rows}")


def decomp_2d(arguments, weft, scratch):
    include, link = weft.decomp_2d(scratch / "modules")
    builds = {"after": (include, link), "before": original_decomp_2d(arguments.original)}
    wrong = 0
    for source in sorted((arguments.source / "examples").glob("*/*.f90")):
        for name, (flags, libraries) in builds.items():
            weft.compile([*FORTRAN_FLAGS, *flags, source, *libraries, "-o", f"{source.stem}_{name}"], scratch)
        for ranks in (1, 2, 3, 4, 6):
            codes, folders = [], run_folders(scratch / f"{source.stem}_{ranks}", {})
            for folder in folders:
                codes.append(run(arguments, [scratch / f"{source.stem}_{folder.name}"], folder, ranks=ranks)[0])
            names = [file.relative_to(folders[0]) for file in folders[0].rglob("*") if file.is_file()
                     and file.suffix not in (".log", ".xdmf") and source.stem != "io_bench"]  # which writes random numbers
            same = [(folders[1] / name).read_bytes() == (folders[0] / name).read_bytes() for name in names]
            wrong += codes[0] != codes[1] or not all(same)
            print(f"{source.stem}, {ranks} ranks: exit status {codes[0]} before, {codes[1]} on Weft, {sum(same)} of {len(same)} files "
                  "are the same")
            for folder in folders:
                shutil.rmtree(folder)
    sys.exit(wrong > 0)


# The sample programs' input: lengths, dimensions of the grid, repetitions, variables.
P3DFFT_INPUT = {"pruned": "28 30 36 20 18 24 2 1", "cheby": "32 30 33 2 1", "many": "28 30 34 2 1 3", "": "28 30 35 2 1"}


def p3dfft(arguments, weft, scratch):
    wrong = 0
    samples = sorted(file for file in (arguments.source / "sample").glob("*/driver_*") if file.suffix in (".c", ".F90"))
    for definitions in ([], ["-DSTRIDE1"]):
        folder = scratch / f"stride1_{len(definitions)}"
        folder.mkdir()
        weft.compile([*FORTRAN_FLAGS, *definitions, f"-I{weft.modules}", "-c", weft.compat / "p3dfft.F90"], folder)
        for source in samples:
            wrapper, flags = ("mpifort", FORTRAN_FLAGS) if source.suffix == ".F90" else ("mpicc", ["-w", "-DGNU"])
            headers = [f"-I{folder}", f"-I{weft.modules}", f"-I{arguments.source / 'include'}", f"-I{arguments.source / 'build'}"]
            weft.compile([*flags, *definitions, *headers, "-c", source, "-o", "sample.o"], folder, wrapper)
            weft.compile(["sample.o", "p3dfft.o", *weft.link, "-lm", "-o", "sample"], folder)
            (folder / "stdin").write_text(next(line for word, line in P3DFFT_INPUT.items() if word in source.stem) + "\n")
            for ranks in (1, 2, 3, 4, 6):
                (folder / "dims").unlink(missing_ok=True)
                code, output = run(arguments, ["./sample"], folder, ranks=ranks)
                told = re.findall(r".*(?:correct).*", output, re.I)
                is_wrong = code != 0 or any("incorrect" in line.lower() for line in told)
                wrong += is_wrong
                print(f"{source.name} {' '.join(definitions)}, {ranks} ranks: exit status {code}; {told[0].strip() if told else 'no result'}")
    sys.exit(wrong > 0)


PROGRAMS = {function.__name__: function for function in (dedalus, fftw, mpb, shenfun, xcompact3d, cans, transposes, decomp_2d, p3dfft)}


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        PROGRAMS[arguments.program](arguments, Weft(arguments.prefix), Path(scratch))


if __name__ == "__main__":
    main()
