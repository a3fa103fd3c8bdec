"""Starts the weft command for the end-to-end tests: on several ranks, with a time limit, in a temporary folder.

Usage of a test: SCRIPT WEFT LAUNCHER... [-- unittest arguments]
LAUNCHER is the command that starts several ranks, with the word RANKS in place of their number:
  SCRIPT build/bin/weft mpiexec -n RANKS
"""

import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = ""
LAUNCHER = []
TIMEOUT = 120  # seconds; a run takes one or two
# Lets Open MPI run as root, and keeps more ranks than cores from disturbing each other.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
# Where a rank has failed, Open MPI's launcher otherwise sleeps for two seconds between its signals to the others.
SOON = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}


def launch(ranks, arguments, environment={}, before=[], through=[], **more):
    """Starts weft and returns at once: `through` another command on each rank, if given, and with the launcher itself
    behind another, `before` it."""
    launcher = [str(ranks) if word == "RANKS" else word for word in LAUNCHER]
    return subprocess.Popen(
        [*before, *launcher, *through, WEFT, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**OPEN_MPI, **os.environ, **environment},
        start_new_session=True,
        **more,
    )


def end(process):
    """Waits for what was launched and returns what subprocess.run does; one that hangs is killed with all its ranks, and
    an error."""
    try:
        out, error = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        time.sleep(2)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise AssertionError(f"hangs: {' '.join(process.args)}") from None
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)


def start(ranks, arguments, **more):
    """Runs weft as `launch` does, to its end."""
    return end(launch(ranks, arguments, **more))


class CommandTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def succeed(self, ranks, *arguments, **more):
        run = start(ranks, arguments, **more)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run

    def refuse(self, message, ranks, *arguments, environment={}, **more):
        with self.subTest(arguments=arguments):
            run = start(ranks, arguments, environment={**SOON, **environment}, **more)
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn(message, run.stdout + run.stderr)

    def report(self, ranks, *arguments, option="--json"):
        """Output and report of a run that must succeed and leave nothing else in the folder."""
        path = pathlib.Path(self.path("report.json"))
        output = self.succeed(ranks, *arguments, option, str(path)).stdout
        report = json.loads(path.read_text(encoding="utf-8"))
        path.unlink()
        self.assertEqual(os.listdir(self.folder), [])
        return output, report

    def check_seconds(self, seconds, count):
        """Of a report: samples, and what it makes of them."""
        samples = seconds["samples"]
        self.assertEqual(len(samples), count)
        self.assertEqual(seconds["min"], min(samples))
        self.assertGreater(min(samples), 0)
        self.check_ratio(seconds["median"], statistics.median(samples))

    def check_ratio(self, one, other):
        """They are the same, but for how they were rounded."""
        self.assertAlmostEqual(one / other, 1, 6)


def main(usage):
    """Runs the tests of the script."""
    global WEFT, LAUNCHER
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    if len(own) < 2:
        sys.exit(usage + __doc__)
    WEFT, LAUNCHER = os.path.abspath(own[0]), own[1:]
    unittest.main(argv=sys.argv[:1] + more, verbosity=2)
