"""The least time of one forward from Python, compared with C's in the arguments; see run."""

import sys
import time

import numpy as np

import weft

for (shape, repeats), from_c in zip([((1,), 200), ((8, 8, 8), 50)], map(float, sys.argv[1:])):
    plan = weft.Plan(shape)
    plan.input.local[...] = 1
    pairs = {
        "NumPy arrays": (plan.input.local, plan.output.local),
        "weft.Arrays": (plan.input, plan.output),
    }
    for name, (source, target) in pairs.items():
        forward = plan.forward
        best = np.inf
        for _ in range(200):
            begin = time.perf_counter()
            for _ in range(repeats):
                forward(source, target)
            best = min(best, (time.perf_counter() - begin) / repeats)
        size = "x".join(map(str, shape))
        print(f"{size} of {name}: C {from_c:.2f} us, Python {1e6 * best:.2f} us")
