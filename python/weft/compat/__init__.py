"""Weft under the names of other packages, one module for each."""
