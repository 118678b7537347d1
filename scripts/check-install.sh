#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# "make install" into a folder: everything is there, nothing is touched outside; "make uninstall"
# removes all of it.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

cd "$mcfab_top"
find_kernel
# The VM's modules, as build-modules.sh makes them: they are not built once more.
kmod=$(scripts/build-modules.sh "$kdir" "$release")
unset MAKEFLAGS MAKELEVEL MFLAGS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Whom depmod is asked to work for; elsewhere it does nothing.
mkdir "$tmp/bin"
cat >"$tmp/bin/depmod" <<END
#!/bin/sh
echo "\$*" >>"$tmp/depmod.log"
case "\$*" in
*"-b $tmp/"*) PATH=/usr/sbin:/sbin:/usr/bin:/bin exec depmod "\$@" ;;
esac
echo "depmod \$*: not within $tmp" >&2
exit 1
END
chmod +x "$tmp/bin/depmod"

outside()
{
	find /lib/modules /usr/local -newer "$tmp/stamp" 2>/dev/null || :
}

try() # NAME FOLDER-OF-MODULES WORD...
{
	local name=$1 modules=$2 left
	shift 2

	rm -f "$tmp/depmod.log"
	touch "$tmp/stamp"
	(cd "$tmp" && PATH=$tmp/bin:$PATH make -s -C "$mcfab_top" install MODULES="$kmod" W=1 \
		DEPMOD="$tmp/bin/depmod" "$@") >"$tmp/log" 2>&1 || {
		tail -n 20 "$tmp/log" >&2
		die "$name: install failed"
	}
	[ -z "$(outside)" ] || die "$name: touched outside: $(outside | head -n 3)"
	[ -s "$tmp/depmod.log" ] || die "$name: depmod was not called"
	[ -n "$(find "$modules/lib/modules" -name 'mcfab.ko*')" ] || die "$name: no module"
	grep -qr 'mcfab_dp.ko.*mcfab.ko' "$modules/lib/modules" || die "$name: no modules.dep"
	[ -x "$tmp/$name/usr/local/sbin/mcastctl" ] || die "$name: no mcastctl"
	local man=$tmp/$name/usr/local/share/man page
	for page in man7/mcfab.7 man7/mcfab-policy.7 man8/mcastctl.8; do
		[ -s "$man/$page" ] || die "$name: no $page"
	done
	for page in $("$tmp/$name/usr/local/sbin/mcastctl" help |
			sed -n '/^Options/q; s/^  \([a-z]*\) .*/\1/p' | sort -u); do
		[ -s "$man/man8/mcastctl-$page.8" ] || die "$name: no page on $page"
	done
	[ -s "$tmp/$name/usr/lib/ip/link_mcfab.so" ] || die "$name: no plug-in of ip"
	[ -s "$tmp/$name/usr/local/share/mcfab/symvers/$release" ] || die "$name: no symvers"
	[ -s "$tmp/$name/usr/local/share/mcfab/include/shim/linux/module.h" ] ||
		die "$name: no headers for policies of one's own"
	grep -q '^ExecStart=/usr/local/sbin/mcastctl ' \
		"$tmp/$name/usr/local/lib/systemd/system/mcfab-restore.service" ||
		die "$name: no unit of systemd"
	use_library "$tmp/$name/usr/local" "$name"

	(cd "$tmp" && PATH=$tmp/bin:$PATH make -s -C "$mcfab_top" uninstall MODULES="$kmod" \
		DEPMOD="$tmp/bin/depmod" "$@") >"$tmp/log" 2>&1 || {
		tail -n 20 "$tmp/log" >&2
		die "$name: uninstall failed"
	}
	left=$(find "$tmp/$name" "$modules" ! -type d ! -name 'modules.*')
	[ -z "$left" ] || die "$name: uninstall left $left"
}

# An example is built with what is installed, and the Python module loads it.
use_library() # PREFIX NAME
{
	local flags

	for file in lib/libmcfab.a lib/libmcfab.so.0 include/mcfab-icnt.h; do
		[ -s "$1/$file" ] || die "$2: no $file"
	done
	flags=$(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --define-variable=prefix="$1" --cflags \
		--libs libmcfab) || die "$2: no libmcfab.pc"
	# shellcheck disable=SC2086
	cc libmcfab/examples/coherence.c $flags -o "$tmp/coherence" || die "$2: libmcfab: no program"
	LD_LIBRARY_PATH=$1/lib "$tmp/coherence" 1 >"$tmp/log" 2>&1 ||
		die "$2: libmcfab: $(tail -n 1 "$tmp/log")"
	cc libmcfab/examples/coherence.c -I"$1/include" "$1/lib/libmcfab.a" -lpthread -lm -ldl \
		-o "$tmp/static" || die "$2: libmcfab.a: no program"
	"$tmp/static" 1 >"$tmp/static.log" 2>/dev/null || die "$2: libmcfab.a: no result"
	grep -qxFf "$tmp/static.log" "$tmp/log" || die "$2: libmcfab.a: another result"
	LD_LIBRARY_PATH=$1/lib PYTHONPATH=$1/lib/python3/dist-packages python3 -c \
		'import mcfab; mcfab.Fabric("topology mesh dims 4x4").close()' ||
		die "$2: no module of Python"
}

try both "$tmp/both-modules" DESTDIR="$tmp/both" INSTALL_MOD_PATH="$tmp/both-modules"
try one "$tmp/one" DESTDIR="$tmp/one"
say "make install stays in its folder, and make uninstall leaves nothing there"
