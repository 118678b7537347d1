/* SPDX-License-Identifier: GPL-2.0 */
/* The one function of the fuzzing harness, under the name that libFuzzer calls. */
#ifndef MCASTCTL_FUZZ_H
#define MCASTCTL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int fuzz_one(const uint8_t *data, size_t size) __asm__("LLVMFuzzerTestOneInput");

#endif
