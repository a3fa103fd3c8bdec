"""A folder with .npy files for the tests of `weft transform`, and what every failure must leave of it. Ends the test with
code 77 (skipped) if there is no NumPy.
"""

import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("NumPy is missing: skipped")
    sys.exit(77)

import weft_command


class Folder(weft_command.CommandTest):
    """A test with a folder of its own and a seeded generator."""

    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(20260101)

    def real(self, *shape, dtype="f8"):
        return self.random.standard_normal(shape).astype(dtype)

    def complex(self, *shape, dtype="c16"):
        values = self.random.standard_normal(shape) + 1j * self.random.standard_normal(shape)
        return values.astype(dtype)

    def save(self, array, name="in.npy", version=None):
        with open(self.path(name), "wb") as file:
            np.lib.format.write_array(file, array, version)
        return self.path(name)

    def check(self, result, truth, dtype):
        self.assertEqual(result.dtype, np.dtype(dtype))
        self.assertEqual(result.shape, truth.shape)
        self.assertTrue(result.flags.c_contiguous)
        single = np.dtype(dtype) in (np.dtype("f4"), np.dtype("c8"))
        bound = 5 * (6e-8 if single else 1.2e-16) * np.sqrt(max(1, np.log2(truth.size)))
        error = np.linalg.norm(result - truth) / np.linalg.norm(truth)
        self.assertLessEqual(error, bound)

    def fails(self, arguments, message, ranks=2, environment={}, **more):
        before = self.snapshot()
        run = weft_command.start(ranks, arguments, environment={**weft_command.SOON, **environment}, **more)
        self.check_failure(run, message)
        self.assertEqual(self.snapshot(), before)

    def check_failure(self, run, message):
        self.assertNotEqual(run.returncode, 0, run.stdout)
        said = [line for line in run.stderr.splitlines() if "weft: error" in line]
        self.assertEqual(len(said), 1, run.stderr)
        self.assertIn(message, said[0])

    def snapshot(self):
        return {file.name: file.read_bytes() for file in Path(self.folder).iterdir()
                if file.is_file() and not file.is_symlink()}

    def transform_fails(self, source, message, *arguments, **more):
        self.fails(["transform", source, self.path("out.npy"), *arguments], message, **more)
