"""Networks for SimGrid, from one line of text each: torus:8x8x8, fattree:16x32:4, dragonfly:4x4x8x8, flat.

Every network has hosts n0, n1, ... and full-duplex links, all of the same bandwidth and latency; SimGrid routes along
dimensions on a torus, by the destination (D-mod-k) in a fat tree, and minimally on a dragonfly. Ranks of one host exchange
through its memory.
"""
import math
import random
import re

# Memory of a host, for messages between its ranks.
LOOPBACK_BANDWIDTH, LOOPBACK_LATENCY = 50e9, 200e-9  # bytes per second, seconds
LOOPBACK = f'loopback_bw="{LOOPBACK_BANDWIDTH}Bps" loopback_lat="{LOOPBACK_LATENCY}s"'


class Wrong(Exception):
    """A text that names no network."""


class Network:
    """What the text says: how many hosts, and how SimGrid's <cluster> spells it."""

    def __init__(self, text, hosts):
        """`hosts` is how many are wanted; a network of a fixed size must have them."""
        kind, _, sizes = text.partition(":")
        if kind not in KINDS:
            raise Wrong(f"topology {text}: valid are {', '.join(KINDS)}")
        self.text = text
        self.hosts, self.topology, self.parameters, self.known_as = KINDS[kind](text, sizes, hosts)
        if self.hosts < hosts:
            raise Wrong(f"topology {text}: has {self.hosts} hosts; {hosts} are needed")

    def platform(self, bandwidth, latency):
        """The platform file; bandwidth in bytes per second, latency of one link in seconds."""
        shape = f'topology="{self.topology}" topo_parameters="{self.parameters}"' if self.topology else ""
        return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="n" suffix="" radical="0-{self.hosts - 1}" speed="100Gf" bw="{bandwidth}Bps"
           lat="{latency}s" sharing_policy="SPLITDUPLEX" {LOOPBACK} {shape}/>
</platform>
"""

    def description(self, bandwidth, latency, message_cost):
        """What WEFT_NETWORK says of it; empty where Weft knows no such network."""
        costs = f" bandwidth={bandwidth} latency={latency}" + (f" message={message_cost}" if message_cost > 0 else "")
        return self.known_as and self.known_as + costs

    def host_file(self, ranks, ranks_per_host, scattered=False):
        """One line for each rank: consecutive ranks share a host. Hosts are in order or, if they are scattered, in a random
        order that is the same in each run."""
        hosts = list(range(-(-ranks // ranks_per_host)))
        if scattered:
            random.Random(1).shuffle(hosts)
        return "".join(f"n{hosts[rank // ranks_per_host]}\n" for rank in range(ranks))


def numbers(text, sizes, count=None):
    if not re.fullmatch(r"\d+(x\d+)*", sizes):
        raise Wrong(f"topology {text}: wants sizes such as 4x4x4 after the colon")
    found = [int(size) for size in sizes.split("x")]
    if min(found) < 1 or (count and len(found) != count):
        raise Wrong(f"topology {text}: wants {count or 'some'} sizes of at least 1")
    return found


def torus(text, sizes, _):
    """torus:8x8x8: a ring of hosts along each dimension, the first varying fastest."""
    lengths = numbers(text, sizes)
    known_as = text if len(lengths) <= 6 and max(lengths) <= 512 else ""
    return math.prod(lengths), "TORUS", ",".join(map(str, lengths)), known_as


def fattree(text, sizes, _):
    """fattree:16x32[:4]: 32 leaf switches with 16 hosts each, and for every 4 of these one link up, each to another switch.
    Without a number there are as many links up as hosts, which gives full bisection bandwidth."""
    down, _, tapered = sizes.partition(":")
    per_leaf, leaves = numbers(text, down, 2)
    taper = numbers(text, tapered, 1)[0] if tapered else 1
    if per_leaf % taper:
        raise Wrong(f"topology {text}: the {per_leaf} hosts of a leaf cannot be divided by {taper}")
    uppers = per_leaf // taper
    return per_leaf * leaves, "FAT_TREE", f"2;{per_leaf},{leaves};1,{uppers};1,1", text


def dragonfly(text, sizes, _):
    """dragonfly:4x4x8x8: groups, chassis in a group, routers in a chassis, hosts at a router. A link joins any two groups,
    any two routers of a chassis, and the routers of any two chassis that have the same number."""
    groups, chassis, routers, hosts = numbers(text, sizes, 4)
    if routers < 2 or groups > routers:  # SimGrid leaves a group by the router of its first chassis that is numbered so
        raise Wrong(f"topology {text}: wants at least 2 routers in a chassis, and no more groups than these")
    known_as = f"dragonfly:{groups}x{routers}x{hosts}" if chassis == 1 else ""
    return groups * chassis * routers * hosts, "DRAGONFLY", f"{groups},1;{chassis},1;{routers},1;{hosts}", known_as


def flat(text, sizes, hosts):
    """flat: a crossbar, on which only each host's own link limits."""
    if sizes:
        raise Wrong(f"topology {text}: flat has no sizes")
    return hosts, "", "", f"crossbar:{hosts}"


KINDS = {"torus": torus, "fattree": fattree, "dragonfly": dragonfly, "flat": flat}
