# Worked examples: see examples/README.md.
.PHONY: demo example/dpvi
demo:
	@$(MAKE) --no-print-directory -f $(ROOT)/makefile bin/compare stan_models/logistic_regression/model
	@python3 $(ROOT)/examples/demo/demo.py
example/dpvi:
	@$(MAKE) --no-print-directory -f $(ROOT)/makefile stan_models/logistic_regression/model stan_models/gaussian_mixture/model
	@python3 $(ROOT)/examples/dpvi/mixture.py
	@python3 $(ROOT)/examples/dpvi/classification.py

# The papers' figures and tables: make reproduce, make reproduce/NAME; with quick=1 in minutes. examples/reproduce/README.md has
# the list.
FIGURES := $(patsubst %.py,%,$(notdir $(shell grep -l '^def main' $(ROOT)/examples/reproduce/*.py)))
.PHONY: reproduce $(FIGURES:%=reproduce/%)
reproduce: $(FIGURES:%=reproduce/%)
$(FIGURES:%=reproduce/%): reproduce/%:
	@quick=$(quick) python3 $(ROOT)/examples/reproduce/$*.py
