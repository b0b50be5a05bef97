# CmdStan with the private algorithms; no file of CmdStan is changed.
#   CMDSTAN=/path make path/to/model     builds a model with that CmdStan
#   make install CMDSTAN=/path           every model that this CmdStan builds has them from now on
#   make uninstall CMDSTAN=/path
.PHONY: install uninstall
install uninstall:
	@$(ROOT)/make/cmdstan.sh $@ "$(CMDSTAN)"

ifdef CMDSTAN
# CmdStan's makefile decides what is out of date. It must not inherit this make's flags.
.PHONY: $(MODELS)
$(MODELS): %: %.stan
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(ROOT)/make/cmdstan.sh build "$(CMDSTAN)" "$(abspath $@)" "$(STANCFLAGS)"
endif
