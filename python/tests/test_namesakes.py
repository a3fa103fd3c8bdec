"""Other projects of PyPI that are imported as weft, in the folder of this package."""

import pytest
from weft._namesakes import check_namesakes


def install(site, distribution, version, file):
    """As pip leaves a distribution of one file."""
    path = site / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    metadata = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    (metadata / "METADATA").write_text(about)
    (metadata / "RECORD").write_text(f"{file},,\n{metadata.name}/METADATA,,\n")


def test_own_distributions(tmp_path):
    install(tmp_path, "weft-fft", "0.1.0", "weft/array.py")
    install(tmp_path, "weft-fft-cuda13", "0.1.0", "weft/libweft_cuda.so")
    install(tmp_path, "weft-sdk", "0.32.5", "weft_sdk/__init__.py")
    check_namesakes(tmp_path / "weft")


def test_files_of_two_projects(tmp_path):
    install(tmp_path, "weft-fft", "0.1.0", "weft/array.py")
    install(tmp_path, "weft", "0.9.118", "weft/__init__.py")
    with pytest.raises(ImportError, match=r"of weft-fft and of weft 0\.9\.118, which is another"):
        check_namesakes(tmp_path / "weft")
