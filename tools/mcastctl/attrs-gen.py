#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write attrs_gen.c: what the netlink spec says about every attribute.

Usage: attrs-gen.py SPEC > attrs_gen.c
"""
import sys

import yaml

TYPES = {"u32": "UINT", "u64": "UINT", "uint": "UINT", "s32": "SINT", "sint": "SINT",
         "string": "STRING", "flag": "FLAG", "nest": "NEST", "binary": "BINARY"}


def ident(name):
    return name.replace("-", "_")


def quote(text):
    text = " ".join((text or "").split())
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    with open(sys.argv[1], encoding="utf-8") as spec_file:
        spec = yaml.safe_load(spec_file)
    consts = {d["name"]: d["value"] for d in spec["definitions"] if d["type"] == "const"}
    enums = {d["name"]: d for d in spec["definitions"] if d["type"] in ("enum", "flags")}
    sets = spec["attribute-sets"]

    print("// SPDX-License-Identifier: GPL-2.0")
    print("/* Do not edit: made by attrs-gen.py from Documentation/netlink/specs/mcfab.yaml */")
    print("#include <linux/mcfab.h>\n\n#include \"attrs.h\"\n")

    for name, enum in enums.items():
        print(f"static const struct attr_word {ident(name)}_words[] = {{")
        for entry in enum["entries"]:
            word = entry if isinstance(entry, dict) else {"name": entry}
            doc = f", .doc = {quote(word['doc'])}" if "doc" in word else ""
            print(f"\t{{ .name = {quote(word['name'])}{doc} }},")
        print("};\n")
        start = enum.get("value-start", 0)
        print(f"static const struct attr_enum {ident(name)}_enum = {{")
        print(f"\t{ident(name)}_words, ARRAY_SIZE({ident(name)}_words), {start},"
              f" {'true' if enum['type'] == 'flags' else 'false'},")
        print("};\n")

    for attrs in sets:
        print(f"static const struct attr_set {ident(attrs['name'])}_set;")
    print()

    for attrs in sets:
        name = ident(attrs["name"])
        prefix = "MCFAB_A_" + name.upper()
        print(f"static const struct attr_desc {name}_attrs[] = {{")
        for attr in attrs["attributes"]:
            kind = TYPES[attr["type"]]
            fields = [f".name = {quote(attr['name'])}", f".type = ATTR_{kind}"]
            if attr.get("multi-attr"):
                fields.append(".multi = true")
            if attr["type"] in ("u64", "uint", "sint"):
                fields.append(".wide = true")
            if attr["type"] == "binary":
                fields.append(f".width = {int(attr['sub-type'][1:]) // 8}")
            if "enum" in attr:
                fields.append(f".words = &{ident(attr['enum'])}_enum")
            if "nested-attributes" in attr:
                fields.append(f".nested = &{ident(attr['nested-attributes'])}_set")
            for check in ("min", "max"):
                if check in attr.get("checks", {}):
                    value = attr["checks"][check]
                    value = consts.get(value, value)
                    fields.append(f".has_{check} = true, .{check} = {value}")
            if "doc" in attr:
                fields.append(f".doc = {quote(attr['doc'])}")
            print(f"\t[{prefix}_{ident(attr['name']).upper()}] = {{")
            for field in fields:
                print(f"\t\t{field},")
            print("\t},")
        print("};\n")
        print(f"static const struct attr_set {name}_set = {{")
        print(f"\t{quote(attrs['name'])}, {name}_attrs, ARRAY_SIZE({name}_attrs),\n}};\n")

    ops = {op["name"]: op for op in spec["operations"]["list"]}
    print("const struct attr_op attr_ops[] = {")
    for op in ops.values():
        attrs = op if "attribute-set" in op else ops[op["notify"]]
        print(f"\t[MCFAB_CMD_{ident(op['name']).upper()}] = "
              f"{{ {quote(op['name'])}, &{ident(attrs['attribute-set'])}_set }},")
    print("};\n\nconst u32 attr_nops = ARRAY_SIZE(attr_ops);")


main()
