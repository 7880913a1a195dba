#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs lintian with all its tags, informational and pedantic ones included, and fails if it has any.
# Usage: lintian.sh [OPTION...] CHANGES
set -euo pipefail

suppressed=()
case $(lintian --version) in
'Lintian v2.116.'*)
	# Debian 12 knows the policy of its day only, which still asked for init scripts.
	suppressed=(--suppress-tags 'newer-standards-version,package-supports-alternative-init-but-no-init.d-script')
	;;
esac
exec lintian --allow-root --info --display-info --pedantic --fail-on error,warning,info,pedantic \
	"${suppressed[@]}" "$@"
