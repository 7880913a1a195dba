# SPDX-License-Identifier: GPL-2.0-only
# What the Makefile installs and removes again, and the tarball of a release. One list of
# files, FILE:DESTINATION, is for both directions.
INSTALL_FILES := \
	$(patsubst %,%:share/man/man1/,$(wildcard docs/man/*.1)) \
	$(patsubst %,%:share/doc/perfstamp/,NEWS README.md $(wildcard docs/*.md docs/*.yaml docs/*.json)) \
	$(patsubst %,%:include/perfstamp/,$(wildcard include/perfstamp/*.h)) \
	systemd/sysusers.conf:lib/sysusers.d/perfstamp.conf \
	completions/perfstamp.bash:share/bash-completion/completions/perfstamp \
	completions/_perfstamp:share/zsh/site-functions/_perfstamp \
	completions/perfstamp.fish:share/fish/vendor_completions.d/perfstamp.fish
INSTALL_TO = $(foreach f,$(INSTALL_FILES),$(if $(filter %/,$(f)),$(lastword $(subst :, ,$(f)))$(notdir $(firstword $(subst :, ,$(f)))),$(lastword $(subst :, ,$(f)))))
SYSCONFDIR ?= /etc
UNITS := perfstamp.service perfstamp-push@.service
UNIT_DIR := lib/systemd/system

.PHONY: install
install: all
	$(call msg,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -D -t '$(DESTDIR)$(PREFIX)/bin' $(OUTPUT)/perfstamp
	$(Q)set -e; for pair in $(INSTALL_FILES); do \
		to='$(DESTDIR)$(PREFIX)'/$${pair#*:}; \
		case $$to in */) to=$$to$$(basename "$${pair%%:*}") ;; esac; \
		install -D -m 644 "$${pair%%:*}" "$$to"; \
	done
	$(Q)install -d '$(DESTDIR)$(PREFIX)/$(UNIT_DIR)'
	$(Q)set -e; for unit in $(UNITS); do \
		to='$(DESTDIR)$(PREFIX)/$(UNIT_DIR)'/$$unit; \
		sed 's|@PREFIX@|$(PREFIX)|' systemd/$$unit >"$$to"; \
		chmod 644 "$$to"; \
	done
	$(Q)[ -e '$(DESTDIR)$(SYSCONFDIR)/perfstamp.conf' ] || \
		install -D -m 644 -t '$(DESTDIR)$(SYSCONFDIR)' systemd/perfstamp.conf

# A configuration that was edited stays; so do directories that others use as well.
.PHONY: uninstall
uninstall:
	$(call msg,REMOVE,$(DESTDIR)$(PREFIX))
	$(Q)cd '$(DESTDIR)$(PREFIX)/' && rm -f bin/perfstamp $(addprefix $(UNIT_DIR)/,$(UNITS)) $(INSTALL_TO)
	$(Q)cd '$(DESTDIR)$(PREFIX)/' && for dir in share/doc/perfstamp include/perfstamp; do \
		[ ! -d $$dir ] || rmdir --ignore-fail-on-non-empty $$dir; \
	done
	$(Q)conf='$(DESTDIR)$(SYSCONFDIR)/perfstamp.conf'; [ ! -e "$$conf" ] || \
		if cmp -s "$$conf" systemd/perfstamp.conf; then \
			rm -f "$$conf"; \
		else \
			echo "uninstall: $$conf was edited and is kept"; \
		fi

# The release: what is committed, in a tarball that builds without git. The same commit gives
# the same bytes.
DIST := $(OUTPUT)/perfstamp-$(VERSION).tar.xz

.PHONY: dist
dist:
	$(call msg,DIST,$(DIST))
	$(Q)mkdir -p $(OUTPUT)
	$(Q)git archive --format=tar --prefix=perfstamp-$(VERSION)/ -o $(DIST).tar HEAD
	$(Q)xz -T1 -c $(DIST).tar >$(DIST) && rm -f $(DIST).tar

# Unpacks the tarball where there is no git, builds, installs and runs it there: some minutes.
.PHONY: distcheck
distcheck: dist
	$(Q)tests/lib/distcheck.sh $(DIST)

.PHONY: version
version:
	@echo $(VERSION)

# The libraries of the program, as CycloneDX: goes beside a release's binaries.
.PHONY: sbom
sbom: all
	$(call msg,SBOM,$(OUTPUT)/perfstamp.cdx.json)
	$(Q)scripts/sbom $(OUTPUT)/perfstamp $(VERSION) >$(OUTPUT)/perfstamp.cdx.json.new
	$(Q)mv $(OUTPUT)/perfstamp.cdx.json.new $(OUTPUT)/perfstamp.cdx.json
