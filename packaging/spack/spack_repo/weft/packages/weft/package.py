import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *

here = os.path.dirname(os.path.abspath(__file__))
checkout = os.environ.get("WEFT_SOURCE", os.path.abspath(os.path.join(here, *[os.pardir] * 6)))


class Weft(CMakePackage):
    """Distributed FFTs on MPI for C++, C and Fortran, and a drop-in for FFTW-MPI."""

    git = "file://" + checkout

    license("Apache-2.0")

    version("main", branch="main")

    variant("fftw_mpi", default=True, description="Build the drop-in for FFTW-MPI")
    variant("fortran", default=True, description="Build module weft")
    variant("mkl", default=False, description="Build the engine that loads Intel MKL at run time")
    variant("shared", default=True, description="Build libweft as a shared library")
    variant("tools", default=True, description="Build the weft command")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")

    depends_on("cmake@3.22:", type="build")
    depends_on("mpi@3:")
    depends_on("fmt")
    depends_on("highway")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json", type="build")
    depends_on("cli11", type="build", when="+tools")
    depends_on("mkl", when="+mkl")
    # Opened at run time, for calls that Weft cannot serve. A dependency of type link puts its
    # folder into the library's RPATH, where dlopen() searches.
    depends_on("fftw@3: +mpi precision=float,double", type=("link", "run"), when="+fftw_mpi")

    depends_on("googletest", type="test")
    depends_on("python", type="test")
    depends_on("py-numpy", type="test")

    conflicts("%gcc@:11", msg="Weft is written in C++20")
    conflicts("%clang@:13", msg="Weft is written in C++20")

    sanity_check_is_file = [os.path.join("include", "weft", "weft.hpp")]

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEFT_BUILD_FFTW3_MPI", "fftw_mpi"),
            self.define_from_variant("WEFT_BUILD_FORTRAN", "fortran"),
            self.define_from_variant("WEFT_BUILD_TOOLS", "tools"),
            self.define("WEFT_BUILD_TESTS", self.run_tests),
            self.define("WEFT_WITH_MKL", "ON" if self.spec.satisfies("+mkl") else "OFF"),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]

    def test_command(self):
        """transform a grid with the weft command"""
        if self.spec.satisfies("~tools"):
            raise SkipTest("the weft command is not installed")
        weft = which(self.prefix.bin.weft, required=True)
        weft("bench", "32x32x32", "--kind", "r2c")
