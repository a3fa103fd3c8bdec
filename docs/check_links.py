"""Checks the links of a built site, and of the repository's Markdown: each file that is linked to exists, and so does each
anchor in a page; no page fetches anything from another site. MkDocs checks the links between its own pages; this one also
follows those in HTML that Doxygen and FORD have made, and in Markdown that is no page. Nothing is fetched.
Arguments: the root of the sources, the folder of the site."""

import html.parser
import pathlib
import re
import sys
import urllib.parse
from functools import cache

FETCHES = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}


class Page(html.parser.HTMLParser):
    """What a page links to, what it fetches, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if (address := given.get(FETCHES.get(tag, ""))) and given.get("rel") != "canonical":
            self.fetched.append(address)


@cache
def page_at(path: pathlib.Path) -> Page:
    return Page(path.read_text(encoding="utf-8", errors="replace"))


@cache
def anchors_of_markdown(path: pathlib.Path) -> set[str]:
    """The anchors of headings, as forges and MkDocs make them."""
    text = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [
        re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings
    ]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def fault(link: str, page: pathlib.Path) -> str | None:
    """Why a link leads nowhere; None where it does not, or leads to another site."""
    address = urllib.parse.urlsplit(link)
    if address.scheme or address.netloc:
        return None
    target = (page.parent / urllib.parse.unquote(address.path)).resolve() if address.path else page
    if not target.exists():
        return "no such file"
    if target.is_dir() and page.suffix == ".html":
        target /= "index.html"
    anchor = urllib.parse.unquote(address.fragment)
    if not anchor or anchor.startswith(("__", ":~:")):
        return None
    if target.suffix == ".html" and not page_at(target).anchors & {anchor, address.fragment}:
        return "no such anchor"
    if target.suffix == ".md" and anchor not in anchors_of_markdown(target):
        return "no such anchor"
    return None


def check_site(site: pathlib.Path) -> list[str]:
    wrong = []
    for path in sorted(site.rglob("*.html")):
        page, name = page_at(path), path.relative_to(site)
        if path.name != "404.html":  # which has addresses of a server
            wrong += [f"{name}: {link}: {why}" for link in page.links if (why := fault(link, path))]
            wrong += [
                f"{name}: fetches {link}: {why}"
                for link in page.fetched
                if (why := fault(link, path))
            ]
        abroad = [link for link in page.fetched if urllib.parse.urlsplit(link).netloc]
        wrong += [f"{name}: fetches {link} from another site" for link in abroad]
    return wrong


def check_markdown(root: pathlib.Path) -> list[str]:
    folders = [
        path
        for path in root.iterdir()
        if path.is_dir() and not path.name.startswith((".", "build"))
    ]
    pages = [*root.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]
    wrong = [] if pages else [f"{root}: there is no Markdown"]
    for page in sorted(pages):
        text = re.sub(
            r"^( *)```.*?^\1```",
            "",
            page.read_text(encoding="utf-8"),
            flags=re.MULTILINE | re.DOTALL,
        )
        links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
        wrong += [
            f"{page.relative_to(root)}: {link}: {why}"
            for link in links
            if (why := fault(link, page))
        ]
    return wrong


def main() -> None:
    root, site = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    wrong = check_site(site) + check_markdown(root)
    pages = len(list(site.rglob("*.html")))
    print("\n".join(wrong) or f"{pages} pages and the Markdown: all links lead somewhere")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
