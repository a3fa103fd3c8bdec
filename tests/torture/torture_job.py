"""A job of the weft command that is watched from outside, for tests/torture/run: which processes are its ranks, and when all
of them are gone. It needs Linux' /proc."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import weft_command  # noqa: E402  the environment that MPIs want in tests

LIMIT = 90  # seconds that a job may take at most; it takes one or two


class Broken(Exception):
    """A promise that was not kept."""


class Job:
    """Ranks of the weft command, and all processes of their MPI: they are known by a variable of their environment,
    which they keep even after their parent is gone."""

    numbers = itertools.count()

    def __init__(self, launcher, ranks, weft, arguments, outer=(), through=()):
        self.marker = f"WEFT_TORTURE={os.getpid()}.{next(self.numbers)}".encode()
        self.size, self.weft = ranks, weft
        self.command = [*outer, *launcher, *through, weft, *map(str, arguments)]
        name, value = self.marker.decode().split("=")
        environment = {**weft_command.OPEN_MPI, "WEFT_WISDOM": "none", "OMP_WAIT_POLICY": "passive", **os.environ,
                       name: value}
        self.files = [tempfile.TemporaryFile() for _ in range(2)]
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.files[0],
                                        stderr=self.files[1], env=environment, start_new_session=True)

    def processes(self):
        """Those that are alive; zombies have no environment."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if self.marker in environment:
                found.append((int(entry), environment))
        return found

    def ranks(self):
        """The process of each rank that runs."""
        found = {}
        for process, environment in self.processes():
            try:
                if os.readlink(f"/proc/{process}/exe") != self.weft:
                    continue
            except OSError:
                continue
            for variable in environment:
                name, _, value = variable.partition(b"=")
                if name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK", b"PMIX_RANK") and value.isdigit():
                    found[int(value)] = process
        return found

    def wait_for_ranks(self):
        """False if the job is over before all of them are there."""
        until = time.monotonic() + LIMIT
        while len(self.ranks()) < self.size:
            if self.process.poll() is not None:
                return False
            if time.monotonic() > until:
                raise Broken("the ranks do not start")
            time.sleep(0.01)
        return True

    def send(self, rank, number):
        """False if that rank is gone already."""
        process = self.ranks().get(rank)
        try:
            return process is not None and (os.kill(process, number) or True)
        except ProcessLookupError:
            return False

    def wait(self, limit=LIMIT):
        """Its exit status, when every process of it is gone."""
        until = time.monotonic() + limit
        while self.process.poll() is None or self.processes():
            if time.monotonic() > until:
                alive = [f"{process} {pathlib.Path('/proc', str(process), 'cmdline').read_bytes()[:60]}"
                         for process, _ in self.processes()]
                raise Broken(f"not over after {limit} s; alive are {alive}")
            time.sleep(0.02)
        return self.process.returncode

    def end(self):
        for process, _ in self.processes():
            for number in (signal.SIGCONT, signal.SIGKILL):
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
        self.process.wait()

    def said(self, which=1):
        """Everything so far; the place at which the job writes stays as it is."""
        file = self.files[which].fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")
