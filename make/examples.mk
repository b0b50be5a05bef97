# make demo                 a first look, in one command
# make reproduce [quick=1]  the papers' figures and tables; make reproduce/NAME makes one of them
DEMO_GOALS := bin/compare stan_models/logistic_regression/model
FIGURES := $(patsubst %.py,%,$(notdir $(shell grep -l '^def main' $(ROOT)/examples/reproduce/*.py)))

.PHONY: demo reproduce $(FIGURES:%=reproduce/%)
demo:
	@$(MAKE) --no-print-directory $(DEMO_GOALS)
	@python3 $(ROOT)/examples/demo/demo.py

reproduce: $(FIGURES:%=reproduce/%)
$(FIGURES:%=reproduce/%): reproduce/%:
	@quick=$(quick) python3 $(ROOT)/examples/reproduce/$*.py
