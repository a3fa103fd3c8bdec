"""Tests `weft bench --against cufft` without a GPU: pretended_cufft.cpp and the pretended plugin stand in for one.

LD_PRELOAD and LD_LIBRARY_PATH, which make them do so, are set by CMakeLists.txt for the ranks of the test.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command"))
import weft_command


class CufftRivalTest(weft_command.CommandTest):
    def reports(self, ranks, *arguments):
        return self.report(ranks, "bench", *arguments, "--against", "cufft", "--repeats", "4")[1]

    def test_results_are_right(self):
        shapes = ["12x10x8", "9x7x5", "16x6", "24"]
        for kind in ("c2c", "r2c", "c2r"):
            for precision in ("double", "float"):
                reports = self.reports(1, *shapes, "--kind", kind, "--precision", precision, "--device", "cuda:0")
                self.assertEqual(len(reports), len(shapes))
                for report in reports:
                    with self.subTest(shape=report["shape"], kind=kind, precision=precision):
                        self.check(report)

    def check(self, report):
        rival = report["against"]
        self.assertTrue(rival["available"], rival)
        self.assertEqual(rival["version"], "12.3")
        self.assertEqual({variant["variant"] for variant in rival["variants"]}, {"in place", "out of place"})
        for variant in rival["variants"]:
            self.assertGreater(variant["error"], 0)
            self.assertLessEqual(variant["error"], 10 * report["error_bound"])

    def test_what_it_cannot_is_no_error(self):
        for ranks, arguments, reason in ((2, ["8x8x8", "--device", "cuda"], "one rank"),
                                         (1, ["8x8x8"], "--device cuda"),
                                         (1, ["8x8x8", "--device", "cuda:auto"], "--device cuda"),
                                         (1, ["4x4x4x4", "--device", "cuda"], "three axes")):
            with self.subTest(arguments=arguments):
                rival = self.reports(ranks, *arguments)["against"]
                self.assertFalse(rival["available"])
                self.assertIn(reason, rival["reason"])


weft_command.main("usage: cufft_rival_test.py WEFT LAUNCHER... (see weft_command.py)\n")
