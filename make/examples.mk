# make example/NAME: a worked example, from the model to the figure. See examples/NAME/README.md.
.PHONY: example/dpvi
example/dpvi:
	@$(MAKE) --no-print-directory -f $(ROOT)/makefile stan_models/logistic_regression/model stan_models/gaussian_mixture/model
	@python3 $(ROOT)/examples/dpvi/classification.py
	@python3 $(ROOT)/examples/dpvi/mixture.py
