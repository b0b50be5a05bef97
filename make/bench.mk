# make bench: every bench/NAME_bench.cpp is a program that prints JSON, every bench/NAME_bench.py sets one beside a peer of
# another project. Peers are installed below build/peers; where that fails their figures are left out with a word.
BENCH_NAMES := $(patsubst $(ROOT)/bench/%.cpp,%,$(wildcard $(ROOT)/bench/*_bench.cpp))
BENCH_PROGRAMS := $(addprefix $(B)/bench/,$(BENCH_NAMES))
BENCH_SCRIPTS := $(wildcard $(ROOT)/bench/*_bench.py)
BENCH_LIBRARY := $(filter %/logistic.lib.o %/mixture.lib.o %/varying.lib.o,$(TEST_MODELS:%=$(B)/tests/models/%.lib.o))
$(BENCH_PROGRAMS): $(B)/bench/%: $(ROOT)/bench/%.cpp $(PCH_MODEL) $(BENCH_LIBRARY)
	@mkdir -p $(@D)
	@echo "--- Compiling benchmark $* ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) -I $(PCH) $(INCLUDES) -I $(ROOT) $(DEPENDENCIES) $< $(BENCH_LIBRARY) \
	  $(LDFLAGS_ALL) $(LDLIBS_STAN) -o $@
-include $(wildcard $(BENCH_PROGRAMS:=.d))

PEERS := $(BUILD)/peers
$(PEERS)/.installed: $(ROOT)/bench/requirements.txt
	@$(ROOT)/make/debian_packages.sh python3-venv || true
	@echo "--- Installing peers for benchmarks (once) ---"
	@python3 -m venv $(PEERS) && $(PEERS)/bin/python -m pip --quiet --disable-pip-version-check install -r $< \
	  || echo "bench: the peers could not be installed; their figures are left out"
	@mkdir -p $(PEERS) && touch $@

# accounting_bench has one figure of its own kind: its script shows it.
.PHONY: bench
bench: $(BENCH_PROGRAMS) $(PEERS)/.installed
	@PYTHON=$(PEERS)/bin/python; [ -x $$PYTHON ] || PYTHON=python3; \
	  python3 $(ROOT)/bench/run.py $(B)/bench.json $$PYTHON $(filter-out %/accounting_bench,$(BENCH_PROGRAMS)) $(BENCH_SCRIPTS)
