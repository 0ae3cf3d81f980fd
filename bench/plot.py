"""Plots a table, with a bar for each library on a logarithmic scale."""

from __future__ import annotations

import html
import math
import statistics

WIDTH, ROW = 720, 26


def bars(title: str, rows: dict[str, dict[str, list[float]]]) -> str:
    """Return an SVG. A bar extends from the smallest to the largest ratio of a file, and a line
    marks the mean.
    """
    stats = []
    for peer, files in rows.items():
        medians = [statistics.median(values) for values in files.values()]
        stats.append((peer, min(medians), math.exp(statistics.fmean(map(math.log, medians))), max(medians)))
    low = min(0.5, *(least for _, least, _, _ in stats)) / 1.2
    high = max(2.0, *(most for *_, most in stats)) * 1.2

    left = max(210, 20 + 7 * max(len(peer) for peer, *_ in stats))
    width = WIDTH + left - 210

    def x(value: float) -> float:
        return left + (width - left - 70) * math.log(value / low) / math.log(high / low)

    height = 60 + ROW * len(stats)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="20" font-weight="bold">{html.escape(title)}: time of the other / time of ketch</text>',
        f'<line x1="{x(1):.1f}" y1="32" x2="{x(1):.1f}" y2="{height - 20}" stroke="black"/>',
        f'<text x="{x(1):.1f}" y="{height - 6}" text-anchor="middle">1</text>',
    ]
    for number, (peer, least, mean, most) in enumerate(stats):
        y = 38 + ROW * number
        color = "#3b7dd8" if mean >= 1 else "#c8553d"
        parts += [
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{html.escape(peer)}</text>',
            f'<rect x="{x(least):.1f}" y="{y + 3}" width="{max(2, x(most) - x(least)):.1f}" height="14" fill="{color}" opacity="0.45"/>',
            f'<line x1="{x(mean):.1f}" y1="{y}" x2="{x(mean):.1f}" y2="{y + 20}" stroke="{color}" stroke-width="3"/>',
            f'<text x="{x(most) + 6:.1f}" y="{y + 14}">{mean:.3g}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])
