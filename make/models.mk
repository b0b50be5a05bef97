# make path/to/model: path/to/model.stan -> .hpp (stanc) -> .o -> executable with the stand-alone driver.

# The driver is compiled once and linked to every model. Stan's own methods are what takes long: a file of their own.
MAIN := $(B)/driver/main.o $(B)/driver/stan_methods.o
$(MAIN): $(B)/driver/%.o: $(ROOT)/src/stan_dp/driver/%.cpp $(PCH_MODEL)
	@mkdir -p $(@D)
	@echo "--- Compiling the driver: $(*F) (once) ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) -I $(PCH) $(INCLUDES) $(DEPENDENCIES) -c $< -o $@
-include $(wildcard $(MAIN:=.d))

define stanc
	@echo '--- Translating Stan model to C++ code ---'
	@$(STANC) $(STANCFLAGS) --o=$@ $<
endef
define compile_model
	@echo '--- Compiling C++ code ---'
	@$(CXX) $(CXXFLAGS_ALL) -w -I $(PCH) -isystem $(TOOLCHAIN)/include -x c++ -c $< -o $@
endef
define link_model
	@echo '--- Linking model ---'
	@$(CXX) -x none $(filter %.o,$^) $(LDFLAGS_ALL) $(LDLIBS_STAN) -o $@
endef

# Those goals of this make that have a .stan file beside them.
MODELS := $(patsubst %.stan,%,$(wildcard $(addsuffix .stan,$(MAKECMDGOALS) $(EXTRA_MODELS))))

ifndef CMDSTAN
$(addsuffix .hpp,$(MODELS)): %.hpp: %.stan | $(TOOLCHAIN)/stanc
	$(stanc)
$(addsuffix .o,$(MODELS)): %.o: %.hpp $(PCH_MODEL)
	$(compile_model)
$(MODELS): %: %.o $(MAIN)
	$(link_model)
endif

# A goal that names a Stan program which does not exist deserves better than "No rule to make target".
%.stan:
	@echo "make: there is no Stan program $@" >&2; exit 2
