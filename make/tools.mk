# Programs that need no Stan model: bin/NAME from src/stan_dp/driver/NAME_main.cpp.
TOOLS := $(patsubst $(ROOT)/src/stan_dp/driver/%_main.cpp,%,$(wildcard $(ROOT)/src/stan_dp/driver/*_main.cpp))
TOOL_TARGETS := $(addprefix $(ROOT)/bin/,$(TOOLS))
.PHONY: $(addprefix bin/,$(TOOLS))
$(addprefix bin/,$(TOOLS)): bin/%: $(ROOT)/bin/%
$(TOOL_TARGETS): $(ROOT)/bin/%: $(ROOT)/src/stan_dp/driver/%_main.cpp | $(TOOLCHAIN)/stanc
	@mkdir -p $(@D) $(B)/tools
	@echo "--- Compiling bin/$* ---"
	@$(CXX) $(CXXFLAGS_ALL) $(WARNINGS) $(INCLUDES) -MMD -MP -MF $(B)/tools/$*.d -MT $@ $< $(LDFLAGS_ALL) -o $@
-include $(wildcard $(B)/tools/*.d)
