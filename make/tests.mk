# Tests: every tests/ROOM/NAME_test.cpp is a GoogleTest executable, every tests/ROOM/NAME_test.py a unittest module.
#   make test                         all
#   make test/privacy                 one room
#   make test/privacy/lattice_test    one file

TEST_SOURCES := $(wildcard $(ROOT)/tests/*/*_test.cpp)
TEST_NAMES := $(patsubst $(ROOT)/tests/%.cpp,%,$(TEST_SOURCES))
TEST_PROGRAMS := $(addprefix $(B)/tests/,$(TEST_NAMES))
TEST_SCRIPTS := $(wildcard $(ROOT)/tests/*/*_test.py)
TEST_ROOMS := $(sort $(patsubst %/,%,$(dir $(TEST_NAMES) $(patsubst $(ROOT)/tests/%,%,$(TEST_SCRIPTS)))))
# Rooms whose tests see Stan's headers; the others compile without them, and have to.
STAN_ROOMS := rows services driver
STAN_TESTS := $(filter $(addprefix $(B)/tests/,$(addsuffix /%,$(STAN_ROOMS))),$(TEST_PROGRAMS))
PLAIN_TESTS := $(filter-out $(STAN_TESTS),$(TEST_PROGRAMS))

# Test models: each is compiled once, linked as an executable and, with its factory renamed to new_model_NAME, into a library.
TEST_MODELS := $(patsubst $(ROOT)/tests/models/%.stan,%,$(wildcard $(ROOT)/tests/models/*.stan))
TEST_MODEL_OBJECTS := $(TEST_MODELS:%=$(B)/tests/models/%.o)
TEST_MODEL_PROGRAMS := $(TEST_MODELS:%=$(B)/tests/models/%)
TEST_MODEL_LIBRARY := $(B)/tests/models/libmodels.a
$(TEST_MODELS:%=$(B)/tests/models/%.hpp): $(B)/tests/models/%.hpp: $(ROOT)/tests/models/%.stan | $(TOOLCHAIN)/stanc
	@mkdir -p $(@D)
	@$(STANC) $(STANCFLAGS) --o=$@ $<
$(TEST_MODEL_OBJECTS): %.o: %.hpp $(PCH_MODEL)
	@echo "--- Compiling test model $(*F) ---"
	@$(CXX) $(CXXFLAGS_ALL) $(MODEL_FLAGS) -w -isystem $(TOOLCHAIN)/include -x c++ -c $< -o $@
$(TEST_MODEL_OBJECTS): MODEL_FLAGS := -I $(PCH)
ifdef SANITIZE
# These divide by zero on purpose, and what then happens is what the tests look at. (The precompiled header would bring the
# sanitizer's flags back.)
$(B)/tests/models/throws.o $(B)/tests/models/refusals.o: MODEL_FLAGS := -fno-sanitize=integer-divide-by-zero
endif
$(TEST_MODEL_PROGRAMS): %: %.o $(MAIN)
	@$(CXX) $^ $(LDFLAGS_ALL) $(LDLIBS_STAN) -o $@
$(TEST_MODELS:%=$(B)/tests/models/%.lib.o): %.lib.o: %.o
	@objcopy --redefine-sym _Z9new_modelRN4stan2io11var_contextEjPSo=new_model_$(*F) \
	  --redefine-sym _Z21get_stan_profile_dataB5cxx11v=get_stan_profile_data_$(*F) $< $@
$(TEST_MODEL_LIBRARY): $(TEST_MODELS:%=$(B)/tests/models/%.lib.o)
	@rm -f $@ && ar rcs $@ $^

$(STAN_TESTS): $(B)/tests/%: $(ROOT)/tests/%.cpp $(PCH_MODEL) $(TEST_MODEL_LIBRARY) | test-packages
	@mkdir -p $(@D)
	@echo "--- Compiling test $* ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) -I $(PCH) $(INCLUDES) -I $(ROOT) $(DEPENDENCIES) $< $(TEST_MODEL_LIBRARY) \
	  $(LDFLAGS_ALL) $(LDLIBS_STAN) -lgtest -lgtest_main -o $@
$(PLAIN_TESTS): $(B)/tests/%: $(ROOT)/tests/%.cpp | $(TOOLCHAIN)/stanc test-packages
	@mkdir -p $(@D)
	@echo "--- Compiling test $* ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) $(INCLUDES) -I $(ROOT) $(DEPENDENCIES) $< $(LDFLAGS_ALL) -lgtest -lgtest_main -o $@
-include $(wildcard $(TEST_PROGRAMS:=.d))

.PHONY: test-packages test $(addprefix test/,$(TEST_ROOMS) $(TEST_NAMES))
test-packages:
	@$(ROOT)/make/debian_packages.sh libgtest-dev

RUN_TESTS = @B=$(B) ROOT=$(ROOT) python3 $(ROOT)/tests/run_tests.py
test: $(TEST_PROGRAMS) $(TEST_MODEL_PROGRAMS) $(TOOL_TARGETS)
	$(RUN_TESTS) $(TEST_PROGRAMS) $(TEST_SCRIPTS)
$(addprefix test/,$(TEST_NAMES)): test/%: $(B)/tests/%
	$(RUN_TESTS) $<
define room_rule
test/$(1): $(filter $(B)/tests/$(1)/%,$(TEST_PROGRAMS)) $(if $(filter $(1),$(STAN_ROOMS) clients),$(TEST_MODEL_PROGRAMS)) $(TOOL_TARGETS)
	$$(RUN_TESTS) $(filter $(B)/tests/$(1)/%,$(TEST_PROGRAMS)) $(filter $(ROOT)/tests/$(1)/%,$(TEST_SCRIPTS))
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call room_rule,$(room))))
