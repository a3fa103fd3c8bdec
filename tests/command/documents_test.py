#!/usr/bin/env python3
"""Tests the files of `weft documents`: every option of every help is on its manual page, man and mandoc have nothing to
say against the pages, and the shells that are here complete what the scripts promise. Nothing of it starts MPI."""

import pathlib
import re
import shutil
import subprocess

import weft_command

# Open MPI does not start with this; what is not Open MPI ignores it.
WITHOUT_MPI = {"OMPI_MCA_pml": "none_of_this_name"}
BASH = r"""
source "$0"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
compopt() { echo "$@"; }
_weft
printf '%s\n' "${COMPREPLY[@]}"
"""
# zsh completes only in a terminal, and accepts the tabulator as a key only after it has printed its prompt.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($0:h \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; PS1=pro''mpt"
zpty -r shell output '*prompt*'
zpty -w -n shell "$1"$'\t\C-U'"print e''nd"$'\n'
zpty -r shell output '*end*'
print -r -- $output
"""


class DocumentsTest(weft_command.CommandTest):
    def setUp(self):
        super().setUp()
        run = subprocess.run([weft_command.WEFT, "documents", self.folder], capture_output=True, text=True,
                             env={**weft_command.OPEN_MPI, **WITHOUT_MPI})
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""))
        self.share = pathlib.Path(self.folder) / "share"

    def help_of(self, *command):
        run = subprocess.run([weft_command.WEFT, *command, "--help"], capture_output=True, text=True,
                             env={**weft_command.OPEN_MPI, **WITHOUT_MPI})
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def subcommands(self, *command):
        _, _, listed = self.help_of(*command).partition("Subcommands:")
        return re.findall(r"^  (\w+) ", listed.partition("\n\n")[0], re.MULTILINE)

    def options(self, *command):
        lines = re.findall(r"^  (-\S+)", self.help_of(*command), re.MULTILINE)
        return {name for line in lines for name in line.split(",")}

    def complete(self, shell, script, *words):
        if not shutil.which(shell):
            self.skipTest(f"there is no {shell} here")
        run = subprocess.run([shell, "-c", script, *map(str, words)], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout.splitlines()

    def bash(self, *words):
        return self.complete("bash", BASH, self.share / "bash-completion/completions/weft", "weft", *words)

    def test_pages_name_every_option(self):
        pages = {path.name: path.read_text().replace(r"\-", "-") for path in (self.share / "man/man1").iterdir()}
        names = self.subcommands()
        self.assertIn("bench", names)
        self.assertEqual(set(pages), {"weft.1", *(f"weft-{name}.1" for name in names)})
        for name in names:
            page = pages[f"weft-{name}.1"]
            self.assertIn(f"weft-{name} (1)", pages["weft.1"])
            for command in [(name,), *((name, inner) for inner in self.subcommands(name))]:
                self.assertIn(" ".join(("weft", *command)), page)
                for option in self.options(*command):
                    self.assertIn(rf"\fB{option}\fR", page)

    def test_pages_are_correct(self):
        checks = {"man": ["--warnings", "-l"], "mandoc": ["-T", "lint", "-W", "warning"]}
        for program, arguments in checks.items():
            if not shutil.which(program):
                continue
            for page in (self.share / "man/man1").iterdir():
                run = subprocess.run([program, *arguments, page], capture_output=True, text=True)
                told = run.stderr + (run.stdout if program == "mandoc" else "")
                # A page is as old as the version, which has no date in the sources.
                told = "".join(line for line in told.splitlines() if "missing date" not in line)
                self.assertEqual(told, "", program)

    def test_bash(self):
        self.assertEqual(self.bash("be"), ["bench"])
        self.assertEqual(set(self.bash("net", "")), {*self.options("net"), *self.subcommands("net")})
        self.assertEqual(set(self.bash("bench", "64x64", "--")),
                         {option for option in self.options("bench") if option.startswith("--")})
        self.assertEqual(self.bash("describe", "--kind", "r2"), ["r2c", "r2c_packed"])
        self.assertEqual(self.bash("describe", "--kind", "=", "r2"), ["r2c", "r2c_packed"])
        self.assertEqual(self.bash("bench", "--against", "mkl,fft"), ["mkl,fftw-mpi"])
        self.assertEqual(self.bash("bench", "--repeats", ""), [""])
        self.assertEqual(self.bash("bench", "--json", ""), ["-o default", ""])
        self.assertEqual(self.bash("transform", "field"), ["-o default", ""])

    def test_fish(self):
        script = f"source {self.share}/fish/vendor_completions.d/weft.fish; complete -C $argv[1]"

        def fish(line):
            return [answer.split("\t")[0] for answer in self.complete("fish", script, line)]

        self.assertEqual(fish("weft be"), ["bench"])
        self.assertEqual(set(fish("weft net ")), set(self.subcommands("net")))
        self.assertEqual(fish("weft describe --kind r2"), ["r2c", "r2c_packed"])

    def test_zsh(self):
        def zsh(line):
            answer = "\n".join(self.complete("zsh", ZSH, self.share / "zsh/site-functions/_weft", line))
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", answer)

        self.assertIn("weft bench", zsh("weft be"))
        self.assertIn("weft bench --kind", zsh("weft bench --ki"))
        self.assertIn("--kind r2c_packed", zsh("weft describe --kind r2c_"))


if __name__ == "__main__":
    weft_command.main(__doc__)
