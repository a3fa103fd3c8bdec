#!/usr/bin/env python3
"""`weft wisdom` and `weft tune` end to end on files written here: what it lists, shows and removes, and what it says of files
that are none.
"""

import json
import os

import weft_command


def start(ranks, arguments, environment, command="wisdom"):
    return weft_command.start(ranks, [command, *arguments], environment)


def entry(machine, ranks, transform, options):
    return {
        "machine": machine,
        "mpi": "Open MPI 4.1.4",
        "ranks": ranks,
        "ranks_per_node": 2,
        "transform": transform,
        "asked": "auto",
        "options": options,
        "measured_seconds": 0.0125,
        "predicted_seconds": 0.01,
        "budget_seconds": 30,
        "candidates": 42,
        "date": "2024-02-29",
        "weft": "0.1.0",
    }


def figures(machine, ranks):
    return {"machine": machine, "mpi": "Open MPI 4.1.4", "ranks": ranks, "ranks_per_node": 2,
            "figures": {"bandwidth": 2.5e10}}


class WisdomTest(weft_command.CommandTest):
    def setUp(self):
        super().setUp()
        self.directory = self.folder
        self.path = os.path.join(self.directory, "wisdom.json")
        self.write([
            entry("Anvil", 2, "64x64 c2c double", "exchange=shared"),
            entry("Anvil", 4, "64x64 c2c double", "exchange=p2p, grid=2x2"),
            entry("Bellows", 4, "8x8x8 r2c float", "exchange=alltoallv"),
        ])

    def write(self, wisdom, **other):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"format": "weft wisdom", "version": 1, "wisdom": wisdom,
                       "machines": [figures("Anvil", 4)], **other}, file)

    def read(self):
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def wisdom(self, *arguments, ranks=1, **more):
        """What a run says that must succeed."""
        run = start(ranks, arguments, {"WEFT_WISDOM": self.path, **more})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run

    def refuse(self, message, *arguments, ranks=1, **more):
        run = start(ranks, arguments, {"WEFT_WISDOM": self.path, **more})
        self.assertNotEqual(run.returncode, 0, run.stdout)
        self.assertIn(message, run.stdout + run.stderr)

    def test_list(self):
        for ranks in (1, 3):
            run = self.wisdom("list", ranks=ranks)
            self.assertEqual(run.stdout.count("64x64 c2c double"), 2, run.stdout)
            self.assertEqual(run.stdout.count("Anvil; Open MPI 4.1.4"), 1, run.stdout)
            self.assertEqual(run.stdout.count("Bellows; Open MPI 4.1.4"), 1, run.stdout)
            rows = [line for line in run.stdout.splitlines() if "exchange=" in line]
            self.assertEqual([row.split()[0] for row in rows], ["1", "2", "3"])
            self.assertIn("12.5", rows[1])
            self.assertTrue(rows[1].endswith("exchange=p2p, grid=2x2"), rows[1])

    def test_show_by_number_and_name(self):
        for name in ("2", "64x64 c2c double, options auto, 4 ranks"):
            shown = self.wisdom("show", name).stdout
            for part in ("Anvil", "4, 2 per node", "grid=2x2", "12.5 ms", "10 ms", "2024-02-29", "42",
                         "bandwidth"):
                self.assertIn(part, shown)
        self.assertNotIn("bandwidth", self.wisdom("show", "Bellows").stdout)

    def test_names_that_are_not_one(self):
        self.refuse("in 2 entries", "show", "64x64")
        self.refuse("no entry \"pigeon\"", "show", "pigeon", ranks=3)
        for number in ("0", "4", "-1"):
            self.refuse(number, "show", number)

    def test_remove(self):
        before = self.read()
        self.refuse("in 2 entries", "remove", "64x64")
        self.refuse("--all", "remove")
        self.refuse("--all", "remove", "1", "--all")
        self.assertEqual(self.read(), before)
        self.assertIn("removed 64x64", self.wisdom("remove", "1", ranks=3).stdout)
        self.assertEqual(self.read()["wisdom"], before["wisdom"][1:])
        self.assertEqual(self.read()["machines"], before["machines"])
        self.wisdom("remove", "--all")
        self.assertEqual(self.read()["wisdom"] + self.read()["machines"], [])

    def test_which_file(self):
        elsewhere = {"WEFT_WISDOM": os.path.join(self.directory, "none.json")}
        self.assertIn("0 entries", self.wisdom("list", **elsewhere).stdout)
        self.assertFalse(os.path.exists(elsewhere["WEFT_WISDOM"]))
        self.assertIn("3 entries", self.wisdom("list", "--file", self.path, **elsewhere).stdout)
        self.assertIn("3 entries", self.wisdom("--file", self.path, "list", **elsewhere).stdout)
        for nowhere in ("", "none"):
            self.refuse("WEFT_WISDOM", "list", WEFT_WISDOM=nowhere)

    def test_damage_is_told(self):
        wisdom = self.read()["wisdom"]
        wisdom[0]["ranks"] = "two"
        self.write(wisdom)
        run = self.wisdom("list")
        self.assertIn("2 entries", run.stdout)
        self.assertIn("wisdom 1: \"ranks\" is not", run.stderr)
        self.write(wisdom, version=2)
        run = self.wisdom("list")
        self.assertIn("0 entries", run.stdout)
        self.assertIn("\"version\" is not 1", run.stderr)
        os.remove(self.path)
        os.mkdir(self.path)
        self.assertIn("is a folder", self.wisdom("list").stderr)
        self.refuse("is a folder", "remove", "--all", ranks=3)

    def test_tune_leaves_wisdom(self):
        os.remove(self.path)
        for asked in ([], ["--exchange", "p2p"]):
            run = start(2, ["8x8x8", "--seconds", "0.5", *asked], {"WEFT_WISDOM": self.path}, "tune")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("The best of", run.stdout)
            self.assertIn(self.path, run.stdout)
        found = {one["asked"]: one for one in self.read()["wisdom"]}
        self.assertEqual(set(found), {"auto", "exchange=p2p"})
        self.assertIn("exchange=p2p", found["exchange=p2p"]["options"])
        self.assertGreater(found["auto"]["measured_seconds"], 0)
        self.assertGreater(self.read()["machines"][0]["figures"]["memory"], 0)
        self.assertNotEqual(start(2, ["8x0x8"], {}, "tune").returncode, 0)

    def test_mistakes(self):
        self.refuse("subcommand")
        self.refuse("ENTRY", "show")
        self.refuse("pigeon", "list", "pigeon")
        self.assertIn("weft wisdom show", self.wisdom("remove", "--help").stdout)


if __name__ == "__main__":
    weft_command.main(__doc__)
