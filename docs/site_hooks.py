"""Hooks of MkDocs. The first page of the site is docs/index.md; README.md, which would be it because it lies in the
top folder, is the page README.html. Links between pages go to files, and stay right."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Gives both pages their addresses, before any page is read."""
    for source, address in (("README.md", "README.html"), ("docs/index.md", "index.html")):
        page = files.get_file_from_path(source)
        assert page is not None, source
        page.dest_uri = page.url = address
    return files
