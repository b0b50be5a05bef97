"""Runs the benchmarks and prints a table; the figures also go to a JSON file.

Every figure is a ratio within one run, or a cost per unit; where it has a bar
the table says whether it is reached, and the exit code is 1 if one is not.
A benchmark is a program, or a Python module with a peer of another project in
a virtual environment; each prints a JSON list of {name, value, at_most, at_least}.
"""
import json
import subprocess
import sys


def figures(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        return [{"name": f"{command[-1]} failed", "value": float("nan"), "at_most": 0}]
    return json.loads(result.stdout)


def reached(figure):
    if "at_most" in figure:
        return figure["value"] <= figure["at_most"]
    if "at_least" in figure:
        return figure["value"] >= figure["at_least"]
    return None


def show(figure):
    bar = next((f"{word.replace('_', ' ')} {figure[word]:g}"
                for word in ("at_most", "at_least") if word in figure), "no bar")
    verdict = {True: "reached", False: "MISSED", None: ""}[reached(figure)]
    print(f"{figure['name']:68s} {figure['value']:10.4g}   {bar:18s} {verdict}", flush=True)


def main(output, python, programs):
    everything = []
    for program in programs:
        for figure in figures([python, program] if program.endswith(".py") else [program]):
            show(figure)
            everything.append(figure)
    with open(output, "w") as f:
        json.dump(everything, f, indent=1)
    missed = sum(reached(figure) is False for figure in everything)
    print(f"{len(everything)} figures, {missed} bars missed; written to {output}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
