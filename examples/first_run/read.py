"""Reads draws with cmdstanpy and ArviZ: python3 read.py nuts.csv dp.csv"""
import sys

import arviz
import cmdstanpy

for path in sys.argv[1:]:
    fit = cmdstanpy.from_csv(path)
    print(path)
    print(arviz.summary(arviz.from_cmdstanpy(posterior=fit), kind="stats"))
