#!/usr/bin/env python3
"""Tests `weft transform` end to end on several ranks, with NumPy as the reference, and every way in which it must fail.
Exits with code 77 (skipped) if there is no NumPy.
"""

import os
import resource
import sys
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("NumPy is missing: skipped")
    sys.exit(77)

import weft_command
from weft_command import start


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


class Results(Folder):
    """What it computes, from which files."""

    def transform(self, array, *arguments, ranks=2, version=None):
        source = self.save(array, version=version)
        before = Path(source).read_bytes()
        target = self.path("out.npy")
        run = self.succeed(ranks, "transform", source, target, *arguments)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        self.assertEqual(Path(source).read_bytes(), before)
        self.assertIn(f"{ranks} rank", run.stdout)
        return np.load(target)

    def check(self, result, truth, dtype):
        self.assertEqual(result.dtype, np.dtype(dtype))
        self.assertEqual(result.shape, truth.shape)
        self.assertTrue(result.flags.c_contiguous)
        single = np.dtype(dtype) in (np.dtype("f4"), np.dtype("c8"))
        bound = 5 * (6e-8 if single else 1.2e-16) * np.sqrt(max(1, np.log2(truth.size)))
        error = np.linalg.norm(result - truth) / np.linalg.norm(truth)
        self.assertLessEqual(error, bound)

    def test_complex_forward_and_inverse(self):
        for ranks in (1, 2, 4):
            array = self.complex(8, 9, 10)
            self.check(self.transform(array, ranks=ranks), np.fft.fftn(array), "c16")
            inverse = self.transform(array, "--inverse", ranks=ranks)
            self.check(inverse, np.fft.ifftn(array), "c16")

    def test_real_forward(self):
        for ranks, shape in ((1, (12,)), (2, (6, 7)), (3, (5, 7, 6)), (6, (4, 3, 5, 6))):
            array = self.real(*shape)
            self.check(self.transform(array, ranks=ranks), np.fft.rfftn(array), "c16")

    def test_kept_modes(self):
        array = self.real(12, 9, 16)
        whole = np.fft.rfftn(array)
        kept = np.ix_([0, 1, 2, -2, -1], [0, 1, 2, -2, -1], [0, 1, 2])
        self.check(self.transform(array, "--modes", "2"), whole[kept], "c16")
        zeros = np.zeros_like(whole)
        zeros[kept] = whole[kept]
        self.check(self.transform(array, "--modes", "2", "--dropped", "zero", ranks=3), zeros, "c16")
        k = [np.fft.fftfreq(12, 1 / 12), np.fft.fftfreq(9, 1 / 9), np.fft.rfftfreq(16, 1 / 16)]
        distance = sum(a**2 for a in np.meshgrid(*k, indexing="ij"))
        sphere = np.where(distance <= 4 * 4, whole, 0)
        result = self.transform(array, "--ellipse", "4", "--dropped", "zero", ranks=4)
        self.check(result, sphere, "c16")
        spectrum = self.complex(12, 9, 16)
        kept = np.ix_([0, 1, -1], [0, 1, -1], [0, 1, -1])
        zeros = np.zeros_like(spectrum)
        zeros[kept] = spectrum[kept]
        inverse = self.transform(spectrum, "--inverse", "--modes", "1", "--dropped", "zero")
        self.check(inverse, np.fft.ifftn(zeros), "c16")

    def test_half_complex_packed(self):
        array = self.real(6, 8)
        whole = np.fft.rfftn(array)
        packed = whole[:, :-1].copy()
        packed[:, 0] += 1j * whole[:, -1]
        self.check(self.transform(array, "--kind", "r2c_packed"), packed, "c16")

    def test_half_spectrum_inverse(self):
        for length in (7, 8):
            array = self.real(5, 6, length)
            spectrum = np.fft.rfftn(array)
            arguments = ["--last-length", str(length)]
            self.check(self.transform(spectrum, "--kind", "c2r", *arguments), array, "f8")
        for arguments in (["--kind", "c2r"], ["--inverse", "--kind", "r2c"], ["--inverse", "--kind", "c2r"]):
            self.check(self.transform(spectrum, *arguments), array, "f8")
        axes = (2, 0)
        spectrum = np.fft.rfftn(array, axes=axes)
        truth = np.fft.irfftn(spectrum, s=(8, 5), axes=axes)
        result = self.transform(spectrum, "--kind", "c2r", "--axes", "2,0", "--last-length", "5")
        self.check(result, truth, "f8")

    def test_every_number_type_and_byte_order(self):
        for order in "<>":
            for name in ("f4", "f8", "c8", "c16"):
                make = self.real if name[0] == "f" else self.complex
                array = make(6, 5, 8, dtype=order + name)
                truth = np.fft.rfftn(array) if name[0] == "f" else np.fft.fftn(array)
                self.check(self.transform(array), truth, "c8" if name in ("f4", "c8") else "c16")

    def test_fortran_order(self):
        for ranks in (1, 2, 5):
            array = np.asfortranarray(self.real(4, 5, 6))
            self.check(self.transform(array, ranks=ranks), np.fft.rfftn(array), "c16")
        array = np.asfortranarray(self.complex(3, 7, dtype=">c16"))
        self.check(self.transform(array, "--inverse"), np.fft.ifftn(array), "c16")
        spectrum = np.asfortranarray(np.fft.rfftn(self.real(6, 4, 8)))
        self.check(self.transform(spectrum, "--kind", "c2r"), np.fft.irfftn(spectrum), "f8")

    def test_format_versions(self):
        array = self.real(6, 5)
        for version in ((1, 0), (2, 0), (3, 0)):
            self.check(self.transform(array, version=version), np.fft.rfftn(array), "c16")

    def test_axes_and_scale(self):
        array = self.complex(4, 6, 5)
        self.check(self.transform(array, "--axes", "0,2"), np.fft.fftn(array, axes=(0, 2)), "c16")
        self.check(self.transform(array, "--axes", "-2"), np.fft.fft(array, axis=1), "c16")
        for scale in ("ortho", "forward"):
            truth = np.fft.fftn(array, norm=scale)
            self.check(self.transform(array, "--scale", scale), truth, "c16")
            truth = np.fft.ifftn(array, norm=scale)
            self.check(self.transform(array, "--scale", scale, "--inverse"), truth, "c16")
        self.check(self.transform(array, "--scale", "0.5"), 0.5 * np.fft.fftn(array), "c16")
        inverse = self.transform(array, "--scale", "0.5", "--inverse")
        self.check(inverse, np.fft.ifftn(array) / 0.5, "c16")

    def test_real_numbers_as_complex(self):
        array = self.real(7, 6, dtype=">f4")
        self.check(self.transform(array, "--kind", "c2c"), np.fft.fftn(array), "c8")
        array = self.real(7, 6)
        self.check(self.transform(array, "--kind", "c2c", "--inverse"), np.fft.ifftn(array), "c16")

    def test_cosine_and_sine(self):
        array = self.real(6, 5)
        cosine = lambda n: 2 * np.cos(np.pi * np.outer(np.arange(n), 2 * np.arange(n) + 1) / (2 * n))
        truth = cosine(6) @ array @ cosine(5).T
        self.check(self.transform(array, "--kind", "dct2"), truth, "f8")
        self.check(self.transform(truth, "--kind", "dct2", "--inverse"), array, "f8")
        sine = lambda n: 2 * np.sin(
            np.pi * np.outer(2 * np.arange(n) + 1, 2 * np.arange(n) + 1) / (4 * n)
        )
        truth = array @ sine(5).T / np.sqrt(10)
        result = self.transform(array, "--kind", "dst4", "--axes", "1", "--scale", "ortho")
        self.check(result, truth, "f8")

    def test_more_ranks_than_planes(self):
        array = self.real(2, 3, 4)
        self.check(self.transform(array, ranks=8), np.fft.rfftn(array), "c16")
        array = self.complex(1, 1, 3)
        self.check(self.transform(array, ranks=4), np.fft.fftn(array), "c16")

    def test_layouts(self):
        array = self.real(6, 5, 8)
        truth = np.fft.rfftn(array)
        for options in ("decomposition=slab", "decomposition=pencil",
                        "decomposition=pencil, grid=3x2", "decomposition=brick, grid=1x2x3"):
            for source in (array, np.asfortranarray(array)):
                self.check(self.transform(source, "--options", options, ranks=6), truth, "c16")

    def test_small_pieces(self):
        array = self.real(6, 5, 8)
        truth = np.fft.rfftn(array)
        for size in ("8", "100", "1000"):
            self.check(self.transform(array, "--piece-bytes", size, ranks=4), truth, "c16")
        options = ("--options", "decomposition=brick", "--piece-bytes", "40")
        self.check(self.transform(array, *options, ranks=6), truth, "c16")

    def test_options_reach_the_plan(self):
        array = self.real(8, 6, 4)
        for exchange in ("alltoallv", "shared"):
            source, target = self.save(array), self.path("out.npy")
            for chosen in (["--exchange", exchange], ["--options", f"exchange={exchange}"]):
                run = self.succeed(2, "transform", source, target, *chosen)
                self.assertIn(f"exchange {exchange}", run.stdout)
        self.check(self.transform(array, "--threads", "2"), np.fft.rfftn(array), "c16")

    def test_onto_itself_and_over_another(self):
        array = self.complex(4, 5)
        source = self.save(array)
        os.chmod(source, 0o640)
        self.succeed(2, "transform", source, source, "-q")
        self.check(np.load(source), np.fft.fftn(array), "c16")
        target = self.save(self.real(100, 100), "other.npy")
        os.symlink(target, self.path("link.npy"))
        run = self.succeed(2, "transform", source, self.path("link.npy"), "--inverse", "--quiet")
        self.assertEqual(run.stdout, "")
        self.check(np.load(target), array, "c16")
        self.assertTrue(os.path.islink(self.path("link.npy")))

    def test_colons_and_blanks_in_names(self):
        array = self.complex(4, 5)
        source = self.save(array, "field 12:30.npy")
        self.succeed(2, "transform", "field 12:30.npy", "a: b.npy", cwd=self.folder)
        self.check(np.load(self.path("a: b.npy")), np.fft.fftn(array), "c16")
        self.assertEqual(len(os.listdir(self.folder)), 2, source)


class Failures(Folder):
    """Each must end soon, with one message that says why, and leave the folder as it was."""

    def fails(self, arguments, message, ranks=2, **more):
        before = self.snapshot()
        run = start(ranks, arguments, **more)
        self.assertNotEqual(run.returncode, 0, run.stdout)
        said = [line for line in run.stderr.splitlines() if "weft: error" in line]
        self.assertEqual(len(said), 1, run.stderr)
        self.assertIn(message, said[0])
        self.assertEqual(self.snapshot(), before)

    def snapshot(self):
        return {file.name: file.read_bytes() for file in Path(self.folder).iterdir()
                if file.is_file() and not file.is_symlink()}

    def transform_fails(self, source, message, *arguments, **more):
        self.fails(["transform", source, self.path("out.npy"), *arguments], message, **more)

    def test_no_input(self):
        self.transform_fails(self.path("none.npy"), "none.npy: no such file")
        self.transform_fails(self.folder, "not a regular file")

    def test_malformed(self):
        for content, message in (
            (b"", "not a .npy file"),
            (b"\x93NUM", "ends within its .npy header"),
            (b"PK\x03\x04" + bytes(100), "not a .npy file"),
            (b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'", "ends within its .npy header"),
            (b"\x93NUMPY\x01\x00\x08\x00{'a': 1}" + bytes(99), "malformed"),
            (b"\x93NUMPY\x07\x00\x08\x00{'a': 1}" + bytes(99), "7.0; 1.0, 2.0 and 3.0"),
            (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(99), "claims to be 4294967295 bytes"),
        ):
            Path(self.path("in.npy")).write_bytes(content)
            self.transform_fails(self.path("in.npy"), message)

    def test_unsupported_types_and_shapes(self):
        for array, message in (
            (np.arange(12), "'<i8' is not supported; supported are f4, f8, c8 and c16"),
            (np.zeros(3, "f2"), "'<f2' is not supported"),
            (np.zeros(3, [("a", "f8")]), "records are not supported"),
            (np.zeros((3, 0)), "is 0"),
            (np.array(1.0), "no axes"),
            (np.zeros((1,) * 7), "more than 6 axes"),
        ):
            self.transform_fails(self.save(array), message)

    def test_wrong_size(self):
        source = self.save(self.real(30, 40))
        with open(source, "ab") as file:
            file.write(b"more")
        self.transform_fails(source, "4 bytes longer than its header says")
        os.truncate(source, os.path.getsize(source) - 4 - 8)
        self.transform_fails(source, "8 bytes shorter than its header says")
        os.truncate(source, 128)
        self.transform_fails(source, "9600 bytes shorter")

    def test_kinds_that_do_not_fit(self):
        real = self.save(self.real(6, 8), "real.npy")
        half = self.save(self.complex(6, 5), "half.npy")
        self.transform_fails(real, "needs a --kind", "--inverse")
        self.transform_fails(real, "needs a file of complex numbers", "--kind", "c2r")
        for kind in ("r2c", "dct2"):
            self.transform_fails(half, "needs a file of real numbers", "--kind", kind)
        self.transform_fails(half, "8 or 9", "--kind", "c2r", "--last-length", "10")
        self.transform_fails(half, "half spectrum alone", "--last-length", "8")
        self.transform_fails(real, "dct9", "--kind", "dct9")

    def test_modes_that_are_not_there(self):
        source = self.save(self.real(8, 6))
        for arguments, word in ((["--modes", "5"], "axis 0"), (["--modes", "many"], "valid are"),
                                (["--modes", "1,2,3"], "3 parts"), (["--ellipse", "x"], "number"),
                                (["--dropped", "gone"], "absent"),
                                (["--modes", "1", "--inverse", "--kind", "dct2"], "--dropped zero")):
            self.transform_fails(source, word, *arguments)

    def test_arguments_of_the_plan(self):
        source = self.save(self.complex(6, 5))
        for word, *arguments in (("axes", "--axes", "0,x"), ("axis", "--axes", "2"),
                                 ("scale", "--scale", "big"), ("exchange", "--exchange", "pigeon"),
                                 ("engine", "--engine", "steam"),
                                 ("colour", "--options", "colour=red")):
            self.transform_fails(source, word, *arguments)
        source = self.save(self.complex(6, 5, 4))
        options = ("--options", "decomposition=pencil, grid=2x2")
        self.transform_fails(source, "grid 2x2: is for 4 ranks; this job has 2", *options)

    def test_unwritable_output(self):
        source = self.save(self.real(6, 8))
        transform = ["transform", source]
        self.fails(transform + [self.path("none/out.npy")], "No such file or directory")
        self.fails(transform + [self.folder], "not a regular file")
        self.fails(transform + ["/dev/null"], "not a regular file")
        self.fails(transform + [self.path("x" * 255)], "File name too long")
        if os.path.isdir("/proc/self"):
            self.fails(transform + ["/proc/out.npy"], "cannot write /proc/out.npy")

    def test_full_disk_keeps_the_old_output(self):
        """A limit on the size of files stands for a full disk: it stops the writing half-way."""
        source = self.save(self.real(128, 256, 256))
        self.save(self.real(2, 2), "out.npy")

        def limit():
            # Large enough for the files in which MPI shares memory.
            resource.setrlimit(resource.RLIMIT_FSIZE, (40 << 20, 40 << 20))

        for options in ("decomposition=slab", "decomposition=brick, grid=1x2x2"):
            self.transform_fails(
                source, "cannot write", "--options", options, "--exchange", "alltoallv",
                ranks=4, preexec_fn=limit,
            )

    def test_every_rank_ends_with_an_error(self):
        codes = self.path("codes")
        os.mkdir(codes)
        script = '"$0" "$@"; echo $? > "$CODES"/$$'
        through = ["env", f"CODES={codes}", "sh", "-c", script]
        start(4, ["transform", self.path("none.npy"), self.path("out.npy")], through=through)
        found = [Path(codes, name).read_text() for name in os.listdir(codes)]
        self.assertEqual(found, ["1\n"] * 4)

    def test_command_line(self):
        for arguments in ([], ["transform"], ["transform", "a.npy"], ["transform", "--nonsense"]):
            run = start(2, arguments)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(run.stderr.count("--help"), 1, run.stderr)


class Help(weft_command.CommandTest):
    def test_help_is_printed_once(self):
        for subcommand in ([], ["transform"], ["describe"], ["bench"]):
            run = self.succeed(2, *subcommand, "--help")
            self.assertEqual(run.stdout.count("Example"), 1, run.stdout)
            self.assertLessEqual(max(len(line) for line in run.stdout.splitlines()), 200)

    def test_version(self):
        self.assertEqual(self.succeed(2, "--version").stdout.count("weft "), 1)

    def test_describe(self):
        run = self.succeed(2, "describe", "64x64x64", "--kind", "r2c", "--ranks", "1000",
                           "--ranks-per-node", "10")
        self.assertIn("64x64x64", run.stdout)
        pretended = self.succeed(1, "describe", "64x64x64", "--kind", "r2c", "--ranks", "1000",
                                 environment={"WEFT_RANKS_PER_NODE": "10"})
        self.assertEqual(pretended.stdout, run.stdout)
        run = start(2, ["describe", "64x0"])
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stderr.count("weft: error"), 1)


if __name__ == "__main__":
    weft_command.main(__doc__)
