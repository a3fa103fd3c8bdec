"""An MPI that crashes when it is given addresses of a device does so once: the next job reads the mark that the first
one has left. Arguments: the command of a job that crashes at first."""
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    environment = {**os.environ, "WEFT_WISDOM": folder}
    jobs = [subprocess.run(sys.argv[1:], env=environment, capture_output=True, text=True) for _ in range(3)]
    files = os.listdir(folder)

for job in jobs:
    print(job.returncode, job.stdout[-2000:], job.stderr[-2000:])
assert jobs[0].returncode != 0, "the first job did not crash"
assert jobs[1].returncode == 0, "the second job did not read the mark"
assert jobs[2].returncode == 0, "the third job did not read the mark"
assert len(files) == 1, files
