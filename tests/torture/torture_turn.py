"""One turn of tests/torture/run: its random choices, its folder and its job, and how its outcome is judged. Needs NumPy."""

import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import time

import numpy as np

from torture_job import Broken, Job

ROOT = pathlib.Path(__file__).resolve().parents[2]
OVER_WITHIN = 20  # seconds from the death of a rank to that of the job
EXCHANGES = ["auto", "shared", "alltoallv", "alltoall", "alltoallw", "persistent", "p2p", "pairwise", "push", "put",
             "gather", "scatter", "two_level", "pairwise_in_place"]
OLD_OUTPUT = b"what was there before"


class Skipped(Exception):
    """An attack that cannot be made here."""


class Build:
    """A built tree."""

    def __init__(self, folder):
        self.folder, self.name, self.cache = folder, folder.name, {}
        for line in (folder / "CMakeCache.txt").read_text().splitlines():
            if match := re.match(r"([A-Za-z0-9_-]+):\w+=(.*)", line):
                self.cache[match[1]] = match[2]
        self.typical = 1.0  # seconds of a transform, learnt from those that went well

    def launcher(self, ranks):
        flags = [flag for flag in self.cache["WEFT_MPIEXEC_FLAGS"].split(";") if flag]
        return [self.cache["MPIEXEC_EXECUTABLE"], self.cache["MPIEXEC_NUMPROC_FLAG"], str(ranks), *flags]


class Turn:
    def __init__(self, build, seed):
        self.build = build
        self.choose = random.Random(seed)
        self.exchange = self.choose.choice(EXCHANGES)
        self.ranks = self.choose.choice([2, 4] if self.in_place() else [2, 3, 4])
        self.weft = str(build.folder / "bin/weft")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-torture-"))
        self.job = None
        self.mounts = []
        self.input, self.output = self.folder / "in.npy", self.folder / "out.npy"
        self.truths = []

    def in_place(self):
        """It wants complex numbers and slabs of the same size on all ranks."""
        return self.exchange == "pairwise_in_place"

    def close(self):
        if self.job:
            self.job.end()
        for mount in reversed(self.mounts):
            subprocess.run(["umount", "-l", mount], check=False)
        shutil.rmtree(self.folder)

    def plan_options(self, more=""):
        decomposition = "slab" if self.in_place() else self.choose.choice(["slab", "pencil"])
        in_flight = self.choose.choice(["", ", in_flight=1"])
        return ["--options", f"decomposition={decomposition}{in_flight}{more}", "--exchange", self.exchange]

    def start(self, arguments, launcher=None, **more):
        launcher = launcher or self.build.launcher(self.ranks)
        self.job = Job(launcher, self.ranks, self.weft, arguments, **more)
        return self.job

    def make_files(self, largest=96):
        """An input, and an output that is to be replaced or left alone."""
        step = self.ranks if self.in_place() else 1
        shape = [step * self.choose.randint(8 // step, largest // step) for _ in range(3)]
        self.save(np.random.default_rng(self.choose.getrandbits(32)).standard_normal(shape))
        self.output.write_bytes(OLD_OUTPUT)

    def save(self, array):
        """An input, whose transform becomes a right result."""
        self.truths.append(np.fft.fftn(array) if self.in_place() else np.fft.rfftn(array))
        self.array = array
        np.save(self.input, array.astype(complex) if self.in_place() else array)

    def transform(self, *arguments, **more):
        return self.start(["transform", self.input, self.output, *self.plan_options(), *arguments], **more)

    def mpi_works(self, **limits):
        """Whether the MPI itself lives within these limits: where it does not, some end by SIGBUS, and MPICH hangs in
        its first MPI_Comm_dup."""
        try:
            return self.start(["describe", "8x8"], **limits).wait(OVER_WITHIN) == 0
        except Broken:
            self.job.end()
            return False

    def moment(self):
        """Some moment while a transform of a file runs, from the start of the ranks on."""
        time.sleep(self.choose.uniform(0, 0.8 * self.build.typical))

    def is_right(self):
        result = np.load(self.output)
        return any(result.shape == truth.shape and np.allclose(result, truth, atol=1e-8 * np.abs(truth).max())
                   for truth in self.truths)

    def is_whole(self):
        """The output file of a job that did not end well: true if all of the result is there already, false if it is
        what it was before."""
        if self.output.read_bytes() == OLD_OUTPUT:
            return False
        if not self.is_right():
            raise Broken("the output file is neither what it was nor the result")
        return True

    def judge_output(self, status):
        """Either all of the result, or what was there before; and nothing half made."""
        if status == 0:
            if not self.is_right():
                raise Broken("exit status 0, and a wrong result")
            outcome = "right result"
        elif not (self.job.said() + self.job.said(which=0)).strip():  # MPICH's mpiexec speaks on stdout
            raise Broken(f"exit status {status}, and no message")
        else:
            outcome = "clear error" if "weft: error" in self.job.said() else "ended by the MPI"
            if self.is_whole():
                outcome += " after the result was there"
        return outcome + (", a temporary file left" if self.left() else "")

    def left(self):
        return {path.name for path in self.output.parent.iterdir()} - {"in.npy", "out.npy"}

    def judge_signals(self):
        if found := re.search(r"signal 7\b|[Bb]us error|SIGBUS|signal: 7\b|signal 11\b|Segmentation fault|signal: 11\b",
                              self.job.said() + self.job.said(which=0)):
            raise Broken(f"a rank is killed by the system: {found[0]}")

    def tmpfs(self, folder, size):
        require_mounts()
        folder.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
        self.mounts.append(folder)


def require_mounts():
    if not os.environ.get("WEFT_TORTURE_MOUNTS"):
        raise Skipped("needs the right to mount")
