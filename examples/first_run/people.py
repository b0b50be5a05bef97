"""Stands for a file of your own: people with an age, a distance to the shop, and whether they bought something.

    python3 people.py rows seed > people.csv
"""
import math
import random
import sys


def main(rows, seed):
    rng = random.Random(seed)
    print("age,distance,bought")
    for _ in range(rows):
        age, distance = rng.randint(18, 90), round(rng.uniform(0, 20), 1)
        score = 0.3 + 0.5 * (age - 50) / 25 - 1.2 * (distance - 10) / 10
        print(age, distance, int(rng.random() < 1 / (1 + math.exp(-score))), sep=",")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
