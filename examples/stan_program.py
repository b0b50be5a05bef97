"""Runs a compiled Stan program and reads its CSV, with Python's standard library alone."""
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Refused(Exception):
    """The program ended with an error; the message is the program's."""


def write_data(path, data):
    with open(path, "w") as f:
        json.dump(data, f)
    return path


def run(program, data, output, arguments):
    """Runs `program` with `arguments`; returns the names of the columns and the rows."""
    command = [program, *arguments, "data", "file=" + data, "output", "file=" + output, "refresh=0"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise Refused(" ".join(command) + "\n" + result.stdout)
    return read_csv(output)


def read_csv(path):
    with open(path) as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    return lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:]]
