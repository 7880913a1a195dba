/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions and DSOs without the parts that depend on the build. Pure. */
#ifndef PERFSTAMP_MODEL_COMPARE_NAMES_H
#define PERFSTAMP_MODEL_COMPARE_NAMES_H

#include <stddef.h>

/*
 * Copies the name without the parts that differ between builds: a compiler's suffix of a clone or
 * of a part of a function, and a linker's suffix of a version. Examples: "parse.constprop.0",
 * "parse.part.1.cold", "f() [clone .isra.0]", "parse.llvm.123", "free@@GLIBC_2.2.5"; but "free@plt"
 * stays. Cuts the name to @size with its NUL.
 */
void compare_names__function(char *ret, size_t size, const char *name);
/*
 * The name of a library's file without its version: "libfoo.so.1.2" and "libfoo-1.2.so" are
 * "libfoo.so". Cut to @size with its NUL.
 */
void compare_names__dso(char *ret, size_t size, const char *name);

#endif
