"""tests/gpu/run from its pack, in an empty folder with an empty environment, on emulated devices: run_test.py BUILD"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
here = pathlib.Path(__file__).parent
libraries = subprocess.run(["ldd", build / "bin" / "weft"], capture_output=True, text=True).stdout
if not re.search(r"libmpi(ch)?\.so\.12", libraries):  # MPICH's ABI
    print("skipped: the pack takes MPICH's launcher")
    sys.exit(77)

steps = "facts kernels exchanges large".split()
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([here / "pack", build], check=True, env={**os.environ, "WEFT_GPU_FOLDER": folder})
    # The tree that the pack was made in must not be needed.
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [f"{folder}/run", *steps], cwd=empty, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={"PATH": "/usr/bin:/bin", "HOME": empty, "WEFT_GPU_DEVICE": "emulated", "WEFT_GPU_N": "16",
                 "WEFT_GPU_LARGE": "24", "WEFT_GPU_SECONDS": "300"})
        archives = list(pathlib.Path(empty, "gpu-results").glob("*.tar.gz"))
    unknown = subprocess.run([f"{folder}/run", "bench"], cwd=folder, text=True, stdout=subprocess.PIPE,
                             env={"PATH": "/usr/bin:/bin", "WEFT_GPU_DEVICE": "emulated"})
print(done.stdout)
numbers = done.stdout.partition("######## numbers")[2]
names = ["kernels-r2c-float", "four-shared", "four-p2p", "r2c-large"]
# Jobs of another launcher than the MPI's own would be of one rank each.
ranks = {"four-shared": 4, "four-p2p": 4}
missing = [name for name in names if not re.search(rf"^{name} .* ranks {ranks.get(name, 1)} .* ms, ", numbers, re.M)]
assert done.returncode == 0, f"exit {done.returncode}"
assert not missing, f"not in the table: {missing}"
assert len(archives) == 1, archives
assert unknown.returncode == 1 and "no step bench" in unknown.stdout, unknown
