#!/usr/bin/env python3
"""Tests what `weft transform` makes of the files around it: modes, owners and links, what killed jobs left, the same
file as input and output, files that change meanwhile, and full disks. Exits with code 77 (skipped) if there is no NumPy.
"""

import os
import resource
import shutil
import signal
import stat
import subprocess
import time
import unittest
from pathlib import Path

import weft_command
from npy_folder import Folder, np

IS_ROOT = os.geteuid() == 0


def may_mount():
    try:
        return subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0
    except OSError:
        return False


class Output(Folder):
    """The file that is written."""

    def setUp(self):
        super().setUp()
        self.array = self.real(6, 8)
        self.source = self.save(self.array)
        self.target = self.path("out.npy")

    def check_output(self, path=None):
        self.check(np.load(path or self.target), np.fft.rfftn(self.array), "c16")

    def run_transform(self, target=None, **more):
        return self.succeed(2, "transform", self.source, target or self.target, **more)

    def mode(self):
        return stat.S_IMODE(os.stat(self.target).st_mode)

    def test_keeps_mode_and_owner(self):
        for mode in (0o600, 0o640, 0o664, 0o755) + ((0o060, 0o464) if IS_ROOT else ()):
            self.save(self.array, "out.npy")
            if IS_ROOT:
                os.chown(self.target, 1234, 4321)
            os.chmod(self.target, mode)
            self.run_transform()
            self.assertEqual(oct(self.mode()), oct(mode))
            if IS_ROOT:
                state = os.stat(self.target)
                self.assertEqual((state.st_uid, state.st_gid), (1234, 4321))
            self.check_output()

    def test_sets_no_user_and_no_group(self):
        """Of who runs the result: whoever could write the old file chose those bits."""
        for bits in (0o4000, 0o2000, 0o1000):
            self.save(self.array, "out.npy")
            os.chmod(self.target, bits | 0o755)
            self.run_transform()
            self.assertEqual(oct(self.mode()), oct(0o755))

    def test_a_new_file_follows_the_umask(self):
        self.run_transform(preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(oct(self.mode()), oct(0o640))

    def test_write_protected(self):
        self.save(self.array, "out.npy")
        for mode in (0o444, 0o400, 0o555):
            os.chmod(self.target, mode)
            message = f"cannot write {self.target}: it is write-protected (mode {mode:o}); allow it with chmod u+w"
            self.transform_fails(self.source, message)
            self.assertEqual(oct(self.mode()), oct(mode))

    def test_over_another_by_a_link(self):
        os.symlink(self.save(self.complex(100, 100), "other.npy"), self.path("link.npy"))
        run = self.succeed(2, "transform", self.source, self.path("link.npy"), "--quiet")
        self.assertEqual(run.stdout, "")
        self.check_output(self.path("other.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))

    def test_links_to_no_file_yet(self):
        os.mkdir(self.path("there"))
        os.symlink("there/new.npy", self.target)
        os.symlink(self.target, self.path("second.npy"))
        self.run_transform(self.path("second.npy"))
        self.check_output(self.path("there/new.npy"))
        self.assertTrue(os.path.islink(self.target) and os.path.islink(self.path("second.npy")))
        os.remove(self.path("there/new.npy"))
        self.succeed(2, "transform", "in.npy", "out.npy", cwd=self.folder)
        self.check_output(self.path("there/new.npy"))
        self.assertEqual(os.listdir(self.path("there")), ["new.npy"])

    def test_links_that_lead_nowhere(self):
        os.symlink("second.npy", self.target)
        os.symlink("out.npy", self.path("second.npy"))
        self.transform_fails(self.source, f"cannot write {self.target}: it is a symbolic link that leads back to itself")
        os.symlink("none/new.npy", self.path("third.npy"))
        self.fails(["transform", self.source, self.path("third.npy")], "none/new.npy: No such file or directory")

    def test_unwritable(self):
        transform = ["transform", self.source]
        self.fails(transform + [self.path("none/out.npy")], "No such file or directory")
        self.fails(transform + [self.folder], "not a regular file")
        self.fails(transform + ["/dev/null"], "not a regular file")
        self.fails(transform + [self.path("x" * 256)], "File name too long")
        self.succeed(2, *transform, self.path("x" * 255))
        if os.path.isdir("/proc/self"):
            self.fails(transform + ["/proc/out.npy"], "cannot write /proc/out.npy")

    def test_a_second_name_of_the_old_file_keeps_it(self):
        os.link(self.save(self.complex(3, 3), "other.npy"), self.target)
        before = Path(self.target).read_bytes()
        self.run_transform()
        self.check_output()
        self.assertEqual(Path(self.path("other.npy")).read_bytes(), before)

    def test_onto_itself(self):
        os.mkdir(self.path("folder"))
        os.symlink(self.folder, self.path("folder/up"))
        os.symlink("in.npy", self.path("link.npy"))
        os.link(self.source, self.path("hard.npy"))
        for same in ("in.npy", "./in.npy", "folder/../in.npy", "folder/up/in.npy", "link.npy", "hard.npy"):
            self.fails(["transform", self.source, self.path(same)], "itself: give --overwrite to replace it")
        self.fails(["transform", self.path("link.npy"), self.source], "itself: give --overwrite to replace it")
        self.succeed(2, "transform", self.source, self.source, "--overwrite", "-q")
        self.check_output(self.source)

    def test_colons_and_blanks_in_names(self):
        os.rename(self.source, self.path("field 12:30.npy"))
        self.succeed(2, "transform", "field 12:30.npy", "a: b.npy", cwd=self.folder)
        self.check_output(self.path("a: b.npy"))
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_no_control_characters_on_the_terminal(self):
        evil = self.path("a\x1b[2J\nb\u009bc\u00e4.npy")
        run = weft_command.start(2, ["transform", evil, self.target])
        self.assertIn("a?[2J?b", run.stderr)
        self.assertIn("c\u00e4.npy: no such file", run.stderr)
        run = self.run_transform(evil)
        for text in (run.stdout, run.stderr):
            self.assertTrue(all(character.isprintable() for line in text.split("\n") for character in line), text)


class Meanwhile(Folder):
    """Files of a job that is stopped while it reads. It reads a few bytes at a time, so that it can be stopped."""

    def setUp(self):
        super().setUp()
        self.array = self.real(64, 64, 16)
        self.source = self.save(self.array)
        self.before = Path(self.source).read_bytes()
        self.target = self.path("out.npy")
        self.old = self.save(self.real(2, 2), "out.npy")
        self.old_bytes = Path(self.old).read_bytes()

    def temporaries(self, folder=None):
        folder = folder or self.folder
        return [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("out.npy.weft-")]

    def launch(self, folder=None):
        """Starts a job and stops its first rank; returns the job and its temporary file, which names that process."""
        process = weft_command.launch(2, ["transform", self.source, self.target, "--piece-bytes", "64"])
        while process.poll() is None:
            if found := self.temporaries(folder):
                self.send(signal.SIGSTOP, found[0])
                return process, found[0]
            time.sleep(0.001)
        self.fail(process.communicate())

    def send(self, number, temporary):
        os.kill(int(temporary.split("-")[-2]), number)

    def resume(self, process, temporary):
        self.send(signal.SIGCONT, temporary)
        return weft_command.end(process)

    def killed(self):
        """The temporary file of a job that could not clean up."""
        process, left = self.launch()
        self.send(signal.SIGKILL, left)
        weft_command.end(process)
        self.assertEqual(self.temporaries(), [left])
        return left

    def succeed_quickly(self):
        self.succeed(2, "transform", self.source, self.target)
        self.check(np.load(self.target), np.fft.rfftn(self.array), "c16")

    def test_what_a_killed_job_left_is_removed(self):
        self.killed()
        self.assertEqual(Path(self.old).read_bytes(), self.old_bytes)
        self.succeed_quickly()
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "Linux tells who is a zombie")
    def test_what_a_zombie_left_is_removed(self):
        """A killed process whose parent has not asked for its exit status, which orphans in containers stay for ever."""
        left = self.killed()
        zombie = subprocess.Popen(["true"])
        self.addCleanup(zombie.wait)
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        prefix, _, attempt = left.rsplit("-", 2)
        os.rename(left, f"{prefix}-{zombie.pid}-{attempt}")
        self.succeed_quickly()
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def test_nothing_else_is_removed(self):
        left = self.killed()
        boot, space = left.rsplit("-", 4)[1:3]
        others = [left.replace(f"-{boot}-{space}-", new) for new in (f"-0{boot}-{space}-", f"-{boot}-1{space}-")]
        others += [left.replace("out.npy.", "out.npy.npy."), left + "-1", self.path("out.npy.weft-1-0")]
        os.rename(left, others[0])
        for other in others[1:]:
            Path(other).write_bytes(b"of somebody else")
        self.succeed_quickly()
        for other in others:
            self.assertTrue(os.path.exists(other), other)

    def test_the_file_of_a_living_job_stays(self):
        process, temporary = self.launch()
        self.succeed_quickly()
        self.assertTrue(os.path.exists(temporary))
        run = self.resume(process, temporary)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def fails_after(self, change, message):
        process, temporary = self.launch()
        change()
        self.check_failure(self.resume(process, temporary), message)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        self.assertEqual(Path(self.old).read_bytes(), self.old_bytes)

    def test_the_input_is_shortened(self):
        self.fails_after(lambda: os.truncate(self.source, 1000), "in.npy: it ended too soon")

    def test_the_input_grows(self):
        def grow():
            with open(self.source, "ab") as file:
                file.write(b"more")

        self.fails_after(grow, "in.npy: another program changed it meanwhile")

    def test_the_input_is_written_again(self):
        self.fails_after(lambda: Path(self.source).write_bytes(self.before), "in.npy: another program changed it")

    def test_the_input_is_removed(self):
        process, temporary = self.launch()
        os.remove(self.source)
        self.check_failure(self.resume(process, temporary), self.source)
        self.assertEqual(os.listdir(self.folder), ["out.npy"])

    def test_the_temporary_is_replaced(self):
        """By a link to a file of the user, or by a file of somebody else, who may write into the folder."""
        victim = self.save(self.real(200), "victim.npy")
        before = Path(victim).read_bytes()
        for replace in (os.symlink, os.link):
            process, temporary = self.launch()
            os.remove(temporary)
            replace(victim, temporary)
            self.check_failure(self.resume(process, temporary), "another program has replaced it")
            self.assertEqual(Path(victim).read_bytes(), before)
            self.assertEqual(Path(self.old).read_bytes(), self.old_bytes)
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy", "victim.npy"])

    def test_the_folder_of_the_output_is_removed(self):
        gone = self.path("gone")
        os.mkdir(gone)
        self.target = os.path.join(gone, "out.npy")
        process, temporary = self.launch(gone)
        shutil.rmtree(gone)
        self.check_failure(self.resume(process, temporary), self.target)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])


class FullDisk(Folder):
    def test_a_limit_on_files_keeps_the_old_output(self):
        """It stops the writing half-way, as a full disk does."""
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

    def test_no_room_from_the_start(self):
        huge = self.path("huge.npy")
        with open(huge, "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
            try:
                file.truncate(file.tell() + (8 << 40))
            except OSError:
                self.skipTest("no sparse files of 8 TiB here")
        run = weft_command.start(2, ["transform", huge, self.path("out.npy")])
        self.check_failure(run, "are free there")
        self.assertEqual(os.listdir(self.folder), ["huge.npy"])

    @unittest.skipUnless(may_mount(), "a small disk needs the right to mount")
    def test_a_disk_that_fills_while_it_is_written(self):
        """On a disk of 48 MiB, which somebody else fills as soon as the job has begun."""
        source = self.save(self.real(64, 256, 256))
        disk = self.path("disk")
        os.mkdir(disk)
        script = """
            mount -t tmpfs -o size=48M tmpfs "$0" || exit 99
            echo old > "$0/out.npy"
            (until ls "$0"/out.npy.weft-* > "$0/seen" 2>&1; do :; done; cat /dev/zero > "$0/filler") 2> /dev/null &
            "$@"
            code=$?
            wait
            rm "$0/filler" "$0/seen"
            ls "$0"
            cat "$0/out.npy"
            exit $code"""
        run = weft_command.start(
            4, ["transform", source, os.path.join(disk, "out.npy"), "--piece-bytes", "65536"],
            before=["unshare", "--mount", "sh", "-c", script, disk])
        self.check_failure(run, "cannot write")
        self.assertEqual(run.stdout, "out.npy\nold\n")


if __name__ == "__main__":
    weft_command.main(__doc__)
