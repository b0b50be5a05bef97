# The toolchain and how the compiler is called.
TOOLCHAIN := $(BUILD)/toolchain
STANC := $(TOOLCHAIN)/stanc
STANCFLAGS ?= --O1
O ?= 3

ifdef SANITIZE
  B := $(BUILD)/sanitize
  O := 1
  SANITIZER := -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1
else
  B := $(BUILD)
  SANITIZER :=
endif

CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
# Everything is built with threads: Stan's autodiff needs STAN_THREADS to be in every object or in none.
CPPFLAGS_STAN := -D_REENTRANT -DSTAN_THREADS -DBOOST_DISABLE_ASSERTS
CXXFLAGS_ALL := -std=c++17 -O$(O) -pthread $(SANITIZER) $(CPPFLAGS_STAN)
WARNINGS := -Wall -Wextra -Wno-unused-local-typedefs -Wno-ignored-attributes
INCLUDES := -I $(ROOT)/src -isystem $(TOOLCHAIN)/include
LDFLAGS_ALL := -pthread $(SANITIZER) -L $(TOOLCHAIN)/lib -Wl,-rpath,$(TOOLCHAIN)/lib
LDLIBS_STAN := $(addprefix $(TOOLCHAIN)/lib/,libsundials_cvodes.a libsundials_idas.a libsundials_kinsol.a libsundials_nvecserial.a) -ltbb -ldl
DEPENDENCIES = -MMD -MP -MF $@.d -MT $@

# What depends on the toolchain depends on it being there, not on its time.
$(TOOLCHAIN)/stanc:
	@$(ROOT)/make/toolchain.sh $(TOOLCHAIN)
	@touch $@

# Stan's model header, precompiled: half of the time that a model takes.
PCH := $(B)/pch
PCH_MODEL := $(PCH)/stan/model/model_header.hpp.gch
$(PCH_MODEL): $(ROOT)/make/flags.mk | $(TOOLCHAIN)/stanc
	@mkdir -p $(@D)
	@echo "--- Precompiling Stan's model header (once) ---"
	@$(CXX) $(CXXFLAGS_ALL) -w -isystem $(TOOLCHAIN)/include -x c++-header $(TOOLCHAIN)/include/stan/model/model_header.hpp -o $@
