"""Every exchange method on simulated ranks, on three networks: the spectrum is compared with an exact one.

Usage: tests/project/simulate_test.py BUILD_DIR, where Weft is built for simulated ranks. Exits with 77 where there is no SimGrid."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

SIMULATE = pathlib.Path(__file__).resolve().parents[2] / "bench/simulate"
SKIPPED = 77
BUILD = ["--build-dir", sys.argv[1]]
LIMIT = ["--limit", "120"]  # seconds; a run takes about one, and a run that hangs is a failure
RUN = [SIMULATE, "run", *BUILD, *LIMIT]
# Uneven blocks, so that every element's place matters; no more ranks along an axis than it has indices.
SMALL, MEDIUM = "12x10x9", "20x18x16"


def run(*words):
    """The report of bench/simulate, which fails where a result is wrong."""
    begin = time.monotonic()
    done = subprocess.run([*RUN, "--json", *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench/simulate run {' '.join(words)}\n{done.stderr}")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    print(f"{' '.join(words)}: {len(results)} results in {time.monotonic() - begin:.1f} s", flush=True)
    return results


def names(results, refused):
    return {result["exchanges"].split("/")[0] for result in results if ("refused" in result) == refused}


def check(condition, what, results):
    if not condition:
        sys.exit(f"{what}: {json.dumps(results, indent=1)}")


checked = subprocess.run([SIMULATE, "check"], text=True, capture_output=True)
print(checked.stdout, end="")
if checked.returncode == SKIPPED:
    sys.exit(SKIPPED)
subprocess.run([SIMULATE, "build", *BUILD], check=True)

# Methods that need a shared node, or slabs, say so; every other one is right on every network.
for ranks, grid, shape, networks in (("8", "2x4", SMALL, ("torus:2x2x2", "fattree:4x2:2", "dragonfly:2x2x2x1")),
                                     ("64", "8x8", MEDIUM, ("torus:4x4x4", "fattree:8x8:4", "dragonfly:4x2x4x2"))):
    for network in networks:
        results = run("--topology", network, "--ranks", ranks, "--grid", grid, "--exchange", "all", shape)
        check(names(results, True) == {"shared", "push", "device_p2p", "pairwise_in_place"}, "other methods are refused", results)
        for result in results:
            check("refused" in result or result["simulated_seconds"] >= result["bound_seconds"] > 0,
                  "faster than the network", result)

# Ranks that share hosts: windows of the node, unequal ones too, and the three ways between leaders.
for exchange in ("shared/two_level", "shared/p2p"):
    run("--topology", "torus:2x2x2", "--ranks", "32", "--ranks-per-host", "4", "--grid", "8x4", "--exchange", exchange, MEDIUM)
for between in ("alltoallv", "p2p", "put"):
    results = run("--topology", "fattree:4x2:2", "--ranks", "32", "--ranks-per-host", "4", "--grid", "4x8",
                  "--exchange", "two_level", "--options", f"inter_node={between}", MEDIUM)
    # One other host along the rows, three along the columns.
    check(results[0]["messages"] == 4, "rank 0 does not send one message to each leader", results)
# Slabs, blocks swapped in the result; chunks in flight.
run("--ranks", "4", "--exchange", "pairwise_in_place", "--options", "decomposition=slab", "16x16x16")
run("--topology", "torus:2x2x2", "--ranks", "8", "--grid", "2x4", "--exchange", "p2p",
    "--options", "producer_chunks=4,consumer_chunks=4", SMALL)

# The first start of a persistent send is wrong in this version of SimGrid, and must be seen to be.
if checked.stdout.split() == ["SimGrid", "3.32"]:
    done = subprocess.run([*RUN, "--ranks", "8", "--grid", "2x4", "--exchange", "persistent",
                           "--times", "1", SMALL], capture_output=True, text=True)
    check(done.returncode == 1 and "is wrong" in done.stderr, "a wrong result is not noticed", done.stderr)

# Placement, and the model, which says the same whether the ranks are simulated or not.
for network, grid in (("torus:4x4x4", "4x16"), ("fattree:16x4:4", "8x8"), ("dragonfly:4x1x4x4", "16x4"), ("flat", "8x8")):
    for exchange in ("alltoallv", "p2p", "pairwise"):
        for order in ([], ["--placed"]):
            job = ["--topology", network, "--ranks", "64", "--grid", grid, "--exchange", exchange, *order, "64x64x64"]
            simulated, = run(*job)
            check(0.8 < simulated["modelled_seconds"] / simulated["simulated_seconds"] < 1.2, "the model is far off", simulated)
            modelled, = run(*job, "--model")
            check(abs(modelled["modelled_seconds"] / simulated["modelled_seconds"] - 1) < 1e-9, "two models", [simulated, modelled])
# On a tree whose leaves nobody names, they are found by their distances, and placement mends what scattering broke.
tree = ["--topology", "fattree:8x4:4", "--ranks", "32", "--grid", "4x8", "64x64x64"]
in_order, scattered, mended = (run(*tree, *more)[0]["bound_seconds"] for more in
                               ([], ["--scattered"], ["--scattered", "--measured-leaves", "--placed"]))
check(mended <= in_order * 1.001 < scattered, "leaves were not found", [in_order, scattered, mended])
for words in (["--model"], ["--model", "--grid", "2x2", "--scattered"], ["--placed"]):
    done = subprocess.run([*RUN, "--ranks", "4", *words, "16x16x16"], capture_output=True, text=True)
    check(done.returncode == 1 and "--" in done.stderr, "a combination that means nothing is taken", words)
with tempfile.TemporaryDirectory() as folder:
    table, picture = pathlib.Path(folder, "table.txt"), pathlib.Path(folder, "picture.svg")
    table.write_text(f"--ranks {{2,4}} --exchange {{p2p,pairwise}} {' '.join(LIMIT)} 16x16x16  # four runs\n")
    done = subprocess.run([SIMULATE, "table", *BUILD, "--picture", picture, table], capture_output=True, text=True, check=True)
    check(len(done.stdout.splitlines()) == 6, "not two lines of heading and four of results", done.stdout)
    check(ElementTree.parse(picture).getroot().tag.endswith("svg"), "no picture", picture.read_text())

# A model of time: twice the bandwidth halves the time of large messages, and the bound is near.
slow, fast = (run("--topology", "torus:2x2x2", "--ranks", "8", "--grid", "2x4", "--bandwidth", bandwidth, "64x64x64")[0]
              for bandwidth in ("1e9", "2e9"))
check(1.8 < slow["simulated_seconds"] / fast["simulated_seconds"] < 2.1, "twice the bandwidth", [slow, fast])
check(slow["bound_seconds"] <= slow["simulated_seconds"] < 1.2 * slow["bound_seconds"], "far from the bound", slow)
