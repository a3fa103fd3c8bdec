"""registers.py COMPILER ARCHITECTURE...: the registers of kernels for AMD's GPUs, as the compiler notes them in its programs.

Numbers that do not fit the registers go through memory. The notes are a map in the format of MessagePack, as the manual of
LLVM's AMDGPU backend describes it (code object V3 and later)."""
import pathlib
import subprocess
import sys
import tempfile

MOST_SPILLED = 16  # registers of 4 bytes, for each thread
COUNTS = (".vgpr_count", ".sgpr_count", ".vgpr_spill_count")


def count_after(code, name):
    """The number that follows a key of the notes."""
    begin = code.index(name.encode()) + len(name)
    first = code[begin]
    if first < 0x80:
        return first
    size = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}[first]
    return int.from_bytes(code[begin + 1:begin + 1 + size], "big")


def check(compiler, architecture):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([compiler, architecture, folder], check=True)
        kernels = sorted(pathlib.Path(folder).iterdir())
        for kernel in kernels:
            code = kernel.read_bytes()
            vector, scalar, spilled = (count_after(code, name) for name in COUNTS)
            print(f"{architecture} {kernel.name}: {vector} vector and {scalar} scalar registers, {spilled} spilled")
            if spilled > MOST_SPILLED:
                wrong.append(f"{architecture} {kernel.name}: {spilled} registers spilled, and {MOST_SPILLED} are the most")
    return wrong if kernels else [f"no kernels for {architecture}"]


wrong = [line for architecture in sys.argv[2:] for line in check(sys.argv[1], architecture)]
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
