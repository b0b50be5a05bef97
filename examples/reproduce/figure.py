"""What every figure shares: where its results go, its CSV, its SVG and its page."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from lib import runs, svg  # noqa: E402

QUICK = os.environ.get("quick", "") not in ("", "0")
SMOKE = os.environ.get("quick", "") == "smoke"
OUTPUT = os.environ.get("REPRODUCE_OUTPUT", os.path.join(HERE, "output"))


def by_size(full, quick, smoke):
    """The value for the size of this run: full, minutes (quick=1), or only to see that it works."""
    return smoke if SMOKE else quick if QUICK else full


class Figure:
    def __init__(self, name, title):
        self.name, self.title = name, title.strip()
        self.folder = os.path.join(OUTPUT, name)
        os.makedirs(self.folder, exist_ok=True)
        print(self.title, flush=True)

    def path(self, file):
        return os.path.join(self.folder, file)

    def write(self, header, rows, panels, words, columns=2):
        """NAME.csv, NAME.svg and NAME.md."""
        runs.write_csv(self.path(self.name + ".csv"), header, rows)
        if panels:
            svg.chart(self.path(self.name + ".svg"), panels, columns)
        size = by_size("", " Made with `quick=1`.", " Made with `quick=smoke`: it only shows that it runs.")
        with open(self.path(self.name + ".md"), "w") as f:
            f.write(f"# {self.title}\n\n`make reproduce/{self.name}`.{size}\n{words}\n"
                    + runs.markdown_table(header, rows)
                    + (f"\n![{self.title}]({self.name}.svg)\n" if panels else ""))
        print(f"Written: {self.path(self.name)}.csv, .svg, .md", flush=True)
