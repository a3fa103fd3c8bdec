"""Gauges of the speed of GPU kernels that need no GPU, from the output of compilers.

gauges.py registers LOG...                what ptxas says: numbers that do not fit the registers go through memory
gauges.py instructions CUOBJDUMP PLUGIN LIST   whether all kernels of common lengths are there and wait for those before them,
                                  and how many instructions a thread has for each number of lines that lie across or along

A multiprocessor of an H200 that moves 4.3 TB/s together with its peers has time for 224 instructions for each number of
double precision (132 of them, 1.98 GHz, 4 instructions of 32 threads a cycle, 32 bytes a number). 160 leave it room for what is
not issued every cycle. Real lines have more code: two ways for reals that may be unaligned, of which a thread takes one."""
import collections
import os
import re
import subprocess
import sys

MOST_SPILLED_BYTES = 64
MOST_INSTRUCTIONS = {"c2c": 160, "r2c": 220, "c2r": 220}
KINDS = ("c2c", "r2c", "c2r", "copy", "copy_real")
ACCESSES = ("any", "across", "along")
KERNEL = re.compile(r"run_tilesI([df])LNS_8TileKindE(\d)ELi(\d+)ELNS_10TileAccessE(\d)ELS\w*_(\d)EE")
OPERATORS = re.compile(r"run_modesI([df])E")
PRECISIONS = {"d": "double", "f": "single"}
ANY = "any-any"


def name_of(mangled):
    if match := OPERATORS.search(mangled):
        return PRECISIONS[match[1]], "operators", 0, ANY
    match = KERNEL.search(mangled)
    if not match:
        return None
    variant = ACCESSES[int(match[4])] + "-" + ACCESSES[int(match[5])]
    return PRECISIONS[match[1]], KINDS[int(match[2])], int(match[3]), variant


def text_of(name):
    return " ".join(map(str, name))


def spills(logs):
    """{(architecture, kernel): (registers, spilled bytes)}, from what ptxas -v wrote."""
    found, key, spilled = {}, None, 0
    for log in logs:
        for line in open(log):
            if match := re.search(r"Compiling entry function '(\S+)' for 'sm_(\d+)'", line):
                key = (int(match[2]), name_of(match[1]))
            elif match := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
                spilled = max(int(match[1]), int(match[2]))
            elif match := re.search(r"Used (\d+) registers", line):
                found[key] = (int(match[1]), spilled)
    return found


def count_instructions(cuobjdump, plugin):
    """{(architecture, kernel): the instructions of its code}, and those that wait for earlier launches."""
    environment = {**os.environ, "PATH": os.path.dirname(cuobjdump) + ":" + os.environ["PATH"]}  # of nvdisasm
    lines = subprocess.run([cuobjdump, "--dump-sass", plugin], check=True, capture_output=True, text=True,
                           env=environment).stdout.splitlines()
    counts, waiting, architecture, kernel = collections.Counter(), set(), None, None
    for line in lines:
        if match := re.search(r"arch = sm_(\d+)", line):
            architecture = int(match[1])
        elif match := re.search(r"Function : (\S+)", line):
            kernel = name_of(match[1])
        elif match := re.match(r"\s+/\*[0-9a-f]{4,5}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)", line):
            counts[architecture, kernel] += match[1] != "NOP"
            if match[1] == "ACQBULK":
                waiting.add((architecture, kernel))
    return counts, waiting


def numbers_of_a_thread(plans):
    """{kernel: numbers of a line divided by the threads that transform it}, as list_kernels.cpp prints them."""
    found = {}
    for line in subprocess.run([plans], check=True, capture_output=True, text=True).stdout.splitlines():
        precision, kind, length, variant, numbers = line.split()
        found[precision, kind, int(length), variant] = float(numbers)
    return found


def check_registers(logs):
    found = spills(logs)
    if not found:
        return ["no kernels in " + " ".join(logs)]
    for (architecture, name), (registers, spilled) in sorted(found.items()):
        print(f"sm_{architecture} {text_of(name)}: {registers} registers, {spilled} bytes spilled")
    return [f"sm_{architecture} {text_of(name)}: {spilled} bytes spilled, and {MOST_SPILLED_BYTES} are the most"
            for (architecture, name), (_, spilled) in sorted(found.items()) if spilled > MOST_SPILLED_BYTES]


def check_instructions(cuobjdump, plugin, plans):
    (counts, waiting), numbers = count_instructions(cuobjdump, plugin), numbers_of_a_thread(plans)
    architectures = {architecture for architecture, _ in counts}
    missing = [f"sm_{architecture} {text_of(name)}: is not in {plugin}"
               for architecture in sorted(architectures) for name in numbers if (architecture, name) not in counts]
    hasty = [f"sm_{architecture} {text_of(name)}: does not wait for the launches before it"
             for architecture, name in counts if architecture >= 90 and name in numbers
             if (architecture, name) not in waiting]
    known = {key: count / numbers[key[1]] for key, count in counts.items()
             if key[1] in numbers and key[1][3] != ANY}
    if not known:
        return ["no kernels of lines that lie across or along in " + plugin]
    for (architecture, name), per_number in sorted(known.items()):
        print(f"sm_{architecture} {text_of(name)}: {per_number:.0f} instructions for each number")
    slow = [f"sm_{architecture} {text_of(name)}: {per_number:.0f} instructions, and {MOST_INSTRUCTIONS[name[1]]} are the most"
            for (architecture, name), per_number in sorted(known.items()) if per_number > MOST_INSTRUCTIONS[name[1]]]
    return missing + hasty + slow


def main(what, *arguments):
    if what == "instructions" and not os.access(arguments[0], os.X_OK):
        print("skipped: there is no cuobjdump here (PyPI: nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm)")
        return 77
    wrong = check_registers(arguments) if what == "registers" else check_instructions(*arguments)
    print("\n".join(wrong) or "all within bounds")
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
