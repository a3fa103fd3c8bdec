"""The attacks of tests/torture/run: each gets a turn, and returns its outcome in a few words. The first sentence of each
says what is done, and what is promised."""

import contextlib
import itertools
import os
import re
import signal
import subprocess
import time

from torture_job import LIMIT, Broken
from torture_turn import OLD_OUTPUT, OVER_WITHIN, ROOT, Skipped, require_mounts


def kill_in_bench(turn):
    """SIGKILL of a rank while transforms run: the job ends soon, with an error."""
    length = turn.choose.choice([16, 48, 96])
    job = turn.start(["bench", f"{length}x{length}x{length}", "--repeats", 1000000, *turn.plan_options()])
    return kill(turn, job, seconds=4)


def kill_in_transform(turn):
    """SIGKILL of a rank between two files: the output is as it was, or whole."""
    turn.make_files()
    job = turn.transform(*turn.choose.choice([[], ["--piece-bytes", "4096"]]))
    return kill(turn, job, seconds=turn.build.typical)


def kill(turn, job, seconds):
    job.wait_for_ranks()
    time.sleep(turn.choose.uniform(0, seconds))
    killed = job.send(turn.choose.randrange(job.size), signal.SIGKILL)
    status = job.wait(OVER_WITHIN)
    if not killed and (status != 0 or not turn.input.exists()):
        raise Broken(f"over before a rank was killed, with exit status {status}")
    if not turn.input.exists():
        if status == 0:
            raise Broken("exit status 0 though a rank was killed")
        return "the job ends"
    outcome = turn.judge_output(status)
    return outcome if killed else "over before: " + outcome


def kill_launcher(turn):
    """SIGKILL, SIGTERM, SIGINT or SIGHUP of mpiexec: no rank lives on, the output is as it was or whole, and the next
    run removes what is left."""
    turn.make_files()
    job = turn.transform(*turn.choose.choice([[], ["--piece-bytes", "64"]]))
    time.sleep(turn.choose.uniform(0, 1.5 * turn.build.typical))
    number = turn.choose.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    job.process.send_signal(number)
    status = job.wait(OVER_WITHIN)
    whole = turn.is_whole()
    if status == 0 and not whole and turn.build.name != "mpich":  # whose mpiexec exits with 0 while it starts the ranks
        raise Broken("exit status 0, and no result")
    outcome = "the result is there" if whole else "the output is as it was"
    left = turn.left()
    if turn.transform().wait() != 0 or not turn.is_right():
        raise Broken("the next run fails: " + turn.job.said()[-1000:])
    if turn.left():
        raise Broken(f"the next run leaves {turn.left()} of {left}")
    return outcome + (", and a temporary file until the next run" if left else "")


def pause(turn):
    """SIGSTOP of a rank, and SIGCONT after a while: the result is right."""
    turn.make_files()
    job = turn.transform()
    job.wait_for_ranks()
    turn.moment()
    rank = turn.choose.randrange(job.size)
    stopped = job.send(rank, signal.SIGSTOP)
    time.sleep(turn.choose.uniform(0.5, 3))
    job.send(rank, signal.SIGCONT)
    if job.wait() != 0:
        raise Broken("a rank that was stopped for a while ends the job")
    return ("" if stopped else "over before: ") + turn.judge_output(0)


STALL = re.compile(r"weft: after [\d.]+ s rank (\d+) \(host [^)]*\) still waits in .*?, with ranks ([\d, ]+)(.*)")


def stalls(job):
    """Who has said so: rank, whom it waits for, and the rest of its message."""
    return [(int(by), set(map(int, re.findall(r"\d+", peers))), rest) for by, peers, rest in STALL.findall(job.said())]


def start_endless_bench(turn, option, **more):
    """A bench whose ranks are mostly within a transform, once it measures."""
    job = turn.start(["bench", "128x128x128", "--repeats", 1000000, "--engine-effort", "estimate",
                      *turn.plan_options(", " + option)], **more)
    job.wait_for_ranks()
    time.sleep(2)
    return job


def stops(turn, job, seconds):
    """Stops the same rank again and again, since it may stop where no other rank needs it: between two measurements, or
    before the first. Yields how often, and the rank, when each stop is over for all but it."""
    rank = turn.choose.randrange(job.size)
    until = time.monotonic() + LIMIT
    for count in itertools.count(1):
        if time.monotonic() > until:
            raise Broken(f"nobody misses rank {rank}; said is {job.said()[-1000:]}")
        if not job.send(rank, signal.SIGSTOP):
            raise Broken("the job is over: " + job.said()[-1000:])
        time.sleep(seconds)
        yield count, rank
        job.send(rank, signal.SIGCONT)
        time.sleep(turn.choose.uniform(0.1, 0.5))


def stall(turn):
    """SIGSTOP of a rank for longer than stall_seconds: those that wait for it name it."""
    job = start_endless_bench(turn, "stall_seconds=1")
    for count, rank in stops(turn, job, 2):
        if any(rank in peers for by, peers, _ in stalls(job) if by != rank):
            return "message names the rank" + ("" if count == 1 else ", after some stops")


def stall_limit(turn):
    """SIGSTOP of a rank for ever, with stall_limit: the job ends with the message."""
    job = start_endless_bench(turn, "stall_seconds=1, stall_limit=2")
    for _ in stops(turn, job, 3):
        if any("the job is ended" in rest for _, _, rest in stalls(job)):
            break
    if job.wait(OVER_WITHIN) == 0:
        raise Broken("exit status 0 though the limit is over")
    return "the job ends with the message"


def suspend(turn):
    """SIGSTOP of all ranks for longer than stall_limit, as batch systems suspend a job: it goes on afterwards."""
    job = start_endless_bench(turn, "stall_seconds=2, stall_limit=3")
    for _ in range(2):
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for rank in range(job.size):
                job.send(rank, number)
            time.sleep(3.5 if number == signal.SIGSTOP else turn.choose.uniform(0.1, 0.5))
    if job.process.poll() is not None or "still waits" in job.said():
        raise Broken("a job that was suspended thinks that it stalls")
    return "goes on"


def full_disk(turn):
    """The disk is too small for the output, or just large enough: the output is as it was, or whole."""
    disk = turn.folder / "disk"
    turn.make_files()
    turn.tmpfs(disk, f"{turn.choose.randint(4, int(1.5 * turn.truths[0].nbytes) // 1024 + 8)}k")
    turn.output = disk / "out.npy"
    turn.output.write_bytes(OLD_OUTPUT)
    job = turn.transform()
    return judge_error(turn, job.wait())


def judge_error(turn, status):
    """One error of Weft's and nothing left, or the right result."""
    outcome = turn.judge_output(status)
    if "left" in outcome or outcome.startswith("ended"):
        raise Broken(outcome + f"; the folder holds {os.listdir(turn.output.parent)}")
    return outcome


def shorten(turn):
    os.truncate(turn.input, turn.choose.randrange(turn.input.stat().st_size))


def grow(turn):
    with open(turn.input, "ab") as file:
        file.write(bytes(turn.choose.randint(1, 10000)))


def rewrite(turn):
    turn.save(turn.array * 2)


def replace(turn):
    os.rename(turn.input, turn.folder / "old.npy")
    turn.save(turn.array * 2)
    os.remove(turn.folder / "old.npy")


def changed_input(turn):
    """The input is shortened, lengthened, written again, removed or replaced while it is read: one error, or the result
    of one of the two inputs."""
    turn.make_files()
    change = turn.choose.choice([shorten, grow, rewrite, replace, lambda turn: turn.input.unlink()])
    job = turn.transform("--piece-bytes", turn.choose.choice([64, 512, 4096]))  # so that it reads for a while
    job.wait_for_ranks()
    turn.moment()
    change(turn)
    status = job.wait()
    turn.judge_signals()
    return judge_error(turn, status)


def little_memory(turn):
    """A limit on the address space of every rank: enough for all, or for nothing."""
    turn.make_files()
    kilobytes = int(2 ** turn.choose.uniform(16, 19))
    through = ["sh", "-c", f'ulimit -v {kilobytes}; exec "$0" "$@"']
    if not turn.mpi_works(through=through):
        return "too little for the MPI itself"
    return turn.judge_output(turn.transform(through=through).wait())


def small_shared_memory(turn):
    """A /dev/shm of some size: it suffices, or an error says so."""
    require_mounts()
    turn.make_files()
    outer = [str(ROOT / "tests/job/with_shared_memory"), f"{int(2 ** turn.choose.uniform(10, 15))}k"]
    if not turn.mpi_works(outer=outer):
        return "too little for the MPI itself"
    status = turn.transform(outer=outer).wait()
    turn.judge_signals()
    return turn.judge_output(status)


# --- Between two hosts, which bench/cluster emulates ----------------------------------------------------------------

BED = str(ROOT / "bench/cluster")


@contextlib.contextmanager
def two_hosts(turn, rate):
    """The launcher of a job on two hosts, each behind a link of that rate."""
    made = subprocess.run([BED, "up", "2", "--rate", rate], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Skipped("no emulated hosts: " + made.stderr.strip())
    turn.ranks, turn.exchange = 2, turn.choose.choice(["auto", "alltoallv", "p2p", "pairwise", "two_level"])
    try:
        yield [BED, "run", "--"]
    finally:
        if turn.job:
            turn.job.end()
        subprocess.run([BED, "down"], check=True)


def cut(turn, seconds):
    subprocess.run([BED, "cut", str(turn.choose.randrange(2)), str(seconds)], check=True)


def wait_for_traffic():
    """Until transforms have moved some data: a cut before that hits the start of the MPI."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        said = subprocess.run([BED, "status"], capture_output=True, text=True, check=True).stdout
        if float(re.search(r"host0 .*?sent ([\d.]+) MB", said)[1]) > 50:
            return
        time.sleep(0.5)
    raise Broken("nothing goes through the links")


def cut_link(turn):
    """A link between two hosts loses everything for a while: the result is right."""
    with two_hosts(turn, "50mbit") as launcher:
        turn.make_files()
        job = turn.transform(launcher=launcher)
        job.wait_for_ranks()
        turn.moment()
        cut(turn, turn.choose.uniform(1, 3))
        if job.wait() != 0:
            raise Broken("a link that was cut for a while ends the job")
        return turn.judge_output(0)


def cut_link_for_long(turn):
    """A link loses everything for longer than stall_seconds: ranks name those behind it, and with stall_limit the job
    ends."""
    limit = turn.choose.choice([0, 3])
    with two_hosts(turn, "1gbit") as launcher:
        job = start_endless_bench(turn, f"stall_seconds=1, stall_limit={limit}", launcher=launcher)
        wait_for_traffic()
        for _ in range(4):
            cut(turn, 6)
            said = [rest for by, peers, rest in stalls(job) if {by} | peers == {0, 1}]
            if any("the job is ended" in rest for rest in said) or (said and limit == 0):
                break
            time.sleep(8)  # between two measurements, or while planning: TCP waits as long again
        else:
            raise Broken("nobody misses the other host for long enough")
        if limit == 0:
            if job.process.poll() is not None:
                raise Broken("the job is over, without a limit")
            return "message names the rank, and the job goes on"
        if job.wait(OVER_WITHIN) == 0:
            raise Broken("exit status 0 though the limit is over")
        return "the job ends with the message"


ATTACKS = [kill_in_bench, kill_in_transform, kill_launcher, pause, stall, stall_limit, suspend, full_disk, changed_input,
           little_memory, small_shared_memory, cut_link, cut_link_for_long]
