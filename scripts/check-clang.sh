#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the modules with clang, W=1 and sparse; a warning is a failure.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
unset MAKEFLAGS MAKELEVEL MFLAGS
scripts/deps.sh build vm check clang
scripts/check-build.sh clang
say "clang: no warnings"
