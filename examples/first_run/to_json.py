"""From a CSV file to Stan's JSON: a list for each column, and the number of rows.

    python3 to_json.py people.csv > data.json
"""
import csv
import json
import sys

with open(sys.argv[1], newline="") as f:
    rows = list(csv.DictReader(f))
# Scales are chosen from general knowledge, not from the rows: nothing would protect a mean or a maximum of the data.
json.dump({"N": len(rows),
           "age": [(float(r["age"]) - 50) / 25 for r in rows],
           "distance": [(float(r["distance"]) - 10) / 10 for r in rows],
           "bought": [int(r["bought"]) for r in rows]}, sys.stdout)
