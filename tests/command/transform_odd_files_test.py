#!/usr/bin/env python3
"""Tests `weft transform` with names that are no ordinary files: pipes, devices, folders, nothing, a file system that
cannot be written to. Each ends with one error, and nothing hangs. Exits with code 77 (skipped) if there is no NumPy.
"""

import os
import stat
import subprocess
import unittest

import weft_command
from npy_folder import Folder
from transform_files_test import may_mount

ODD_INPUTS = [("pipe", "cannot read pipe: not a regular file"), ("folder", "cannot read folder: not a regular file"),
              ("/dev/zero", "cannot read /dev/zero: not a regular file"), ("", "IN is empty"),
              ("none/in.npy", "cannot read none/in.npy: no such file")]
ODD_OUTPUTS = [("pipe", "cannot write pipe: it is not a regular file"),
               ("folder/", "cannot write folder/: it is not a regular file"),
               ("/dev/full", "cannot write /dev/full: it is not a regular file"), ("", "OUT is empty")]
MEMORY = "/proc/self/mem"


class OddFiles(Folder):
    def setUp(self):
        super().setUp()
        self.save(self.real(6, 8))
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("folder"))

    def refuses(self, source, target, message):
        with self.subTest(source=source, target=target):
            before = sorted(os.listdir(self.folder))
            self.fails(["transform", source, target], message, cwd=self.folder)
            self.assertEqual(sorted(os.listdir(self.folder)), before)
            self.assertEqual(os.listdir(self.path("folder")), [])

    def test_as_input(self):
        for name, message in ODD_INPUTS:
            self.refuses(name, "out.npy", message)

    def test_as_output(self):
        for name, message in ODD_OUTPUTS:
            self.refuses("in.npy", name, message)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))

    @unittest.skipUnless(os.path.exists(MEMORY), "a file of Linux")
    def test_memory_of_a_process(self):
        self.refuses(MEMORY, "out.npy", f"cannot read {MEMORY}: ")
        self.refuses("in.npy", MEMORY, f"cannot write {MEMORY}: ")

    @unittest.skipUnless(may_mount(), "a file system needs the right to mount")
    def test_a_file_system_that_cannot_be_written_to(self):
        script = """
            mount -t tmpfs tmpfs folder && cp in.npy folder/ && mount -o remount,ro folder || exit 99
            "$@"
            code=$?
            ls folder
            exit $code"""
        for source, target, message in (
                ("in.npy", "folder/new.npy", "cannot write folder/new.npy: Read-only file system"),
                ("folder/in.npy", "folder/in.npy", "give --overwrite"),
                ("folder/in.npy", "out.npy", None)):
            with self.subTest(source=source, target=target):
                run = weft_command.start(2, ["transform", "-q", source, target], cwd=self.folder,
                                         before=["unshare", "--mount", "sh", "-c", script, "sh"])
                self.assertEqual(run.stdout, "in.npy\n")
                if message:
                    self.check_failure(run, message)
                else:
                    self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(os.path.exists(self.path("out.npy")), message is None)


if __name__ == "__main__":
    weft_command.main(__doc__)
