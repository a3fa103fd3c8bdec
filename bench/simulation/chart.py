"""Draws times against numbers of ranks as SVG, both axes logarithmic: a line for each series, dotted for what only the model
says, and a thin line for the bound of each."""
import html
import math

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 860, 460, 70, 20, 330, 50
COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#2a9d8f", "#6c757d", "#d1495b"]


class Axis:
    """From values to positions, with ticks at powers of `base`."""

    def __init__(self, values, begin, end, base):
        self.base = base
        low, high = (math.log(value, base) for value in (min(values), max(values)))
        self.low, self.high = math.floor(low + 1e-9), max(math.ceil(high - 1e-9), math.floor(low + 1e-9) + 1)
        self.begin, self.end = begin, end

    def at(self, value):
        return self.begin + (math.log(value, self.base) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        return [self.base**power for power in range(self.low, self.high + 1)]


def time_text(seconds):
    unit, scale = next(((unit, scale) for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)) if seconds * scale >= 0.999),
                       ("us", 1e6))
    return f"{seconds * scale:.4g} {unit}"


def path(points, style):
    steps = " ".join(f"{'ML'[number > 0]}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(points))
    return f'<path d="{steps}" fill="none" {style}/>' if len(points) > 1 else ""


def line_chart(series):
    """`series`: by name, a list of (ranks, seconds, bound in seconds or None, whether simulated), by ranks."""
    series = {name: [point for point in points if point[1] > 0] for name, points in series.items()}
    everything = [point for points in series.values() for point in points]
    if not everything:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"/>\n'
    across = Axis([point[0] for point in everything], LEFT, WIDTH - RIGHT, 2)
    up = Axis([time for point in everything for time in point[1:3] if time], HEIGHT - BOTTOM, TOP, 10)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for ranks in across.ticks():
        x = across.at(ranks)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e5e5e5"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{ranks}</text>')
    for seconds in up.ticks():
        y = up.at(seconds)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#e5e5e5"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{time_text(seconds)}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">ranks</text>')
    for number, (name, points) in enumerate(series.items()):
        parts += series_parts(number, name, points, across, up)
    y = TOP + 20 * len(series) + 20
    parts.append(f'<text x="{WIDTH - RIGHT + 20}" y="{y}" fill="#555">filled: simulated; hollow: the model only;</text>'
                 f'<text x="{WIDTH - RIGHT + 20}" y="{y + 16}" fill="#555">thin: the busiest links of the same colour</text>')
    return "\n".join([*filter(None, parts), "</svg>"]) + "\n"


def series_parts(number, name, points, across, up):
    colour, y = COLOURS[number % len(COLOURS)], TOP + 20 * number + 12
    at = [(across.at(ranks), up.at(seconds)) for ranks, seconds, _, _ in points]
    dots = [f'<circle cx="{x:.1f}" cy="{height:.1f}" r="4" stroke="{colour}" fill="{colour if simulated else "white"}"/>'
            for (x, height), (_, _, _, simulated) in zip(at, points)]
    bounds = [(across.at(ranks), up.at(bound)) for ranks, _, bound, _ in points if bound]
    return [path(bounds, f'stroke="{colour}" stroke-width="0.8" stroke-dasharray="3 3"'),
            path(at, f'stroke="{colour}" stroke-width="2"'), *dots,
            f'<path d="M{WIDTH - RIGHT + 20} {y - 4}h22" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{WIDTH - RIGHT + 50}" y="{y}">{html.escape(name)}</text>']
