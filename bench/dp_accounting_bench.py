"""The composition of accounting_bench.cpp against dp-accounting, in one run. Prints JSON.

Run by a Python that has dp-accounting; without it the figure is left out with a word.
    python bench/dp_accounting_bench.py [build/bench/accounting_bench]
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
    os.path.dirname(HERE), "build", "bench", "accounting_bench")
PEER = os.path.join(HERE, "peers", "dp_accounting_peer.py")


def figure(command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main():
    try:
        import dp_accounting  # noqa: F401
    except ImportError as problem:
        print(f"dp_accounting_bench: no figure ({problem})", file=sys.stderr)
        return []
    ours, peer = figure([PROGRAM]), figure([sys.executable, PEER])
    return [{"name": "2000 heterogeneous steps, dp-accounting / ours (time)", "at_least": 50,
             "value": peer["seconds"] / ours["seconds"]},
            {"name": "2000 heterogeneous steps, epsilon - dp-accounting's",
             "value": ours["epsilon"] - peer["epsilon"]}]


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
