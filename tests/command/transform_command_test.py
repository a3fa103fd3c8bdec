#!/usr/bin/env python3
"""Tests `weft transform` end to end on several ranks, with NumPy as the reference, and every way in which it must fail.
Exits with code 77 (skipped) if there is no NumPy. transform_files_test.py looks at the files.
"""

import os
import re
from pathlib import Path

import weft_command
from npy_folder import Folder, np
from weft_command import start


class Results(Folder):
    """Results, from every kind of file."""

    def transform(self, array, *arguments, ranks=2, version=None):
        source = self.save(array, version=version)
        before = Path(source).read_bytes()
        target = self.path("out.npy")
        run = self.succeed(ranks, "transform", source, target, *arguments)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        self.assertEqual(Path(source).read_bytes(), before)
        self.assertIn(f"{ranks} rank", run.stdout)
        return np.load(target)

    def test_complex_forward_and_inverse(self):
        for ranks in (1, 2, 4):
            array = self.complex(8, 9, 10)
            self.check(self.transform(array, ranks=ranks), np.fft.fftn(array), "c16")
            inverse = self.transform(array, "--inverse", "--kind", "c2c", ranks=ranks)
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
        inverse = self.transform(spectrum, "--inverse", "--kind", "c2c", "--modes", "1", "--dropped", "zero")
        self.check(inverse, np.fft.ifftn(zeros), "c16")

    def test_coming_back_from_kept_modes(self):
        array = self.real(12, 9, 15)
        whole = np.fft.rfftn(array)
        kept = np.ix_([0, 1, 2, -2, -1], [0, 1, 2, -2, -1], [0, 1, 2])
        zeros = np.zeros_like(whole)
        zeros[kept] = whole[kept]
        truth = np.fft.irfftn(zeros, s=array.shape)
        back = ["--inverse", "--kind", "r2c", "--shape", "12x9x15"]
        self.check(self.transform(whole[kept], *back, "--modes", "2"), truth, "f8")
        self.check(self.transform(zeros, *back, "--modes", "2", "--dropped", "zero"), truth, "f8")
        for modes in (["--modes", "2/3"], ["--ellipse", "3.5"], ["--modes", "grid 8,grid 6,grid 10"]):
            source, kept, field, again = map(self.path, ("in.npy", "kept.npy", "field.npy", "again.npy"))
            self.save(array)
            self.succeed(2, "transform", *modes, source, kept)
            self.succeed(3, "transform", *modes, *back, kept, field)
            self.succeed(2, "transform", *modes, field, again)
            self.check(np.load(again), np.load(kept), "c16")
            for name in (kept, field, again):
                os.remove(name)
        spectrum = self.complex(3, 5)
        zeros = np.zeros((8, 9), "c16")
        zeros[np.ix_([0, 1, -1], [0, 1, 2, -2, -1])] = spectrum
        result = self.transform(spectrum, "--inverse", "--kind", "c2c", "--modes", "1,2", "--shape", "8x9")
        self.check(result, np.fft.ifftn(zeros), "c16")

    def test_half_complex_packed(self):
        array = self.real(6, 8)
        whole = np.fft.rfftn(array)
        packed = whole[:, :-1].copy()
        packed[:, 0] += 1j * whole[:, -1]
        self.check(self.transform(array, "--kind", "r2c_packed"), packed, "c16")
        self.check(self.transform(packed, "--inverse", "--kind", "r2c_packed"), array, "f8")

    def test_half_spectrum_inverse(self):
        back = ["--inverse", "--kind", "r2c"]
        for length in (7, 8):
            array = self.real(5, 6, length)
            spectrum = np.fft.rfftn(array)
            self.check(self.transform(spectrum, *back, "--last-length", str(length)), array, "f8")
            self.check(self.transform(spectrum, *back, "--shape", f"5x6x{length}"), array, "f8")
        self.check(self.transform(spectrum, *back), array, "f8")
        self.check(self.transform(spectrum, *back, "--modes", "all, all,all"), array, "f8")
        axes = (2, 0)
        spectrum = np.fft.rfftn(array, axes=axes)
        truth = np.fft.irfftn(spectrum, s=(8, 5), axes=axes)
        result = self.transform(spectrum, *back, "--axes", "2,0", "--last-length", "5")
        self.check(result, truth, "f8")
        line = self.real(5, 1)
        self.check(self.transform(np.fft.rfftn(line), *back), line, "f8")

    def test_a_length_taken_for_granted_is_told(self):
        back = [self.save(self.complex(6, 5)), self.path("out.npy"), "--inverse", "--kind", "r2c"]
        for more, told in (([], 1), (["--last-length", "9"], 0), (["--shape", "6x8"], 0), (["--quiet"], 0)):
            run = self.succeed(2, "transform", *back, *more)
            said = [line for line in run.stderr.splitlines() if line.startswith("weft: ")]
            self.assertEqual(len(said), told, run.stderr)
        run = self.succeed(2, "transform", *back)
        self.assertIn("5 modes of axis 1 are taken for those of 8 points, as NumPy does; 9 are as possible", run.stderr)

    def test_c2r_is_the_library_s(self):
        """Forward from the half spectrum, not divided by N unless --scale says so; --inverse undoes it."""
        array = self.real(5, 6, 8)
        spectrum = np.fft.rfftn(array)
        for scale, factor in (("backward", 240), ("ortho", 240**0.5), ("forward", 1), ("0.5", 120)):
            result = self.transform(spectrum, "--kind", "c2r", "--scale", scale)
            self.check(result, factor * array, "f8")
            self.check(self.transform(result, "--inverse", "--kind", "c2r", "--scale", scale), spectrum, "c16")
        odd = self.real(4, 7)
        for told in (["--last-length", "7"], ["--shape", "4x7"]):
            self.check(self.transform(np.fft.rfftn(odd), "--kind", "c2r", *told), 28 * odd, "f8")

    def test_a_kind_for_each_axis(self):
        array = self.real(6, 8, 5)
        cosine = 2 * np.cos(np.pi * np.outer(np.arange(6), 2 * np.arange(6) + 1) / 12)
        cosines = np.einsum("ki,ijl->kjl", cosine, array)
        truth = np.fft.fft(np.fft.rfft(cosines, axis=1), axis=2)
        self.check(self.transform(array, "--kind", "dct2,r2c,c2c", ranks=3), truth, "c16")
        self.check(self.transform(truth, "--inverse", "--kind", "dct2,r2c,c2c"), array, "f8")
        self.check(self.transform(truth, "--kind", "dct2,c2r,c2c"), 2 * 6 * 8 * 5 * array, "f8")
        array = self.complex(6, 5)
        self.check(self.transform(array, "--kind", "dct2,c2c"), np.fft.fft(cosine @ array, axis=1), "c16")
        array = self.real(3, 4, 5)
        self.check(self.transform(array, "--kind", "none,none,r2c"), np.fft.rfft(array), "c16")

    def test_every_number_type_and_byte_order(self):
        for order in "<>":
            for name in ("f4", "f8", "c8", "c16"):
                make = self.real if name[0] == "f" else self.complex
                array = make(6, 5, 8, dtype=order + name)
                truth = np.fft.rfftn(array) if name[0] == "f" else np.fft.fftn(array)
                self.check(self.transform(array), truth, "c8" if name in ("f4", "c8") else "c16")

    def test_integers_truth_values_and_half_precision(self):
        cosine = 2 * np.cos(np.pi * np.outer(2 * np.arange(8) + 1, np.arange(8)) / 16)
        for name in ("<f2", ">f2", "i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "u1", ">u2", "<u4", ">u8", "?"):
            array = (300 * self.real(6, 5, 8)).astype("i8").astype(name)
            if array.dtype.kind in "iu":
                array[0, 0, :2] = np.iinfo(name).min, np.iinfo(name).max
            real, complex = ("f4", "c8") if "f2" in name else ("f8", "c16")
            exact = array.astype(real)
            self.check(self.transform(array), np.fft.rfftn(exact), complex)
            self.check(self.transform(np.asfortranarray(array), "--kind", "c2c"), np.fft.fftn(exact), complex)
            self.check(self.transform(array, "--kind", "none,none,dct2"), exact @ cosine, real)

    def test_fortran_order(self):
        for ranks in (1, 2, 5):
            array = np.asfortranarray(self.real(4, 5, 6))
            self.check(self.transform(array, ranks=ranks), np.fft.rfftn(array), "c16")
        array = np.asfortranarray(self.complex(3, 7, dtype=">c16"))
        self.check(self.transform(array, "--inverse", "--kind", "c2c"), np.fft.ifftn(array), "c16")
        spectrum = np.asfortranarray(np.fft.rfftn(self.real(6, 4, 8)))
        self.check(self.transform(spectrum, "--inverse", "--kind", "r2c"), np.fft.irfftn(spectrum), "f8")

    def test_format_versions(self):
        array = self.real(6, 5)
        for version in ((1, 0), (2, 0), (3, 0)):
            self.check(self.transform(array, version=version), np.fft.rfftn(array), "c16")

    def test_axes_and_scale(self):
        array = self.complex(4, 6, 5)
        self.check(self.transform(array, "--axes", "0, 2"), np.fft.fftn(array, axes=(0, 2)), "c16")
        self.check(self.transform(array, "--axes", "-2"), np.fft.fft(array, axis=1), "c16")
        for scale in ("ortho", "forward"):
            truth = np.fft.fftn(array, norm=scale)
            self.check(self.transform(array, "--scale", scale), truth, "c16")
            truth = np.fft.ifftn(array, norm=scale)
            self.check(self.transform(array, "--scale", scale, "--inverse", "--kind", "c2c"), truth, "c16")
        self.check(self.transform(array, "--scale", "0.5"), 0.5 * np.fft.fftn(array), "c16")
        inverse = self.transform(array, "--scale", "0.5", "--inverse", "--kind", "c2c")
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

class Failures(Folder):
    """Each must end soon, with one message that says why, and leave the folder as it was."""

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
            (np.arange(12).astype("M8[s]"), "'<M8[s]' is not supported; supported are f2, f4, f8, c8, c16, i1 to i8"),
            (np.zeros(3, "g"), f"'{np.dtype('g').str}' is not supported"),
            (np.zeros(3, [("a", "f8")]), "records are not supported"),
            (np.zeros((3, 0)), "is 0"),
            (np.array(1.0), "no axes"),
            (np.zeros((1,) * 9), "more than 8 axes"),
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
        self.transform_fails(real, "--kind c2r needs a file of complex numbers", "--kind", "c2r")
        self.transform_fails(real, "--inverse --kind r2c needs a file of complex", "--inverse", "--kind", "r2c")
        for kind in ("r2c", "dct2", "dct2,r2c"):
            self.transform_fails(half, "needs a file of real numbers", "--kind", kind)
        self.transform_fails(half, "needs a file of real numbers", "--inverse", "--kind", "c2r")
        back = ["--inverse", "--kind", "r2c"]
        self.transform_fails(half, "8 or 9", *back, "--last-length", "10")
        self.transform_fails(half, "only for coming back", "--last-length", "8")
        self.transform_fails(half, "only for coming back", "--inverse", "--kind", "c2c", "--last-length", "8")
        self.transform_fails(half, "give one of them", *back, "--last-length", "8", "--shape", "6x8")
        self.transform_fails(real, "dct9", "--kind", "dct9")

    def test_an_inverse_does_not_guess(self):
        half = self.save(self.complex(6, 5))
        for more in ([], ["--last-length", "8"], ["--shape", "6x8"]):
            self.transform_fails(half, "c2c if it is the spectrum of complex numbers, or r2c", "--inverse", *more)

    def test_kinds_for_each_axis(self):
        source = self.save(self.real(6, 5, 4))
        for kind, message in (("dct2,r2c", "2 parts for the 3 axes"), ("r2c,c2c,r2c", "r2c or c2r on more than one axis"),
                              ("dct2,,c2c", "valid are"), ("none,none,none", "nothing to do")):
            self.transform_fails(source, message, "--kind", kind)
        self.transform_fails(source, "names every axis already", "--kind", "c2c,c2c,r2c", "--axes", "0,1")

    def test_shapes_that_do_not_fit(self):
        half = self.save(self.complex(6, 5), "half.npy")
        back = ["--inverse", "--kind", "r2c"]
        for arguments in (["--modes", "4"], ["--ellipse", "5"], ["--modes", "grid 6"], ["--modes", "all,2/3"]):
            self.transform_fails(half, "--shape is needed", *back, *arguments)
            self.transform_fails(half, "--shape is needed", "--inverse", "--kind", "c2c", *arguments)
        self.transform_fails(half, "its spectrum has shape 6x6, and the file's array 6x5", *back, "--shape", "6x10")
        self.transform_fails(half, "its spectrum has shape 5x3", *back, "--shape", "20x20", "--modes", "2")
        self.transform_fails(half, "has 3 axes", *back, "--shape", "2x3x8")
        self.transform_fails(half, "physical array itself", "--shape", "6x8")
        self.transform_fails(half, "6xx8", *back, "--shape", "6xx8")

    def test_modes_that_are_not_there(self):
        source = self.save(self.real(8, 6))
        for arguments, word in ((["--modes", "5"], "axis 0"), (["--modes", "many"], "valid are"),
                                (["--modes", "1,2,3"], "3 parts"), (["--ellipse", "x"], "number"),
                                (["--dropped", "gone"], "absent"),
                                (["--modes", "1", "--inverse", "--kind", "dct2"], "--shape is needed")):
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

    def test_describe_network(self):
        job = ["describe", "64x64x64", "--ranks", "64", "--ranks-per-node", "1"]
        run = self.succeed(2, *job, "--grid", "4x16", "--network", "torus:8x8 bandwidth=1e9").stdout
        self.assertRegex(run, r"exchange 0: 1\.\d+, .* ms: dimension \d")
        grids = re.findall(r"^ +(\d+x\d+) .* = (\d\.\d+)", run, re.MULTILINE)
        self.assertIn(("8x8", "2.500"), grids)
        self.assertEqual(grids, sorted(grids, key=lambda grid: float(grid[1])))
        self.assertEqual(len(grids), 5)
        self.assertRegex(run, r"4x16 .*\(this plan\)")
        tree = self.succeed(1, *job, "--grid", "16x4", "--placement",
                            environment={"WEFT_NETWORK": "fattree:16x4:4"}).stdout
        self.assertRegex(tree, r"rank order .*\n +column-major .*\n +weft::place ")
        self.assertIn("crossbar", self.succeed(1, *job, "--placement").stdout)
        self.refuse("\"ring:8\"", 2, *job, "--network", "ring:8")
        self.refuse("4 places", 2, *job, "--network", "torus:2x2")

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
