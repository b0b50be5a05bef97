"""Runs test programs and modules one after another and closes with `N passed, N failed`.

A program is a GoogleTest executable; a module is a unittest file. A program that dies counts as one
failure more than it reported, so that a crash cannot hide behind the tests before it.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest


def run_googletest(program):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        result = subprocess.run(
            [program, "--gtest_brief=1", "--gtest_output=json:" + report],
            stdin=subprocess.DEVNULL)
        passed = failed = skipped = 0
        if os.path.exists(report):
            with open(report) as f:
                suites = json.load(f)["testsuites"]
            for test in (t for s in suites for t in s["testsuite"]):
                if test.get("failures"):
                    failed += 1
                elif test["result"] == "SKIPPED":
                    skipped += 1
                else:
                    passed += 1
        if result.returncode != 0 and failed == 0:
            print(f"{program} ended with code {result.returncode}")
            failed += 1
        return passed, failed, skipped


def run_module(path):
    """In a process of its own: this file again, with --module."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        result = subprocess.run([sys.executable, __file__, "--module", path, report.name],
                                stdin=subprocess.DEVNULL)
        try:
            return tuple(json.load(report))
        except ValueError:
            print(f"{path} ended with code {result.returncode}")
            return 0, 1, 0


def module_main(path, report):
    sys.path.insert(0, os.path.dirname(path))
    suite = unittest.defaultTestLoader.loadTestsFromName(os.path.basename(path)[:-3])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len({str(t) for t, _ in result.failures + result.errors})
    failed += len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    for test, why in result.skipped:
        print(f"skipped {test}: {why}")
    with open(report, "w") as f:
        json.dump([max(0, result.testsRun - failed - skipped), failed, skipped], f)


def main(arguments):
    total = [0, 0, 0]
    for path in arguments:
        start = time.monotonic()
        counts = run_module(path) if path.endswith(".py") else run_googletest(path)
        name = os.path.relpath(path, os.environ.get("ROOT", "."))
        print(f"{name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped "
              f"({time.monotonic() - start:.0f} s)", flush=True)
        total = [a + b for a, b in zip(total, counts)]
    skipped = f", {total[2]} skipped" if total[2] else ""
    print(f"{total[0]} passed, {total[1]} failed{skipped}")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    if sys.argv[1] == "--module":
        module_main(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main(sys.argv[1:]))
