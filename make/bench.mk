# make bench: every bench/NAME_bench.cpp is a program that prints JSON; bench/*_bench.py runs a peer of another project beside it.
BENCH_NAMES := $(patsubst $(ROOT)/bench/%.cpp,%,$(wildcard $(ROOT)/bench/*_bench.cpp))
BENCH_PROGRAMS := $(addprefix $(B)/bench/,$(BENCH_NAMES))
$(BENCH_PROGRAMS): $(B)/bench/%: $(ROOT)/bench/%.cpp $(PCH_MODEL) $(TEST_MODEL_LIBRARY)
	@mkdir -p $(@D)
	@echo "--- Compiling benchmark $* ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) -I $(PCH) $(INCLUDES) -I $(ROOT) $(DEPENDENCIES) $< $(TEST_MODEL_LIBRARY) \
	  $(LDFLAGS_ALL) $(LDLIBS_STAN) -o $@
-include $(wildcard $(BENCH_PROGRAMS:=.d))

.PHONY: bench
bench: $(BENCH_PROGRAMS)
	@python3 $(ROOT)/bench/run.py $(B)/bench.json python3 $(BENCH_PROGRAMS)
