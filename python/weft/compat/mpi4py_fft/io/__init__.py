"""Files of distributed arrays, with the structure that mpi4py-fft gives them."""

from .file_base import FileBase
from .generate_xdmf import generate_xdmf
from .h5py_file import HDF5File
from .nc_file import NCFile

__all__ = ["FileBase", "HDF5File", "NCFile", "generate_xdmf"]
