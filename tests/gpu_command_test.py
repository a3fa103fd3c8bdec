#!/usr/bin/env python3
"""Tests `weft gpu` end to end, on a pretended machine with four GPUs and on one without, and --device of other
subcommands, on emulated devices.
"""

import pathlib

import numpy as np

import weft_command

FOUR_GPUS = str(pathlib.Path(__file__).resolve().parent / "topologies" / "four_gpus.xml")


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
        self.assertEqual(shown.count("no GPU of NVIDIA on its buses"), 1, shown)
        self.assertIn("devices of this Weft: cpu, emulated, emulated-lazy", shown)

    def test_mpi_is_tested_with_a_device(self):
        shown = self.succeed(2, "gpu", "--device", "emulated").stdout
        self.assertIn("device=emulated: device_path staged: ", shown)
        self.assertIn("has no function MPIX_Query_emulated_support", shown)
        self.assertIn("start at least two ranks", self.succeed(1, "gpu", "--device", "emulated").stdout)
        self.refuse("valid are cpu, emulated", 2, "gpu", "--device", "abacus")

    def test_bandwidths(self):
        for ranks, lines in ((1, 4), (3, 8)):
            shown = self.succeed(ranks, "gpu", "--device", "emulated-lazy", "--bandwidth").stdout
            self.assertEqual(shown.count("GB/s") + shown.count("MB/s"), lines, shown)
        for way in ("host to device", "device to host", "both at once", "to the next rank of the node, one way",
                    "both ways at once", "to all ranks of the node", "to all ranks by MPI, staged",
                    "to all ranks by messages of the devices"):
            self.assertIn(way, shown)
        environment = {"WEFT_RANKS_PER_NODE": "2"}  # one of the nodes has one rank
        self.succeed(3, "gpu", "--device", "emulated", "--bandwidth", environment=environment)
        self.refuse("--bandwidth requires --device", 1, "gpu", "--bandwidth")


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
