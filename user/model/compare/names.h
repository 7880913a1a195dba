/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions and DSOs without the parts that depend on the build. Pure. */
#ifndef PERFSTAMP_MODEL_COMPARE_NAMES_H
#define PERFSTAMP_MODEL_COMPARE_NAMES_H

#include <stddef.h>

/*
 * Copies the name without suffixes that differ between builds: the compiler's for clones and for
 * parts of a function, and the linker's for symbol versions. Examples: "parse.constprop.0",
 * "parse.part.1.cold", "f() [clone .isra.0]", "parse.llvm.123", "free@@GLIBC_2.2.5". "free@plt" is
 * copied as it is. Truncates the name to @size with its NUL.
 */
void compare_names__function(char *ret, size_t size, const char *name);
/*
 * Copies the name of a library's file without its version: "libfoo.so.1.2" and "libfoo-1.2.so"
 * become "libfoo.so". Truncates it to @size with its NUL.
 */
void compare_names__dso(char *ret, size_t size, const char *name);

#endif
