"""Saves figures of the other examples, where matplotlib is installed; to be called on one rank."""


def save(path, size, fill):
    """Saves what fill(figure) draws. size: width and height in inches."""
    try:
        import matplotlib
    except ImportError:
        print("no figure, for matplotlib is not installed")
        return
    matplotlib.use("svg" if path.endswith(".svg") else "agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.fonttype"] = "none"  # text, not the outlines of its letters
    figure = pyplot.figure(figsize=size, layout="constrained")
    fill(figure)
    figure.savefig(path, dpi=66)
    print(f"drawn: {path}")
