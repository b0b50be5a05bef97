"""Line charts as SVG, standard library only.

    chart("out.svg", [panel("Banana", "epsilon", "MMD", [series("dp_hmc", x, y, spread), ...])])
"""
import math
from html import escape

COLORS = ["#1b6ca8", "#d1495b", "#2e7d32", "#8e6c00", "#6a4c93", "#444444"]
WIDTH, HEIGHT = 380, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 46


def series(name, x, y, spread=None, dashed=False):
    """A line; `spread` is a (low, high) for each point."""
    return {"name": name, "x": list(x), "y": list(y), "spread": spread, "dashed": dashed}


def panel(title, x_label, y_label, lines, log_x=False, log_y=False, level=None):
    """`level`: a horizontal line, with a name: (value, name)."""
    return {"title": title, "x_label": x_label, "y_label": y_label, "lines": lines, "log_x": log_x,
            "log_y": log_y, "level": level}


def nice_step(span, count):
    raw = span / count
    power = 10.0**math.floor(math.log10(raw))
    return power * next(m for m in (1, 2, 5, 10) if m * power >= raw * 0.999)


class axis:
    """From values to pixels."""

    def __init__(self, values, begin, end, log):
        self.log, self.begin, self.end = log, begin, end
        values = [v for v in values if math.isfinite(v) and (v > 0 or not log)] or [1.0]
        low, high = min(values), max(values)
        if log:
            low, high = math.log10(low), math.log10(high)
        elif 0 < low < 0.4 * high:
            low = 0.0
        margin = 0.04 * (high - low) or 0.5
        self.low, self.high = (low if low == 0 and not log else low - margin), high + margin

    def at(self, value):
        if self.log:
            value = math.log10(value)
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        if self.log:
            first, last = math.ceil(self.low), math.floor(self.high)
            if last - first >= 1:
                every = max(1, math.ceil((last - first) / 6))
                return [(10.0**k, f"1e{k}" if abs(k) > 3 else f"{10.0**k:g}")
                        for k in range(first, last + 1, every)]
            span = [10**self.low, 10**self.high]
            values = [m * 10.0**k for k in range(first - 1, last + 2) for m in (1, 2, 3, 5, 7)]
            return [(v, f"{v:g}") for v in values if span[0] <= v <= span[1]]
        step = nice_step(self.high - self.low, 5)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [(k * step, f"{k * step:.10g}") for k in range(first, last + 1)]


def text(x, y, content, anchor="middle", size=11, extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {extra}>'
            f"{escape(content)}</text>")


def draw_axes(p, across, up):
    out = []
    for value, label in across.ticks():
        x = across.at(value)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        out.append(text(x, HEIGHT - BOTTOM + 15, label))
    for value, label in up.ticks():
        y = up.at(value)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        out.append(text(LEFT - 6, y + 4, label, "end"))
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
               f'height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke="#777"/>')
    out.append(text(WIDTH / 2, 20, p["title"], size=13, extra='font-weight="bold"'))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, p["x_label"]))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(text(14, middle, p["y_label"], extra=f'transform="rotate(-90 14 {middle:.1f})"'))
    return out


def draw_line(line, color, across, up):
    points = [(x, y) for x, y in zip(line["x"], line["y"]) if math.isfinite(y) and (y > 0 or not up.log)]
    path = " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in points)
    dashes = ' stroke-dasharray="6 4"' if line["dashed"] else ""
    out = [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.8"{dashes}/>']
    if not line["dashed"]:
        out += [f'<circle cx="{across.at(x):.1f}" cy="{up.at(y):.1f}" r="2.6" fill="{color}"/>'
                for x, y in points]
    for x, (low, high) in zip(line["x"], line["spread"] or []):
        if math.isfinite(low) and (low > 0 or not up.log):
            out.append(f'<line x1="{across.at(x):.1f}" x2="{across.at(x):.1f}" y1="{up.at(low):.1f}" '
                       f'y2="{up.at(high):.1f}" stroke="{color}" stroke-width="1"/>')
    return out


def draw_panel(p, colors):
    across = axis([x for l in p["lines"] for x in l["x"]], LEFT, WIDTH - RIGHT, p["log_x"])
    values = [y for l in p["lines"] for y in l["y"]]
    values += [v for l in p["lines"] for pair in l["spread"] or [] for v in pair]
    if p["level"]:
        values.append(p["level"][0])
    up = axis(values, HEIGHT - BOTTOM, TOP, p["log_y"])
    out = draw_axes(p, across, up)
    if p["level"]:
        y = up.at(p["level"][0])
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#000" '
                   'stroke-dasharray="2 3"/>')
        out.append(text(WIDTH - RIGHT - 4, y - 4, p["level"][1], "end", 10))
    for line in p["lines"]:
        out += draw_line(line, colors[line["name"]], across, up)
    return out


def draw_legend(names, colors, dashed, y, width):
    out, x = [], 20.0
    for name in names:
        step = 44 + 6.4 * len(name)
        if x + step > width and x > 20:
            x, y = 20.0, y + 18
        dashes = ' stroke-dasharray="6 4"' if name in dashed else ""
        out.append(f'<line x1="{x:.1f}" x2="{x + 22:.1f}" y1="{y}" y2="{y}" stroke="{colors[name]}" '
                   f'stroke-width="2"{dashes}/>')
        out.append(text(x + 27, y + 4, name, "start"))
        x += step
    return out, y + 14


def chart(path, panels, columns=2):
    """Panels side by side, one legend for all."""
    names = list(dict.fromkeys(l["name"] for p in panels for l in p["lines"]))
    colors = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    dashed = {l["name"] for p in panels for l in p["lines"] if l["dashed"]}
    columns = min(columns, len(panels))
    rows = math.ceil(len(panels) / columns)
    width = columns * WIDTH
    legend, height = draw_legend(names, colors, dashed, rows * HEIGHT + 12, width)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for i, p in enumerate(panels):
        out.append(f'<g transform="translate({i % columns * WIDTH} {i // columns * HEIGHT})">')
        out += draw_panel(p, colors)
        out.append("</g>")
    out += legend + ["</svg>"]
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


def line_chart(path, title, x_label, y_label, lines, levels=(), log_x=True):
    """One panel: `lines`, name -> [(x, mean, standard error)], and dashed `levels`, name -> y."""
    drawn = [series(name, [p[0] for p in points], [p[1] for p in points], [(y - e, y + e) for _, y, e in points])
             for name, points in lines.items()]
    xs = [x for line in drawn for x in line["x"]]
    drawn += [series(name, [min(xs), max(xs)], [y, y], dashed=True) for name, y in dict(levels).items()]
    chart(path, [panel(title, x_label, y_label, drawn, log_x=log_x)])
