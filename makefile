# make demo                 a first look: builds a model, runs NUTS and two private algorithms, compares them
# make path/to/model        turns path/to/model.stan into an executable, as in CmdStan
# make test                 builds and runs all tests        (SANITIZE=1: with AddressSanitizer and UBSan)
# make bench                benchmarks: a table and build/bench.json
# make bin/privacy          the accounting tool; make bin/compare: two fits side by side
# make reproduce quick=1    the papers' figures and tables   (make reproduce/NAME: one of them)
# make example/dpvi         private variational inference, ten repeats
# make install CMDSTAN=DIR  every model that this CmdStan builds gets the private algorithms; make uninstall takes it back
# make clean                removes what was built, keeps what was downloaded
# make help                 prints these lines

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

ROOT := $(patsubst %/,%,$(dir $(abspath $(firstword $(MAKEFILE_LIST)))))
BUILD := $(ROOT)/build
include $(ROOT)/make/flags.mk
include $(ROOT)/make/models.mk
include $(ROOT)/make/tools.mk
include $(ROOT)/make/tests.mk
-include $(wildcard $(ROOT)/make/bench.mk $(ROOT)/make/examples.mk $(ROOT)/make/cmdstan.mk)

.PHONY: help clean
help:
	@sed -n 's/^# \(make .*\)/\1/p' $(ROOT)/makefile

clean:
	rm -rf $(filter-out $(TOOLCHAIN) $(BUILD)/clients,$(wildcard $(BUILD)/*)) $(ROOT)/bin
