# SPDX-License-Identifier: GPL-2.0
"""Specs are read by libyaml where Python's yaml has it: seven times as fast as by Python, which
counts on an emulated machine. With arguments, a program of Python is run with that."""

import functools
import os
import runpy
import sys

import yaml

if hasattr(yaml, "CSafeLoader"):
    yaml.safe_load = functools.partial(yaml.load, Loader=yaml.CSafeLoader)

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")
