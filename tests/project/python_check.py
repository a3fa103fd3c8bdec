"""Checks the formatting of all files of Python below python/, the types of package weft by mypy and by pyright, and that
pyright knows the type of every name that the package makes public. `./run check` calls it, in an environment with these
tools and the packages whose types they read."""
import json
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
python = [sys.executable, "-m"]
# The replacement of mpi4py-fft has that package's names; torch and JAX are too large to install for types.
left_out = ("weft.compat.", "weft.torch.", "weft.jax.")


def passes(*command):
    return subprocess.run([*python, *command], cwd=root).returncode == 0


def untyped():
    """The public names whose type pyright does not know. It finds other packages by the Python that is first on PATH."""
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(root / "python"), "PATH": path}
    command = [*python, "pyright", "--verifytypes", "weft", "--ignoreexternal", "--outputjson"]
    told = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    symbols = json.loads(told.stdout)["typeCompleteness"]["symbols"]
    public = [one for one in symbols if one["isExported"] and not one["name"].startswith(left_out)]
    assert any(one["name"] == "weft.plan.Plan.forward" for one in public), told.stdout
    return [one["name"] for one in public if not one["isTypeKnown"] or one["isTypeAmbiguous"]]


results = [passes("ruff", "format", "--check", "python"), passes("mypy", "python/weft"), passes("pyright", "--pythonpath", sys.executable)]
names = untyped()
print("\n".join(f"{name}: has no type that is known" for name in names) or "Every public name has a type that is known")
sys.exit(bool(names) or not all(results))
