#!/usr/bin/env python3
"""Tests `weft gpu` end to end, on a pretended machine with four GPUs and on one without, and --device of other
subcommands, on emulated devices.
"""

import os
import pathlib
import re
import unittest

import numpy as np

import weft_command

FOUR_GPUS = str(pathlib.Path(__file__).resolve().parents[1] / "unit/machine/topologies/four_gpus.xml")


class GpuTest(weft_command.CommandTest):
    def test_ranks_share_the_gpus(self):
        shown = self.succeed(4, "gpu", environment={"WEFT_TOPOLOGY": FOUR_GPUS}).stdout
        self.assertEqual(shown.count("GH100 [H100 SXM5 80GB]"), 4, shown)
        self.assertIn("GPU 0: GH100 [H100 SXM5 80GB] at 0000:19:00.0, near cores 0-3", shown)
        for rank in range(4):
            self.assertIn(f"  rank {rank} on cores 0-7: GPU {rank}, which is near them", shown)

    def test_each_node_is_listed(self):
        environment = {"WEFT_TOPOLOGY": FOUR_GPUS, "WEFT_RANKS_PER_NODE": "2"}
        shown = self.succeed(4, "gpu", environment=environment).stdout
        self.assertEqual(shown.count("GPU 3: GH100"), 2, shown)
        for rank in range(4):
            self.assertIn(f"  rank {rank} on cores 0-7: GPU {rank % 2}, which is near them", shown)

    def test_a_machine_without_gpus(self):
        shown = self.succeed(2, "gpu", environment={"WEFT_TOPOLOGY": "numa:2 core:4 pu:1"}).stdout
        self.assertEqual(shown.count("no GPU of NVIDIA or AMD on its buses"), 1, shown)
        self.assertIn("devices of this Weft: cpu, emulated, emulated-lazy", shown)

    def test_mpi_is_tested_with_a_device(self):
        shown = self.succeed(2, "gpu", "--device", "emulated").stdout
        self.assertIn("device=emulated: device_path staged: ", shown)
        self.assertIn("has no function MPIX_Query_emulated_support", shown)
        self.assertIn("start at least two ranks", self.succeed(1, "gpu", "--device", "emulated").stdout)
        self.refuse("valid are cpu, emulated", 2, "gpu", "--device", "abacus")

    def test_bandwidths(self):
        for ranks, lines in ((1, 4), (3, 9)):
            shown = self.succeed(ranks, "gpu", "--device", "emulated-lazy", "--bandwidth").stdout
            self.assertEqual(sum("B/s" in line for line in shown.splitlines()), lines, shown)
        for way in ("host to device", "device to host", "both at once", "to the next rank of the node, one way",
                    "both ways at once", "to all ranks of the node", "to all ranks by MPI, staged",
                    "to all ranks by messages of the devices"):
            self.assertIn(way, shown)
        self.assertIn("% of within the device (", " ".join(shown.split()))
        environment = {"WEFT_RANKS_PER_NODE": "2"}  # one of the nodes has one rank
        self.succeed(3, "gpu", "--device", "emulated", "--bandwidth", environment=environment)
        self.refuse("--bandwidth requires --device", 1, "gpu", "--bandwidth")


    @unittest.skipUnless("WEFT_PRETENDED_PLUGIN" in os.environ, "needs a pretended plugin")
    def test_shares_of_buses_and_links(self):
        libraries = f"{os.environ['WEFT_PRETENDED_PLUGIN']}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        environment = {"WEFT_TOPOLOGY": FOUR_GPUS, "LD_LIBRARY_PATH": libraries}
        shown = self.succeed(2, "gpu", "--device", "cuda:auto", "--bandwidth", environment=environment).stdout
        self.assertIn("near cores 0-3; bus 63.02 GB/s; link to GPU 1 200 GB/s; link to GPU 2 100 GB/s", shown)
        shares = re.findall(r"(\S.*?)  +([\d.]+) ([GM])B/s +(\d+) % +of the (bus|link) \((\S+) GB/s\)", shown)
        self.assertEqual([way[0] for way in shares],
                         ["host to device", "device to host", "both at once, each way",
                          "to the next rank of the node, one way", "the same, both ways at once, each way"], shown)
        for way, rate, unit, share, of, peak in shares:
            # The two ranks have GPUs 1 and 2 of those that the plugin drives.
            self.assertEqual((of, peak), ("link", "100") if "rank" in way or "same" in way else ("bus", "63.02"))
            rate = float(rate) * (1 if unit == "G" else 1e-3)
            self.assertAlmostEqual(float(share) / 100, rate / float(peak), delta=0.01)


class DeviceTest(weft_command.CommandTest):
    def test_transform(self):
        array = np.random.default_rng(1).random((6, 5, 8))
        np.save(self.path("u.npy"), array)
        run = self.succeed(2, "transform", self.path("u.npy"), self.path("s.npy"), "--device", "emulated-lazy")
        self.assertIn("device emulated-lazy", run.stdout)
        np.testing.assert_allclose(np.load(self.path("s.npy")), np.fft.rfftn(array), atol=1e-12)

    def test_bench(self):
        for arrays in ("plan", "user"):
            output, report = self.report(2, "bench", "8x8x8", "--device", "emulated-lazy", "--arrays", arrays,
                                         "--repeats", "3")
            self.assertIn("device      emulated-lazy", output)
            self.assertEqual(report["device"], "emulated-lazy")
            self.assertLess(report["error"], report["error_bound"])
            self.assertLess(report["round_trip_error"], report["error_bound"])

    def test_unknown_devices(self):
        self.refuse("valid are cpu, emulated", 2, "bench", "8x8x8", "--device", "abacus")


if __name__ == "__main__":
    weft_command.main(__doc__)
