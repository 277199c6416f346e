"""Plots as inline SVG, in the few forms that bench/page.py needs: bars on a logarithmic axis, curves, a roofline, stacked bars.

Every plot is drawn 380 units wide, so that its text is readable where that is the whole screen; the page sets as many side by side as
fit. Colours are classes (k-single, k-jax ...) that the page's style sheet fills in for light and dark. Standard library only.
"""
import html
import math

WIDTH = 380


def escape(text):
    return html.escape(str(text), quote=True)


def tag(name, content="", **attributes):
    words = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(round(v, 2) if isinstance(v, float) else v)}"'
                    for key, v in attributes.items())
    return f"<{name}{words}>{content}</{name}>"


def text(x, y, words, anchor="start", kind="", title=""):
    return tag("text", escape(words) + (tag("title", escape(title)) if title else ""), x=float(x), y=float(y), text_anchor=anchor,
               **({"class_": kind} if kind else {}))


def svg(height, content, label):
    return tag("svg", "\n".join(content), viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=label)


def short(value):
    """Two digits: 0.0012, 0.45, 3.2, 45, 320, 3.2k, 45M."""
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * limit:
            return short(value / limit) + unit
    rounded = float(f"{value:.2g}")
    return f"{rounded:.0f}" if rounded >= 10 else f"{rounded:g}"


class Log:
    """A logarithmic axis from `low` to `high`, drawn between two coordinates."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = math.log10(low), math.log10(max(high, low * 1.01)), start, end

    def at(self, value):
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def decades(self, most=7):
        whole = list(range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1))
        step = max(1, math.ceil(len(whole) / most))
        return [10.0**k for k in whole if k % step == 0]


def around(values):
    """A range of whole decades."""
    return 10.0 ** math.floor(math.log10(min(values)) - 1e-9), 10.0 ** math.ceil(math.log10(max(values)) + 1e-9)


# ---- bars: [(kind, label, value, words)] ---------------------------------------------------------------------------------

def bars(items, unit, label):
    row, left, right, top = 22, 78, 306, 6
    low, high = around([value for _, _, value, _ in items])
    axis = Log(low, high, left, right)
    bottom = top + row * len(items)
    out = []
    for decade in axis.decades(6):
        x = axis.at(decade)
        out += [tag("line", x1=x, y1=float(top), x2=x, y2=float(bottom), class_="grid"), text(x, bottom + 14, short(decade), "middle", "tick")]
    for k, (kind, name, value, words) in enumerate(items):
        y = top + row * k
        out += [text(left - 6, y + 15, name, "end", "name"),
                tag("rect", tag("title", escape(f"{name}: {words}")), x=float(left), y=y + 4.0, width=max(1.5, axis.at(value) - left),
                    height=14.0, class_=f"fill k-{kind}"),
                text(max(left, axis.at(value)) + 5, y + 15, words.split(" (")[0], kind="value")]
    out.append(text(right, bottom + 28, unit, "end", "unit"))
    return svg(bottom + 34, out, label)


# ---- curves: [(kind, label, [(x, y)])] --------------------------------------------------------------------------------------

class Frame:
    """Both axes logarithmic, with their grid."""

    def __init__(self, xs, ys, x_label, y_label, height=270, whole_x=False):
        self.x = Log(*(around(xs) if whole_x else (min(xs), max(xs))), 46, WIDTH - 14)
        self.y = Log(*around(ys), height - 40, 22)
        self.height, self.out = height, []
        for decade in self.x.decades():
            self.out += [tag("line", x1=self.x.at(decade), y1=22.0, x2=self.x.at(decade), y2=height - 40.0, class_="grid"),
                         text(self.x.at(decade), height - 26, short(decade), "middle", "tick")]
        for decade in self.y.decades():
            self.out += [tag("line", x1=46.0, y1=self.y.at(decade), x2=WIDTH - 14.0, y2=self.y.at(decade), class_="grid"),
                         text(42, self.y.at(decade) + 4, short(decade), "end", "tick")]
        self.out += [text(WIDTH - 14, height - 10, x_label, "end", "unit"), text(4, 12, y_label, "start", "unit")]

    def path(self, points, kind):
        d = "M" + " L".join(f"{self.x.at(x):.1f} {self.y.at(y):.1f}" for x, y in points)
        self.out.append(tag("path", d=d, class_=f"line k-{kind}"))

    def dot(self, x, y, kind, title):
        self.out.append(tag("circle", tag("title", escape(title)), cx=self.x.at(x), cy=self.y.at(y), r=3.5, class_=f"fill k-{kind}"))


def curves(series, x_label, y_label, label):
    series = [(kind, name, points) for kind, name, points in series if points]
    frame = Frame([x for _, _, points in series for x, _ in points], [y for _, _, points in series for _, y in points], x_label, y_label)
    for kind, name, points in series:
        frame.path(points, kind)
        for x, y in points:
            frame.dot(x, y, kind, f"{name}: {short(x)} {x_label}, {short(y)} {y_label}")
    return svg(frame.height, frame.out, label)


def legend(series):
    return tag("p", " ".join(tag("span", tag("i", class_=f"swatch k-{kind}") + escape(name), class_="entry") for kind, name in series),
               class_="legend")


# ---- roofline: [(number, title, operations a byte, operations a second)] -----------------------------------------------------

def roofline(points, ops_per_s, bytes_per_s, label):
    ridge = ops_per_s / bytes_per_s
    xs = [x for _, _, x, _ in points] + [ridge]
    ys = [y for _, _, _, y in points] + [ops_per_s]
    frame = Frame(xs, ys, "operations a byte", "operations a second", 320, whole_x=True)
    low, high = 10**frame.x.low, 10**frame.x.high
    start = max(low, 10**frame.y.low / bytes_per_s)
    frame.path([(start, start * bytes_per_s), (ridge, ops_per_s), (high, ops_per_s)], "roof")
    for number, title, x, y in points:
        frame.out.append(tag("circle", tag("title", escape(title)), cx=frame.x.at(x), cy=frame.y.at(y), r=7.5, class_="fill k-single"))
        frame.out.append(text(frame.x.at(x), frame.y.at(y) + 3.5, number, "middle", "number", title))
    return svg(frame.height, frame.out, label)


# ---- stacked bars: [(label, [(kind, share, words)])], shares of 1 --------------------------------------------------------------

def stacked(rows, label):
    """A row's shares may be below nothing or together over one, by their errors: the bar shows the parts of what is above nothing."""
    row, out = 40, []
    for k, (name, parts) in enumerate(rows):
        y, x = row * k, 4.0
        whole = sum(max(0.0, share) for _, share, _ in parts) or 1.0
        out.append(text(4, y + 13, name, kind="name"))
        for kind, share, words in parts:
            width = max(0.0, share) / whole * (WIDTH - 8)
            out.append(tag("rect", tag("title", escape(f"{name}: {words}")), x=x, y=y + 18.0, width=width, height=15.0, class_=f"fill k-{kind}"))
            if width > 34:
                out.append(text(x + width / 2, y + 30, f"{100 * share:.0f} %", "middle", "inside"))
            x += width
    return svg(row * len(rows) + 4, out, label)
