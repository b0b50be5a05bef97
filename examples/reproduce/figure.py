"""What every figure shares: where its results go, its CSV, its SVG and its page."""
import csv
import os
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from lib import runs, svg  # noqa: E402

QUICK = os.environ.get("quick", "") not in ("", "0")
SMOKE = os.environ.get("quick", "") == "smoke"
OUTPUT = os.environ.get("REPRODUCE_OUTPUT", os.path.join(HERE, "output"))
# What a user may set in the environment, and the part of it that says which rows a key names.
OPTIONS = ("repeats", "epsilons", "models", "algorithms", "neighbors", "eigenvalues")
MEANING = ("quick", "neighbors", "eigenvalues")


def by_size(full, quick, smoke):
    """The value for the size of this run: full, minutes (quick=1), or only to see that it works."""
    return smoke if SMOKE else quick if QUICK else full


def chosen(name, among, default):
    """The words of an option in the environment, separated by commas."""
    words = os.environ[name].split(",") if name in os.environ else list(default)
    for word in words:
        if word not in among:
            sys.exit(f"{name}={word}: there is none of that name; there are: {', '.join(among)}.")
    return words


def number(text):
    """The number that a cell of a table holds, or its text."""
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


class Figure:
    def __init__(self, name, title):
        self.name, self.title = name, title.strip()
        self.folder = os.path.join(OUTPUT, name)
        os.makedirs(self.folder, exist_ok=True)
        print(self.title, flush=True)

    def path(self, file):
        return os.path.join(self.folder, file)

    def earlier_rows(self, header):
        """With `resume=1` the rows of NAME.csv: a long figure goes on where it was stopped."""
        table, settings = self.path(self.name + ".csv"), self.path(self.name + ".settings")
        now = " ".join(f"{name}={os.environ.get(name, '')}" for name in MEANING) + " " + ",".join(header) + "\n"
        if os.environ.get("resume") and os.path.exists(table):
            if not os.path.exists(settings) or open(settings).read() != now:
                sys.exit(f"{table} was made with other settings: give those, or leave out resume=1.")
            with open(table, newline="") as f:
                return [[number(value) for value in row] for row in csv.reader(f)][1:]
        with open(settings, "w") as f:
            f.write(now)
        return []

    def each_row(self, header, keys, make):
        """A row for each key, which it begins with: an earlier one, or `make(*key)`; NAME.csv grows as they come."""
        keys, rows = list(keys), []
        earlier = {tuple(row[:len(keys[0])]): row for row in self.earlier_rows(header)}
        for key in keys:
            rows.append(earlier.pop(key, None) or make(*key))
            runs.write_csv(self.path(self.name + ".csv"), header, [*rows, *earlier.values()])
        return rows

    def command(self):
        words = [f"{name}={shlex.quote(os.environ[name])}" for name in OPTIONS if name in os.environ]
        return " ".join([*words, "make reproduce/" + self.name])

    def write(self, header, rows, panels, words, columns=2):
        """NAME.csv, NAME.svg and NAME.md."""
        runs.write_csv(self.path(self.name + ".csv"), header, rows)
        if panels:
            svg.chart(self.path(self.name + ".svg"), panels, columns)
        size = by_size("", " Made with `quick=1`.", " Made with `quick=smoke`: it only shows that it runs.")
        with open(self.path(self.name + ".md"), "w") as f:
            f.write(f"# {self.title}\n\n`{self.command()}`.{size}\n{words}\n"
                    + runs.markdown_table(header, rows)
                    + (f"\n![{self.title}]({self.name}.svg)\n" if panels else ""))
        print(f"Written: {self.path(self.name)}.csv, .svg, .md", flush=True)
