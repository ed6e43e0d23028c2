"""Documents as a web page: the same blocks in one file, with no script and no external resources."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from croupier.printed.output import document as blocks
from croupier.printed.output.document import Block, DataTable, Document, Identity, Pays

STYLE = """
:root { color-scheme: light dark; --ink: #17191c; --quiet: #5b605c; --accent: #1f4d35; --line: #c9c6bb; --band: #f4f2ea; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece9df; --quiet: #a9aea9; --accent: #8fc4a5; --line: #43483f; --band: #20241f; --paper: #151714; }
  svg { background: #fff; border-radius: 4px; padding: 4px; } svg.felt, .ranked svg { background: none; padding: 0; }
}
body { font: 16px/1.5 'Source Sans Pro', system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1, h2 { color: var(--accent); line-height: 1.2; } h1 { margin-bottom: 0; } .subtitle, .cite, .note, figcaption { color: var(--quiet); }
.cite, .note, figcaption, footer { font-size: .82em; font-weight: 400; } .cite { margin-left: .5em; }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; } th { color: var(--accent); border-bottom: 2px solid var(--accent); }
tr:nth-child(even) td { background: var(--band); } .right { text-align: right; white-space: nowrap; } .quiet { color: var(--quiet); font-size: .85em; }
tr.total td { font-weight: 600; border-top: 1px solid var(--accent); }
.pays { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0 2rem; } .pays td:last-child { text-align: right; font-weight: 600; }
.sign td { font-size: 28pt; } .ranked { display: grid; grid-template-columns: auto 1fr auto; gap: .5rem 1rem; align-items: center; } .ranked svg { height: 3.2rem; width: auto; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; max-height: 34rem; } .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
.notice { border-left: 4px solid #a4620a; background: var(--band); padding: .5rem 1rem; } footer { border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
"""  # noqa: E501


def page(document: Document) -> str:
    """The document as one HTML file."""
    body = "\n".join(_block(block, document) for block in document.blocks)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(document.title)}</title><style>{STYLE}</style></head>\n"
        f'<body><main class="{document.kind}"><h1>{escape(document.title)}</h1>'
        f'<p class="subtitle">{escape(document.subtitle)}</p>\n'
        f"{body}\n</main>{_foot(document.identity)}</body></html>\n"
    )


def _foot(who: Identity) -> str:
    dated = f" · dated {who.dated}" if who.dated else ""
    warned = f" · filed with warnings: {who.notices}" if who.notices else ""
    words = f"{who.facility} · {who.game} · {who.edition}{dated}{warned}"
    return f"<footer>{escape(words)}<br>submission {who.hash[:12]} · SHA-256 {who.hash}</footer>"


def _block(block: Block, document: Document) -> str:  # noqa: PLR0911  (a case for each kind)
    match block:
        case blocks.Heading(text, level, cite):
            anchor = f' id="{_slug(text)}"' if level == 1 else ""
            return f"<h{level}{anchor}>{escape(text)}{_cite(cite)}</h{level}>"
        case blocks.Paragraph():
            return f"<p{' class=quiet' if block.quiet else ''}>{escape(block.text)}{_cite(block.cite)}</p>"
        case blocks.Items(items, numbered):
            kind = "ol" if numbered else "ul"
            return f"<{kind}>" + "".join(f"<li>{escape(text)}{_cite(cite)}</li>" for text, cite in items) + f"</{kind}>"
        case DataTable():
            return _table(block)
        case blocks.Figure():
            return f"<figure>{block.svg}</figure>"
        case blocks.FigureRow():
            return '<div class="figures">' + "".join(_block(each, document) for each in block.figures) + "</div>"
        case blocks.Ranked():
            cells = (f"{svg or '<span></span>'}<strong>{escape(name)}</strong>{_cite(cite)}" for svg, name, cite in block.rows)
            return '<div class="ranked">' + "".join(cells) + "</div>"
        case Pays():
            return _pays(block)
        case blocks.Paytables():
            return '<div class="pays">' + "".join(_pays(each) for column in block.columns for each in column) + "</div>"
        case blocks.Notice():
            lines = "<br>".join(map(escape, block.lines))
            return f'<div class="notice" role="note"><strong>{escape(block.title)}</strong><br>{lines}</div>'
        case blocks.Section():
            return f"<hr>{_foot(block.identity)}"
        case _:  # the contents
            titles = [each.text for each in document.blocks if isinstance(each, blocks.Heading) and each.level == 1]
            return "<ol>" + "".join(f'<li><a href="#{_slug(title)}">{escape(title)}</a></li>' for title in titles) + "</ol>"


def _pays(block: Pays) -> str:
    rows = "".join(f"<tr><td>{escape(hand)}</td><td>{escape(odds)}</td></tr>" for hand, odds in block.rows)
    title = f"{escape(block.title)} <span class=quiet>{escape(block.condition)}</span>"
    return f"<section><h3>{title}{_cite(block.cite)}</h3><table>{rows}</table>{_note(block.note)}</section>"


def _table(block: DataTable) -> str:
    title = f"<h3>{escape(block.title)}</h3>" if block.title else ""
    head = "".join(f"<th{_class(block, n)}>{escape(each)}</th>" for n, each in enumerate(block.head))
    rows = "".join(_row(block, n, row) for n, row in enumerate(block.rows))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'{title}<div class="scroll">{table}</div>{_note(block.note)}'


def _row(block: DataTable, at: int, row: Iterable[str]) -> str:
    total = ' class="total"' if block.total and at == len(block.rows) - 1 else ""
    return f"<tr{total}>" + "".join(f"<td{_class(block, n)}>{escape(each)}</td>" for n, each in enumerate(row)) + "</tr>"


def _class(block: DataTable, n: int) -> str:
    names = [name for name, columns in (("right", block.right), ("quiet", block.quiet)) if n in columns]
    return f' class="{" ".join(names)}"' if names else ""


def _note(words: str) -> str:
    return f'<p class="note">{escape(words)}</p>' if words else ""


def _cite(cite: str) -> str:
    return f'<span class="cite">{escape(cite)}</span>' if cite else ""


def _slug(title: str) -> str:
    return "-".join(title.lower().replace("'", "").split())
