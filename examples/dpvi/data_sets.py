"""Adult and Abalone as in Jälkö (2017), section 5.1: 14 and 8 columns, standardised, 80 % of the rows for training.

Categories become numbers in alphabetical order. Means, standard deviations and categories are taken from all rows
without privacy, as in the paper: with data of your own use bounds that you know without looking.
"""
import gzip
import os
import random


class DataMissing(Exception):
    """Where the files should be is not known."""


def folder():
    path = os.environ.get("DP_DATA")
    if not path:
        raise DataMissing("DP_DATA is not set: give it the folder that holds adult.data.gz, adult.test.gz and "
                          "abalone.data, from the UCI Machine Learning Repository.")
    return path


def read_adult():
    records = []
    for name in ("adult.data.gz", "adult.test.gz"):
        with gzip.open(os.path.join(folder(), name), "rt") as f:
            rows = [[word.strip() for word in line.split(",")] for line in f]
        records += [row for row in rows if len(row) == 15 and row[0] != "age"]
    return [row[:14] for row in records], [int(row[14].startswith(">50K")) for row in records]


def read_abalone():
    """More than nine rings, or not."""
    with open(os.path.join(folder(), "abalone.data")) as f:
        records = [line.strip().split(",") for line in f if line.strip()]
    return [row[:8] for row in records], [int(int(row[8]) > 9) for row in records]


def as_numbers(column):
    try:
        return [float(word) for word in column]
    except ValueError:
        codes = {word: code for code, word in enumerate(sorted(set(column)))}
        return [float(codes[word]) for word in column]


def standardised(column):
    mean = sum(column) / len(column)
    sd = (sum((v - mean) ** 2 for v in column) / len(column)) ** 0.5
    return [(v - mean) / sd for v in column]


class DataSet:
    """Columns `x` and classes `y` of all rows, and how the paper ran on them."""

    def __init__(self, name, records, y, settings):
        self.name = name
        self.y = y
        self.x = list(zip(*(standardised(as_numbers(column)) for column in zip(*records))))
        self.settings = settings

    def split(self, seed):
        """Training data for the model, and the rows and classes that are left for the test."""
        order = list(range(len(self.y)))
        random.Random(seed).shuffle(order)
        size = round(0.8 * len(order))
        x, y = [self.x[i] for i in order], [self.y[i] for i in order]
        return {"N": size, "K": len(x[0]), "x": x[:size], "y": y[:size]}, x[size:], y[size:]


def load(name):
    """Sampling rates and iterations are the paper's. Its clip bounds, 75 for Adult and 5 for Abalone, held for all
    parameters of the approximation; here only the gradient of the model is clipped, whose norm is below 4 for 98 %
    of the rows."""
    if name == "adult":
        return DataSet(name, *read_adult(), {"rate": 0.005, "iter": 2000, "clip": 3})
    return DataSet(name, *read_abalone(), {"rate": 0.05, "iter": 1000, "clip": 3})
