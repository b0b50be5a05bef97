"""A step of DPVI against the same step in JAX, in turns; and, where DP_DATA is set, the product's noise on d numbers
against noise on all 2d at the same budget, on Adult. Prints JSON.

Run by a Python that has jax; without it that figure is left out with a word.
    python bench/dpvi_jax_bench.py [build/bench/dpvi_bench]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "bench", "dpvi_bench")
sys.path[:0] = [os.path.join(HERE, "peers"), os.path.join(ROOT, "examples", "dpvi"), os.path.join(ROOT, "examples")]


def ours():
    return float(subprocess.run([PROGRAM, "step"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def against_jax(turns=5):
    try:
        import jax_dpvi_peer as peer
    except ImportError as problem:
        print(f"dpvi_jax_bench: no figure against JAX ({problem})", file=sys.stderr)
        return []
    run = peer.make_run()
    pairs = [(ours(), peer.step_microseconds(run, turn + 1)) for turn in range(turns)]
    return [{"name": "DPVI step, 39,074 x 14, rate 0.005 / JAX", "at_most": 1,
             "value": statistics.median(a / b for a, b in pairs)},
            {"name": "DPVI step (us)", "value": statistics.median(a for a, _ in pairs)},
            {"name": "DPVI step, JAX (us)", "value": statistics.median(b for _, b in pairs)}]


def forms():
    import data_sets
    from lib import runs
    try:
        data = data_sets.load("adult")
    except data_sets.DataMissing as problem:
        print(f"dpvi_jax_bench: no figures on Adult ({problem})", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = runs.write_json(data.split(0)[0], os.path.join(folder, "adult.json"))
        result = subprocess.run([PROGRAM, "forms", file], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)


if __name__ == "__main__":
    print(json.dumps(against_jax() + forms(), indent=1))
