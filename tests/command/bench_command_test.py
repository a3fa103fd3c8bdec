#!/usr/bin/env python3
"""Tests `weft bench` and `weft exchange` end to end on small shapes: they run, their figures agree with one another, and
the results they timed are right. Speed is not tested.
"""

import math
import os

import weft_command
from weft_command import start

RIVALS = ["fftw-mpi", "mkl"]


class BenchTest(weft_command.CommandTest):
    def bench(self, ranks, *arguments):
        """The report of a run that must succeed, checked for agreement within itself."""
        output, report = self.report(ranks, "bench", *arguments, "--repeats", "4")
        self.assertEqual(output.count("weft bench"), 1, output)
        self.assertEqual(report["ranks"], ranks)
        self.check_weft(report)
        return report

    def check_weft(self, report):
        names = "shape kind precision ranks exchange engine seconds gflops communication_share error"
        for name in names.split() + ["workspace_bytes", "floor_seconds"]:
            self.assertIn(name, report)
        self.check_ratio(report["floor_seconds"] * report["bandwidth"], report["pass_bytes"])
        self.assertGreater(report["pass_bytes"], 0)
        for result in report["runs"]:
            self.check_times(report, result)
            self.assertGreater(result["error"], 0)  # no array of zeros
            self.assertLessEqual(result["error"], report["error_bound"])
            self.assertLessEqual(result["round_trip_error"], 2 * report["error_bound"])
            self.assertGreaterEqual(result["communication_share"], 0)
            self.assertLessEqual(result["communication_share"], 1)
            self.assertGreater(result["workspace_bytes"], 0)
        self.assertEqual(report["runs"][0]["seconds"], report["seconds"])

    def check_times(self, report, result):
        self.check_seconds(result["seconds"], 4)
        elements = math.prod(report["shape"])
        operations = (5 if report["kind"] == "c2c" else 2.5) * elements * math.log2(elements)
        self.check_ratio(result["gflops"] * result["seconds"]["median"] * 1e9, operations)

    def check_rival(self, report, against):
        self.assertIn(against["name"], RIVALS)
        if not against["available"]:
            self.assertTrue(against["reason"])
            return
        self.check_times(report, against)
        ratio = report["seconds"]["median"] / against["seconds"]["median"]
        self.check_ratio(against["ratio"], ratio)
        for variant in against["variants"]:
            self.assertGreater(variant["error"], 0)
            self.assertLessEqual(variant["error"], 10 * report["error_bound"])
            self.assertLessEqual(against["seconds"]["median"], variant["seconds"]["median"])

    def test_kinds_and_precisions(self):
        for kind, precision in (("c2c", "double"), ("r2c", "float"), ("c2r", "double"),
                                ("dct2", "float"), ("dst3", "double"),
                                ("c2c,dct2,dst3", "double"), ("c2r,dst1,dct4", "double"),
                                ("dct1,c2c,r2c", "float")):
            with self.subTest(kind=kind, precision=precision):
                report = self.bench(2, "12x10x9", "--kind", kind, "--precision", precision)
                self.assertEqual(report["shape"], [12, 10, 9])
                self.assertEqual(report["kind"], kind)
                self.assertEqual(report["precision"], precision)
                self.assertNotIn("against", report)

    def test_one_rank_and_more_ranks_than_planes(self):
        self.bench(1, "16x12")
        self.bench(4, "3x5x7", "--kind", "r2c", "--output", "natural")

    def test_options_reach_the_plan(self):
        report = self.bench(4, "16x16x16", "--layout", "pencil", "--grid", "2x2", "--exchange",
                            "alltoallv", "--engine", "fftw", "--engine-effort", "estimate")
        self.assertEqual(set(report["exchange"].split(",")), {"alltoallv"})
        self.assertEqual(report["engine"], "fftw")
        self.assertIn("grid=2x2", report["options"])

    def test_every_exchange(self):
        output, reports = self.report(3, "bench", "12x10x9", "--exchange", "all", "--repeats", "4")
        names = [report["exchange"] for report in reports]
        self.assertEqual(len(set(names)), len(names))
        self.assertLessEqual({"shared", "alltoallv", "pairwise", "two_level"}, set(names))
        for report in reports:
            self.assertIn(report["exchange"], output)
            self.assertGreater(sum(report["processor_seconds"].values()), 0)
            self.check_weft(report)

    def test_kept_modes_beside_the_whole_spectrum(self):
        for arguments in (["--modes", "2/3"], ["--ellipse", "5", "--layout", "pencil"],
                          ["--kind", "r2c_packed"], ["--modes", "grid 8,all,2", "--kind", "r2c"],
                          ["--modes", "-3..-1+2..4", "--dropped", "zero"]):
            with self.subTest(arguments=arguments):
                kept, full = self.bench(4, "12x16x14", *arguments, "--beside-full")["runs"]
                self.assertFalse(kept["all_modes"])
                self.assertTrue(full["all_modes"])
                self.assertLess(kept["wire_bytes"], full["wire_bytes"])

    def test_poisson(self):
        for kind in ("c2c", "r2c"):
            output, report = self.report(2, "bench", "12x10x8", "--kind", kind, "--poisson",
                                         "--repeats", "4")
            self.assertIn("Fused takes", output)
            fused, separate = report["runs"]
            self.assertIn("fused", fused["arrays"])
            self.assertIn("three steps", separate["arrays"])
            # Often the very same bits.
            self.assertLessEqual(fused["error"], report["error_bound"])

    def test_shorter_numbers_on_the_wire(self):
        exact = self.bench(2, "16x12x10")["runs"][0]["wire_bytes"]
        for wire, share in (("float", 2), ("bfloat16", 4), ("fixed12", 4)):
            report = self.bench(2, "16x12x10", "--options", f"wire={wire}")
            self.assertEqual(report["wire"], wire)
            self.assertEqual(report["runs"][0]["wire_bytes"] * share, exact)

    def test_sizes_and_rank_counts_in_turn(self):
        _, reports = self.report(3, "bench", "12x10x8", "16x12", "--exchange", "all", "--growing",
                                 "--repeats", "4")
        for ranks in (2, 3):
            for shape in ([12, 10, 8], [16, 12]):
                these = [r for r in reports if r["ranks"] == ranks and r["shape"] == shape]
                self.assertLessEqual({"shared", "put"}, {r["exchange"] for r in these})
                for report in these:
                    self.check_weft(report)
        self.assertNotEqual(start(3, ["bench", "12x10", "0x4", "--growing"]).returncode, 0)

    def trace(self, ranks, *arguments):
        """The trace of a run that must succeed: what it says about itself, and the bars of every rank by row."""
        output, trace = self.report(ranks, "bench", *arguments, "--repeats", "4", option="--trace")
        self.assertIn("Trace of", output)
        processes, rows = {}, {}
        for event in trace["traceEvents"]:
            if event["name"] == "process_name":
                processes[event["pid"]] = event["args"]["name"]
            elif event["name"] == "thread_name":
                rows[event["pid"], event["tid"]] = (event["args"]["name"], [])
            elif event["ph"] == "X":
                rows[event["pid"], event["tid"]][1].append(event)
        self.assertEqual(sorted(processes), list(range(ranks)))
        for rank, name in processes.items():
            self.assertIn(f"rank {rank} on ", name)
        for name, bars in rows.values():
            self.check_row(name, bars)
        return trace["otherData"], rows

    def check_row(self, name, bars):
        """Bars are disjoint or nested, and those on the wire are disjoint, as viewers require."""
        self.assertTrue(bars)
        around = []  # the ends of those that the next may lie in
        last = 0
        for bar in bars:
            self.assertGreaterEqual(bar["dur"], 0)
            begin, end = (round(1000 * t) for t in (bar["ts"], bar["ts"] + bar["dur"]))
            self.assertGreaterEqual(begin, last)
            last = begin
            while around and around[-1] <= begin:
                around.pop()
            if around:
                self.assertNotEqual(name, "on the wire")
                self.assertLessEqual(end, around[-1], bar)
            around.append(end)

    def test_trace(self):
        options = "exchange=p2p, progress=poll, poll_tiles=1, producer_chunks=3, consumer_chunks=2"
        about, rows = self.trace(2, "16x16x16", "--output", "transposed", "--options", options)
        self.assertEqual(about["shape"], "16x16x16")
        self.assertIn("producer_chunks=3", about["options"])
        self.assertEqual(about["dropped_spans"], 0)
        self.assertGreater(about["clock_error_us"], 0)
        transforms = {}
        for rank in range(2):
            mine = [bar for (pid, _), row in rows.items() if pid == rank for bar in row[1]]
            of = lambda category: [bar for bar in mine if bar["cat"] == category]
            chosen = lambda bars: sorted((bar["args"]["stage"], bar["args"]["k"]) for bar in bars)
            transforms[rank] = of("transform")
            self.assertEqual(len(transforms[rank]), 3)
            chunks = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
            self.assertEqual(chosen(of("pass")), sorted(3 * chunks))
            self.assertRegex(of("pass")[0]["name"], "pass 0: c2c along axis .*, chunk 0")
            self.assertEqual(len(of("start")), 3 * 3 * 2)
            self.assertEqual(len(of("block")), 3 * 3 * 2)
            blocks = {(bar["args"]["k"], bar["args"]["j"]) for bar in of("block")}
            self.assertEqual(blocks, {(k, j) for k in range(3) for j in range(2)})
            self.assertTrue(of("poll"))
            for bar in mine:  # nothing happens outside of transforms
                self.assertTrue(any(self.is_within(bar, one) for one in transforms[rank]), bar)
        # On one clock each waits for the other's data: nobody ends before the other began.
        for mine, theirs in zip(*transforms.values()):
            late = max(mine["ts"], theirs["ts"]) - about["clock_error_us"]
            self.assertLess(late, min(bar["ts"] + bar["dur"] for bar in (mine, theirs)))

    def is_within(self, bar, other):
        nanosecond = 1e-3
        return (other["ts"] <= bar["ts"] + nanosecond
                and bar["ts"] + bar["dur"] <= other["ts"] + other["dur"] + nanosecond)

    def test_traces_of_every_kind(self):
        for ranks, arguments in [
            (1, ["16x12"]),
            (3, ["12x10x9", "--output", "natural", "--kind", "r2c"]),
            (2, ["12x10x8", "--poisson"]),
            (2, ["12x10x8", "--arrays", "in-place", "--options", "exchange=alltoallw"]),
            (2, ["12x10x8", "--options", "exchange=p2p, progress=thread, producer_chunks=4"]),
        ]:
            with self.subTest(arguments=arguments):
                self.trace(ranks, *arguments)

    def test_arrays(self):
        report = self.bench(2, "16x16x16", "--arrays", "both")
        self.assertEqual(len(report["runs"]), 2)
        for arrays in ("user", "in-place"):
            self.assertEqual(len(self.bench(2, "16x16x16", "--arrays", arrays)["runs"]), 1)

    def test_against_one_rival(self):
        for rival in RIVALS:
            for kind in ("c2c", "r2c"):
                with self.subTest(rival=rival, kind=kind):
                    report = self.bench(2, "16x12x10", "--kind", kind, "--against", rival)
                    self.assertEqual(report["against"]["name"], rival)
                    self.check_rival(report, report["against"])

    def test_against_both_in_every_layout(self):
        for output in ("natural", "transposed"):
            report = self.bench(3, "12x10x9", "--output", output, "--arrays", "both",
                                "--against", "fftw-mpi", "--against", "mkl")
            self.assertEqual([against["name"] for against in report["against"]], RIVALS)
            for against in report["against"]:
                self.check_rival(report, against)

    def test_a_rival_that_cannot_is_no_error(self):
        report = self.bench(2, "12x10x9", "--kind", "dct1", "--against", "mkl")
        self.assertFalse(report["against"]["available"])
        self.assertTrue(report["against"]["reason"])

    def test_mistakes(self):
        path = self.path("report.json")
        missing = self.path("missing/x.json")
        for arguments, message in [
            (["12x0"], "weft: error"),
            (["8x8", "--against", "nobody"], "nobody"),
            (["8x8", "--json", missing], "missing"),
            (["8x8", "--trace", missing], "missing"),
            (["8x8", "--engine", "nobody", "--json", path], "nobody"),
            (["8x8", "--engine", "nobody", "--json", path, "--trace", path + ".trace"], "nobody"),
            (["8x8", "9x9", "--trace", path], "--trace"),
            (["8x8", "--exchange", "all", "--trace", path], "--trace"),
            (["8x8", "--growing", "--trace", path], "--trace"),
            (["8x8", "--kind", "dct2", "--scale", "ortho"], "ortho"),
        ]:
            self.refuse(message, 2, "bench", *arguments)
            self.assertEqual(os.listdir(self.folder), [], arguments)


class ExchangeTest(weft_command.CommandTest):
    def exchange(self, ranks, *arguments):
        """Output and report of a run that must succeed."""
        return self.report(ranks, "exchange", "0.05", *arguments)

    def check_row(self, row, transposes):
        self.check_seconds(row["seconds"], transposes)
        self.assertGreater(row["setup_seconds"], 0)
        self.assertGreaterEqual(row["resident_bytes"], 0)

    def test_every_method_on_growing_numbers_of_ranks(self):
        output, report = self.exchange(3, "--transposes", "3", "--rounds", "2")
        self.assertGreater(report["mpi_init_seconds"], 0)
        self.assertGreater(report["mpi_init_bytes"], 0)
        self.assertIn(report["mpi"], output)
        rows = [row for row in report["rows"] if "exchange" in row]
        self.assertEqual({row["ranks"] for row in rows}, {2, 3})
        self.assertEqual(len({row["exchange"] for row in rows}), len(rows) / 2)
        self.assertLessEqual({"shared", "put", "two_level"}, {row["exchange"] for row in rows})
        for row in rows:
            self.assertIn(row["exchange"], output)
            self.check_row(row, 6)
            self.assertGreater(row["workspace_bytes"], 0)
            extra = row["resident_bytes"] - row["workspace_bytes"]
            self.assertEqual(row["mpi_bytes"], max(0, extra))
        for row in rows:  # all but what a rank keeps, and what stays within a node
            if row["exchange"] == "alltoallv":
                share = row["side"] ** 2 * 8 / row["ranks"]
                self.check_ratio(row["sent_bytes"], share * (1 - 1 / row["ranks"]))
                self.assertEqual(row["messages"], row["ranks"] - 1)
            if row["exchange"] == "two_level":
                self.assertEqual(row["messages"], 0)

    def test_against_other_libraries(self):
        names = ["fftw-mpi", "pdgemr2d", "pdtran"]
        arguments = ["--exchange", "p2p", "--against", ",".join(names), "--transposes", "2"]
        output, report = self.exchange(3, *arguments)
        others = [row for row in report["rows"] if "against" in row]
        self.assertEqual([row["against"] for row in others], 2 * names)
        for row in others:
            self.assertIn(row["against"], output)
            if "reason" in row:  # not in this build
                self.assertIn("this build found no", row["reason"])
            else:
                self.check_row(row, 6)
        _, report = self.exchange(2, "--exchange", "p2p", "--rounds", "1")
        self.assertEqual([row["exchange"] for row in report["rows"]], ["p2p"])

    def test_mistakes(self):
        for ranks, arguments, message in [
            (1, ["1"], "at least two"),
            (2, ["-1"], "MEGABYTES"),
            (2, ["1", "--exchange", "pigeon"], "pigeon"),
            (2, ["1", "--against", "pigeon"], "pigeon"),
            (2, ["1", "--rounds", "0"], "rounds"),
            (2, ["1", "--options", "fields=0"], "fields"),
        ]:
            self.refuse(message, ranks, "exchange", *arguments)


if __name__ == "__main__":
    weft_command.main(__doc__)
