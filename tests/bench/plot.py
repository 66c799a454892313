"""Plots of points and lines as SVG, two panels a row, in colours that can be read on light and on
dark ground."""

import math
from collections import namedtuple
from xml.sax.saxutils import escape

GREY = "#808080"
FAINT = "#80808055"
COLOURS = ["#3f8fd9", "#d9822b", "#3fa66b", "#c2549d", "#8d78d6", "#b39b2e", "#c95a4a"]
WIDTH, HEIGHT = 560, 400  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 78, 34, 46  # margins within it; labels may stand in the right one
FONT = 11
LETTER = 6.3  # mean width at that size

series_type = namedtuple("series", "name points line dashed colour")
panel = namedtuple("panel", "title x_name y_name series log_x log_y", defaults=(False, False))


def series(name, points, line=False, dashed=False, colour=None):
    """Points are (x, y, label); a label may be empty. `colour` is an index, by default that of the
    series within its panel."""
    return series_type(name, points, line, dashed, colour)


class axis:
    """Maps values to places and knows where to put marks."""

    def __init__(self, values, log, begin, end):
        self.log, self.begin, self.end = log, begin, end
        places = [self.scale(v) for v in values]
        low, high = min(places), max(places)
        room = (high - low) * 0.06 or 0.1
        self.low, self.high = low - room, high + room

    def scale(self, value):
        return math.log10(max(value, 1e-9)) if self.log else value

    def at(self, value):
        part = (self.scale(value) - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)

    def marks(self):
        if not self.log:
            step = 10 ** math.floor(math.log10((self.high - self.low) / 3))
            for factor in (1, 2, 5, 10):
                if (self.high - self.low) / (step * factor) <= 7:
                    step *= factor
                    break
            first = math.ceil(self.low / step)
            return [i * step for i in range(first, math.floor(self.high / step) + 1)]
        span = self.high - self.low
        factors = (1, 1.5, 2, 3, 4, 5, 7) if span < 1 else (1, 2, 5) if span < 3 else (1,)
        found = [f * 10.0**e for e in range(math.floor(self.low), math.ceil(self.high) + 1)
                 for f in factors]
        return [v for v in found if self.low <= self.scale(v) <= self.high]


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def label_places(x, y, width):
    """Boxes for a label near a point, the best first: (left, top, right, bottom)."""
    height = FONT + 1
    for distance in (7, 12, 20, 30, 42, 56, 72):
        for angle in (0, 180, -50, 50, -130, 130, -90, 90, -25, 25, 155, -155):
            cx = x + distance * math.cos(math.radians(angle))
            cy = y + distance * math.sin(math.radians(angle))
            left = cx - width / 2
            if abs(angle) < 75:
                left = cx
            elif abs(angle) > 105:
                left = cx - width
            yield left, cy - height / 2, left + width, cy + height / 2


def beads(places):
    """Small boxes along a line."""
    for (x1, y1, _), (x2, y2, _) in zip(places, places[1:]):
        steps = int(math.hypot(x2 - x1, y2 - y1) / 6) + 1
        for i in range(steps):
            x, y = x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps
            yield x - 1, y - 1, x + 1, y + 1


def place_labels(points, bounds, lines):
    """Where each (x, y, text) gets its label so that none covers another, a point or a line."""
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y, _ in points]
    taken += [bead for places in lines for bead in beads(places)]
    placed = []
    for x, y, text in points:
        if not text:
            continue
        width = LETTER * len(text) + 2
        choices = [b for b in label_places(x, y, width)
                   if b[0] >= bounds[0] and b[1] >= bounds[1] and b[2] <= bounds[2]
                   and b[3] <= bounds[3]]
        free = [b for b in choices if not any(overlap(b, t) for t in taken)]
        box = (free or choices or list(label_places(x, y, width)))[0]
        taken.append(box)
        placed.append((x, y, text, box))
    return placed


def text_at(x, y, text, anchor="middle", size=FONT, extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'fill="{GREY}"{extra}>{escape(text)}</text>')


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}" if value < 1 else f"{value:.4g}"


def draw_axes(one, across, up, left, top):
    right, bottom = left + WIDTH - RIGHT, top + HEIGHT - BOTTOM
    parts = [text_at(left + (LEFT + WIDTH - RIGHT) / 2, top + 18, one.title, size=13)]
    for value in across.marks():
        x = across.at(value)
        parts.append(f'<path d="M{x:.1f} {top + TOP}V{bottom}" stroke="{FAINT}"/>')
        parts.append(text_at(x, bottom + 15, number(value)))
    for value in up.marks():
        y = up.at(value)
        parts.append(f'<path d="M{left + LEFT} {y:.1f}H{right}" stroke="{FAINT}"/>')
        parts.append(text_at(left + LEFT - 6, y + 4, number(value), "end"))
    parts.append(text_at((left + LEFT + right) / 2, bottom + 34, one.x_name))
    middle = (top + TOP + bottom) / 2
    parts.append(text_at(left + 14, middle, one.y_name,
                         extra=f' transform="rotate(-90 {left + 14} {middle:.1f})"'))
    return parts


def draw_panel(one, left, top):
    """The panel with its corner at (left, top)."""
    points = [p for s in one.series for p in s.points]
    across = axis([p[0] for p in points], one.log_x, left + LEFT, left + WIDTH - RIGHT)
    up = axis([p[1] for p in points], one.log_y, top + HEIGHT - BOTTOM, top + TOP)
    parts = draw_axes(one, across, up, left, top)
    labelled, lines = [], []
    for index, each in enumerate(one.series):
        colour = COLOURS[(index if each.colour is None else each.colour) % len(COLOURS)]
        places = [(across.at(x), up.at(y), label) for x, y, label in each.points]
        if each.line and len(places) > 1:
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
            dash = ' stroke-dasharray="5 4"' if each.dashed else ""
            parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"'
                         f'{dash}/>')
            lines.append(places)
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
                  for x, y, _ in places]
        labelled += places
    bounds = (left + LEFT, top + TOP - 8, left + WIDTH - 2, top + HEIGHT - BOTTOM)
    for x, y, text, box in place_labels(labelled, bounds, lines):
        near_x, near_y = min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
        if math.hypot(near_x - x, near_y - y) > 9:
            parts.append(f'<path d="M{x:.1f} {y:.1f}L{near_x:.1f} {near_y:.1f}" '
                         f'stroke="{GREY}" stroke-width="0.7"/>')
        if box[2] <= x:
            parts.append(text_at(box[2], box[3] - 3, text, "end"))
        elif box[0] >= x:
            parts.append(text_at(box[0], box[3] - 3, text, "start"))
        else:
            parts.append(text_at((box[0] + box[2]) / 2, box[3] - 3, text))
    return parts


def draw(panels):
    """A whole SVG file."""
    rows = (len(panels) + 1) // 2
    columns = min(len(panels), 2)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * columns}" '
             f'height="{HEIGHT * rows}" viewBox="0 0 {WIDTH * columns} {HEIGHT * rows}" '
             'font-family="Helvetica, Arial, sans-serif">']
    for index, one in enumerate(panels):
        parts += draw_panel(one, index % 2 * WIDTH, index // 2 * HEIGHT)
    return "\n".join(parts + ["</svg>", ""])
