#!/usr/bin/env python3
"""Tests `weft wisdom` and `weft tune` end to end on folders written here: what they list, show and remove, and how they
report files that are not wisdom.
"""

import json
import os
from pathlib import Path

import weft_command


def site(machine, ranks):
    return {"machine": machine, "mpi": "Open MPI 4.1.4", "ranks": ranks, "ranks_per_node": 2}


def entry(machine, ranks, transform, options):
    return {
        "weft wisdom": 3,
        "key": {"site": site(machine, ranks), "transform": transform, "options": "auto",
                "conditions": "MPI_THREAD_SINGLE, nodes 0x2"},
        "value": {
            "options": options,
            "measured_seconds": 0.0125,
            "predicted_seconds": 0.01,
            "budget_seconds": 30,
            "candidates": 42,
            "date": "2024-02-29",
            "version": "0.1.0",
        },
    }


def file_name(prefix, parts):
    """The hash in an entry's file name: 64-bit FNV-1a of the key's parts."""
    number = 0xCBF29CE484222325
    for byte in "\n".join(map(str, parts)).encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return f"{prefix}-{number:016x}.json"


class WisdomTest(weft_command.CommandTest):
    def setUp(self):
        super().setUp()
        self.wisdom_folder = Path(self.path("wisdom"))
        self.wisdom_folder.mkdir()
        self.files = [
            self.write(entry("Anvil", 2, "64x64 c2c double", "exchange=shared")),
            self.write(entry("Anvil", 4, "64x64 c2c double", "exchange=p2p, grid=2x2")),
            self.write(entry("Bellows", 4, "8x8x8 r2c float", "exchange=alltoallv")),
        ]
        anvil = site("Anvil", 4)
        figures = {"weft wisdom": 3, "key": anvil, "value": {"bandwidth": 2.5e10}}
        (self.wisdom_folder / file_name("figures", anvil.values())).write_text(json.dumps(figures))

    def write(self, wisdom):
        key = wisdom["key"]
        name = file_name("wisdom", [*key["site"].values(), key["transform"], key["options"], key["conditions"]])
        (self.wisdom_folder / name).write_text(json.dumps(wisdom))
        return name

    def read(self):
        """All files by name."""
        return {file.name: json.loads(file.read_text()) for file in self.wisdom_folder.iterdir()}

    def wisdom(self, *arguments, ranks=1, folder=None):
        """The output of a run that must succeed."""
        return self.succeed(ranks, "wisdom", *arguments, environment=self.environment(folder))

    def refuse_wisdom(self, message, *arguments, ranks=1, folder=None):
        self.refuse(message, ranks, "wisdom", *arguments, environment=self.environment(folder))

    def environment(self, folder):
        return {"WEFT_WISDOM": str(self.wisdom_folder) if folder is None else folder}

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
        self.refuse_wisdom("in 2 entries", "show", "64x64")
        self.refuse_wisdom("no entry \"pigeon\"", "show", "pigeon", ranks=3)
        for number in ("0", "4", "-1"):
            self.refuse_wisdom(number, "show", number)

    def test_remove(self):
        before = self.read()
        self.refuse_wisdom("in 2 entries", "remove", "64x64")
        self.refuse_wisdom("--all", "remove")
        self.refuse_wisdom("--all", "remove", "1", "--all")
        self.assertEqual(self.read(), before)
        self.assertIn("removed 64x64", self.wisdom("remove", "1", ranks=3).stdout)
        del before[self.files[0]]
        self.assertEqual(self.read(), before)
        for_devices = [self.wisdom_folder / f"{name}-0123456789abcdef.{end}"
                       for name, end in (("kernel", "bin"), ("device-path", "txt"))]
        others = [self.wisdom_folder / name for name in ("kernel-mine.bin", "notes.txt")]
        for path in for_devices + others:
            path.write_text("something")
        self.wisdom("remove", "--all")
        self.assertFalse(any(path.exists() for path in for_devices))
        for path in others:
            path.unlink()
        self.assertEqual(self.read(), {})

    def test_which_folder(self):
        elsewhere, here = self.path("none-here"), str(self.wisdom_folder)
        self.assertIn("0 entries", self.wisdom("list", folder=elsewhere).stdout)
        self.assertFalse(os.path.exists(elsewhere))
        for arguments in (["list", "--folder", here], ["--folder", here, "list"]):
            self.assertIn("3 entries", self.wisdom(*arguments, folder=elsewhere).stdout)
        for nowhere in ("", "none"):
            self.refuse_wisdom("WEFT_WISDOM", "list", folder=nowhere)

    def test_damage_is_told(self):
        damaged = self.read()[self.files[0]]
        damaged["value"]["candidates"] = "many"
        self.write(damaged)
        run = self.wisdom("list")
        self.assertIn("2 entries", run.stdout)
        self.assertIn(f"{self.files[0]}: /value/candidates is not a whole number", run.stderr)
        self.assertEqual(run.stderr.count("weft: "), 1)
        self.wisdom("remove", "--all")
        self.assertEqual(self.read(), {})

    def test_a_file_of_the_old_format_is_told_once_and_not_used(self):
        self.wisdom_folder = Path(self.path("wisdom.json"))
        self.wisdom_folder.write_text('{"format": "weft wisdom", "version": 1, "wisdom": [], "machines": []}')
        run = self.tune("8x8x8")
        self.assertIn("not kept", run.stdout)
        self.assertEqual(run.stderr.count(f"weft: {self.wisdom_folder}: is not a folder"), 1, run.stderr)
        self.assertEqual(run.stderr.count("weft: "), 1, run.stderr)
        self.assertIn("is not a folder", self.wisdom("list").stderr)
        self.refuse_wisdom("is not a folder", "remove", "--all", ranks=3)
        self.assertTrue(self.wisdom_folder.is_file())

    def tune(self, *arguments):
        run = self.succeed(2, "tune", *arguments, "--seconds", "0.5", environment=self.environment(None))
        self.assertIn("The best of", run.stdout)
        return run

    def test_tune_leaves_wisdom(self):
        self.wisdom_folder = Path(self.path("new"))
        for asked in ([], ["--exchange", "p2p"]):
            self.assertIn(f"kept in {self.wisdom_folder}", self.tune("8x8x8", *asked).stdout)
        files = self.read()
        found = {one["key"]["options"]: one["value"] for name, one in files.items() if "wisdom-" in name}
        self.assertEqual(set(found), {"auto", "exchange=p2p"})
        self.assertIn("exchange=p2p", found["exchange=p2p"]["options"])
        self.assertGreater(found["auto"]["measured_seconds"], 0)
        figures = [one["value"] for name, one in files.items() if "figures-" in name]
        self.assertEqual(len(figures), 1)
        self.assertGreater(figures[0]["memory"], 0)
        self.refuse("8x0x8", 2, "tune", "8x0x8")

    def test_mistakes_on_the_command_line(self):
        self.refuse("--seconds: 0: valid is more than 0", 1, "tune", "8x8x8", "--seconds", "0")
        self.refuse("did you mean `--seconds`?", 1, "tune", "8x8x8", "--secons=3")
        self.refuse("did you mean `tune`?", 1, "tun", "8x8x8")

    def test_mistakes(self):
        self.refuse_wisdom("subcommand")
        self.refuse_wisdom("ENTRY", "show")
        self.refuse_wisdom("pigeon", "list", "pigeon")
        self.assertIn("weft wisdom show", self.wisdom("remove", "--help").stdout)


if __name__ == "__main__":
    weft_command.main(__doc__)
