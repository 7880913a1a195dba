/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions and DSOs without the parts that depend on the build. Pure. */
#ifndef PERFSTAMP_MODEL_COMPARE_NAMES_H
#define PERFSTAMP_MODEL_COMPARE_NAMES_H

#include <stddef.h>

/*
 * The name without what differs between builds: what a compiler puts behind that of a clone or
 * of a part, and a linker behind that of a version: "parse.constprop.0", "parse.part.1.cold",
 * "f() [clone .isra.0]", "parse.llvm.123", "free@@GLIBC_2.2.5"; but "free@plt" stays. Cut to
 * @size with its NUL.
 */
void compare_names__function(char *ret, size_t size, const char *name);
/*
 * The name of a library's file without its version: "libfoo.so.1.2" and "libfoo-1.2.so" are
 * "libfoo.so". Cut to @size with its NUL.
 */
void compare_names__dso(char *ret, size_t size, const char *name);

#endif
