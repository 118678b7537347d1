#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Usage: verdict.sh STATUS CONSOLE
# Say why a VM run in which every test came to its end was not clean.
"$(dirname "$0")/scan-console.sh" "$2"
echo "the VM's run ended with status $1 (99: splat, taint or leak); see $2"
exit 1
