#!/usr/bin/env python3
"""Tests `weft net` end to end with few and short messages: every measurement runs, its figures agree with one another,
and the command reports what it cannot measure. Speed is not tested.
"""

import math

import weft_command

REPEATS = 3


class NetTest(weft_command.CommandTest):
    def net(self, ranks, measurement, *arguments):
        """Output and report of a run that must succeed."""
        output, report = self.report(ranks, "net", measurement, "--repeats", str(REPEATS), *arguments)
        self.assertEqual(output.count(f"weft net {measurement}:"), 1, output)
        self.assertEqual(report["measurement"], measurement)
        self.assertEqual(report["ranks"], ranks)
        self.assertEqual(sorted(sum(report["nodes"], [])), list(range(ranks)))
        self.assertEqual(report["repeats"], REPEATS)
        self.assertIn(report["mpi"], output)
        self.assertTrue(report["convention"])
        return output, report

    def check_fit(self, fit):
        self.assertGreaterEqual(fit["alpha_seconds"], 0)
        self.assertTrue(math.isfinite(fit["alpha_seconds"]))
        if fit["beta_bytes_per_second"] is not None:
            self.assertGreater(fit["beta_bytes_per_second"], 0)
        self.assertGreaterEqual(fit["relative_residual"], 0)

    def check_pairs(self, report, groups, sizes):
        """`groups`: for each group of pairs where it is, and the ranks."""
        found = []
        for row in report["rows"]:
            found.append((row["where"], row["ranks"], row["direction"], row["bytes"]))
            self.assertEqual(2 * row["pairs"], len(row["ranks"]))
            self.check_seconds(row["seconds"], REPEATS)
            moved = row["bytes"] * row["pairs"] * (2 if row["direction"] == "both ways" else 1)
            self.check_ratio(row["bytes_per_second"] * row["seconds"]["median"], moved)
        self.assertEqual(found, [(where, ranks, direction, size) for where, ranks in groups
                                 for direction in ("one way", "both ways") for size in sizes])
        self.assertEqual([(fit["where"], fit["ranks"], fit["direction"]) for fit in report["fits"]],
                         [(where, ranks, direction) for where, ranks in groups
                          for direction in ("one way", "both ways")])
        for fit in report["fits"]:
            self.check_fit(fit)

    def test_latency(self):
        output, report = self.net(3, "latency", "--sizes", "8,1,64")
        self.assertTrue(report["nodes_are_real"])
        self.check_pairs(report, [("same node", [0, 1])], [1, 8, 64])
        self.assertIn("both ways", output)
        self.assertTrue(all(row["window"] == 1 for row in report["rows"]))

    def test_bandwidth_of_pairs_on_two_nodes(self):
        _, report = self.net(4, "bandwidth", "--sizes", "1:1K:32", "--window", "5",
                             "--ranks-per-node", "2")
        self.assertFalse(report["nodes_are_real"])
        self.assertEqual(report["nodes"], [[0, 1], [2, 3]])
        groups = [("same node", [0, 1]), ("between nodes", [0, 2]),
                  ("between nodes", [0, 2, 1, 3])]
        self.check_pairs(report, groups, [1, 32, 1024])
        self.assertTrue(all(row["window"] == 5 for row in report["rows"]))

    def test_nodes_of_one_rank(self):
        _, report = self.net(3, "latency", "--sizes", "8,64", "--ranks-per-node", "1")
        self.check_pairs(report, [("between nodes", [0, 1])], [8, 64])
        _, report = self.net(2, "latency", "--sizes", "8")  # nothing to fit
        self.assertEqual(report["fits"], [])

    def check_alltoall(self, ranks, *arguments):
        output, report = self.net(ranks, "alltoall", "--sizes", "8,1K", *arguments)
        self.assertGreater(report["reference"]["bytes_per_second"], 0)
        for row in report["rows"]:
            self.assertIn(row["method"], output)
            self.check_seconds(row["seconds"], REPEATS)
            sent = row["bytes"] * (ranks - 1)
            self.check_ratio(row["bytes_per_second"] * row["seconds"]["median"], sent)
            self.assertGreater(row["share"], 0)
        for fit in report["fits"]:
            self.check_fit(fit)
        return report

    def test_alltoall(self):
        report = self.check_alltoall(2)
        methods = {row["method"] for row in report["rows"]}
        self.assertLessEqual({"shared", "put", "two_level", "MPI_Alltoall"}, methods)
        self.assertEqual(len(report["rows"]), 2 * len(methods))
        self.assertEqual({fit["method"] for fit in report["fits"]}, methods)
        self.assertIn("memory", report["reference"]["name"])
        report = self.check_alltoall(3, "--exchange", "p2p,two_level", "--ranks-per-node", "2")
        self.assertIn("between nodes", report["reference"]["name"])
        row = report["rows"][0]
        traffic = 2 * 2 * row["bytes"]  # two messages leave either node, and two enter it
        share = traffic / row["seconds"]["median"] / report["reference"]["bytes_per_second"]
        self.check_ratio(row["share"], share)

    def test_balance(self):
        output, report = self.net(2, "balance", "--length", "64", "--window", "2")
        self.assertIn("1024^3", output)
        link = report["link"]["bytes_per_second"]
        memory = report["memory"]["bytes_per_second"]
        operations = report["transform"]["operations_per_second"]
        for part in ("link", "memory", "transform"):
            self.check_seconds(report[part]["seconds"], REPEATS)
        balance = report["balance"]
        self.check_ratio(balance["link_over_memory"] * memory, link)
        self.check_ratio(balance["link_bytes_per_operation"] * operations, link)
        self.check_ratio(balance["memory_bytes_per_operation"] * operations, memory)

    def check_side_by_side(self, report, methods, sizes, policies):
        found = [(row["bytes"], row["method"]) for row in report["rows"]]
        self.assertEqual(found, [(size, method) for size in sizes for method in methods])
        for row in report["rows"]:
            self.check_seconds(row["exchange_seconds"], REPEATS)
            self.check_seconds(row["compute_seconds"], REPEATS)
            self.assertGreaterEqual(row["units"], 1)
            self.assertEqual([policy["progress"] for policy in row["policies"]], policies)
            for policy in row["policies"]:
                if "reason" in policy:  # this MPI has no threads
                    self.assertEqual(policy["progress"], "thread")
                    continue
                self.check_seconds(policy["computed_seconds"], REPEATS)
                self.check_seconds(policy["both_seconds"], REPEATS)
                for computed, both in zip(policy["computed_seconds"]["samples"],
                                          policy["both_seconds"]["samples"]):
                    self.assertLessEqual(computed, both * (1 + 1e-6) + 1e-7)

    def test_overlap(self):
        policies = ["none", "poll:4", "poll:20us", "thread"]
        _, report = self.net(3, "overlap", "--sizes", "64,4K", "--progress", ",".join(policies))
        self.check_side_by_side(report, ["ialltoall", "ialltoallv", "p2p"], [64, 4096], policies)
        self.assertIn(report["thread_level"], ("serialized", "multiple"))
        for row in report["rows"]:
            times = [row["exchange_seconds"]["median"], row["compute_seconds"]["median"]]
            for policy in row["policies"]:
                if "reason" in policy:
                    continue
                hidden = sum(times) - policy["both_seconds"]["median"]
                self.assertAlmostEqual(policy["overlap"], hidden / min(times), 6)

    def test_threads_only_where_they_are_needed(self):
        _, report = self.net(2, "overlap", "--sizes", "64", "--exchange", "p2p", "--progress",
                             "none")
        self.check_side_by_side(report, ["p2p"], [64], ["none"])
        self.assertNotEqual(report["thread_level"], "multiple")

    def test_throughput(self):
        arguments = ["--sizes", "256", "--matrix", "8", "--exchange", "p2p", "--progress",
                     "none,poll:2"]
        run = weft_command.start(2, ["net", "throughput", *arguments, "--repeats", "1"])
        if run.returncode != 0:
            self.assertIn("libopenblas-dev", run.stderr)
            self.skipTest("this build has no OpenBLAS")
        output, report = self.net(2, "throughput", *arguments)
        self.assertIn("GFLOP/s", output)
        self.check_side_by_side(report, ["p2p"], [256], ["none", "poll:2"])
        for row in report["rows"]:
            compute = row["compute_seconds"]["median"]
            self.check_ratio(row["operations_per_second_alone"] * compute, 2 * 8**3 * row["units"])
            for policy in row["policies"]:
                self.check_ratio(policy["kept"] * policy["both_seconds"]["median"], compute)

    def test_mistakes(self):
        for ranks, arguments, message in [
            (1, ["latency"], "at least two"),
            (2, [], "subcommand"),
            (2, ["latency", "--sizes", "0"], "sizes"),
            (2, ["latency", "--sizes", "8:4"], "8:4"),
            (2, ["alltoall", "--sizes", "12"], "multiples of 8"),
            (2, ["alltoall", "--exchange", "pigeon"], "pigeon"),
            (2, ["overlap", "--progress", "poll:often"], "poll:often"),
            (2, ["overlap", "--sizes", "1G"], "counts in an int"),
        ]:
            self.refuse(message, ranks, "net", *arguments)

    def test_a_launcher_whose_processes_do_not_find_each_other(self):
        def warnings(ranks, **environment):
            through = ["env", *(f"{name}={value}" for name, value in environment.items())]
            return self.succeed(ranks, "describe", "8x8x8", through=through).stderr.count("has started 3 processes")

        self.assertEqual(warnings(1, SLURM_STEP_NUM_TASKS=3, SLURM_PROCID=0), 1)
        self.assertEqual(warnings(1, SLURM_STEP_NUM_TASKS=3, SLURM_PROCID=2), 0)
        self.assertEqual(warnings(1, SLURM_STEP_NUM_TASKS=1, SLURM_PROCID=0), 0)
        self.assertEqual(warnings(2, SLURM_STEP_NUM_TASKS=3, SLURM_PROCID=0), 0)


if __name__ == "__main__":
    weft_command.main(__doc__)
