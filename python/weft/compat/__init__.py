"""Weft under the names of other packages; each module imports the package that it stands in for."""
