"""A line chart with error bars as SVG, with Python's standard library alone."""
import math
from xml.sax.saxutils import escape

COLOURS = ["#1b6ca8", "#c0392b", "#2e7d32", "#7b4fa3"]
DASHES = ["7 4", "2 3"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 20, 40, 60


def ticks(low, high, wanted=6):
    """Round numbers between two others."""
    step = 10 ** math.floor(math.log10((high - low) / wanted))
    step = next(step * m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= wanted)
    first = math.ceil(low / step - 1e-9)
    return [round(step * i, 10) for i in range(first, int(math.floor(high / step + 1e-9)) + 1)]


class Frame:
    """Where a value lies; x may be logarithmic."""

    def __init__(self, xs, ys, log_x):
        self.log_x = log_x
        self.x0, self.x1 = (math.log10(v) if log_x else v for v in (min(xs), max(xs)))
        margin = 0.08 * (max(ys) - min(ys) or 1)
        self.y0, self.y1 = min(ys) - margin, max(ys) + margin

    def x(self, value):
        value = math.log10(value) if self.log_x else value
        return LEFT + (value - self.x0) / ((self.x1 - self.x0) or 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - (value - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(words)}</text>'


def line(x0, y0, x1, y1, colour, extra=""):
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" {extra}/>'


def axes(frame, xs, title, x_label, y_label):
    parts = [text(WIDTH / 2, 22, title, extra='font-size="15"'),
             text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, x_label),
             text(18, HEIGHT / 2, y_label, extra=f'transform="rotate(-90 18 {HEIGHT / 2})"')]
    for value in xs:
        parts += [line(frame.x(value), HEIGHT - BOTTOM, frame.x(value), HEIGHT - BOTTOM + 5, "#444"),
                  text(frame.x(value), HEIGHT - BOTTOM + 20, f"{value:g}")]
    for value in ticks(frame.y0, frame.y1):
        parts += [line(LEFT, frame.y(value), WIDTH - RIGHT, frame.y(value), "#ddd"),
                  text(LEFT - 8, frame.y(value) + 4, f"{value:g}", "end")]
    return parts


def draw_series(frame, points, colour):
    """`points` are (x, mean, standard error)."""
    path = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y, _ in points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for x, y, error in points:
        parts += [line(frame.x(x), frame.y(y - error), frame.x(x), frame.y(y + error), colour),
                  f'<circle cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="3" fill="{colour}"/>']
    return parts


def line_chart(path, title, x_label, y_label, series, levels=(), log_x=True):
    """Writes a chart of `series`, name -> [(x, mean, standard error)], and of horizontal `levels`, name -> y."""
    series, levels = dict(series), dict(levels)
    xs = sorted({p[0] for points in series.values() for p in points})
    ys = [y + s * e for points in series.values() for _, y, e in points for s in (-1, 1)]
    frame = Frame(xs, ys + list(levels.values()), log_x)
    parts = axes(frame, xs, title, x_label, y_label)
    names = []
    for (name, points), colour in zip(series.items(), COLOURS):
        parts += draw_series(frame, points, colour)
        names.append((name, colour, ""))
    for (name, y), dash in zip(levels.items(), DASHES):
        dashes = f'stroke-dasharray="{dash}"'
        parts.append(line(LEFT, frame.y(y), WIDTH - RIGHT, frame.y(y), "#333", dashes))
        names.append((name, "#333", dashes))
    for i, (name, colour, extra) in enumerate(names):
        y = HEIGHT - BOTTOM - 14 - 18 * (len(names) - 1 - i)
        parts += [line(WIDTH - 210, y - 4, WIDTH - 185, y - 4, colour, 'stroke-width="2" ' + extra),
                  text(WIDTH - 178, y, name, "start")]
    with open(path, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                'font-family="sans-serif" font-size="12">\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
