// SPDX-License-Identifier: GPL-2.0-only
/* See runtime.h. */
#include "user/parse/code/runtime.h"

#include <string.h>

#define NODE "node --perf-basic-prof-only-functions, or --perf-prof for source lines, too"
#define PYTHON                                                                                     \
	"python3 -X perf (3.12 or later), or -X perf_jit (3.13 or later) and record "              \
	"--call-graph dwarf"
#define LUAJIT "build LuaJIT with -DLUAJIT_USE_PERFTOOLS"

static const struct runtime RUNTIMES[] = {
	{"node", "Node.js", NODE, false},
	{"libnode.so", "Node.js", NODE, false},
	{"libjvm.so", "Java",
		"java -XX:+PreserveFramePointer, and jcmd PID Compiler.perfmap while it is "
		"recorded",
		false},
	{"libcoreclr.so", ".NET", "DOTNET_PerfMapEnabled=1", false},
	{"python3", "Python", PYTHON, true},
	{"libpython3", "Python", PYTHON, true},
	{"php", "PHP", "php -d opcache.jit_debug=0x10, or 0x20 for a jitdump", false},
	{"luajit", "LuaJIT", LUAJIT, false},
	{"luajit-2", "LuaJIT", LUAJIT, false},
	{"libluajit-5.1.so", "LuaJIT", LUAJIT, false},
	{"ruby", "Ruby", "ruby --yjit-perf (3.3 or later)", false},
	{"libruby", "Ruby", "ruby --yjit-perf (3.3 or later)", false},
	{"beam.smp", "Erlang", "erl +JPperf true", false},
	{"libjulia", "Julia", "ENABLE_JITPROFILING=1", false},
	{"mono", "Mono", "mono --jitmap", false},
	{"mono-sgen", "Mono", "mono --jitmap", false},
	{"wasmtime", "Wasmtime", "wasmtime --profile=perfmap, or jitdump", false},
	{"llvmjit.so", "PostgreSQL",
		"SET jit_profiling_support = on, before a session's first query", false},
	{"libLLVM", "LLVM", "the program has to register LLVM's PerfJITEventListener", false},
};

#define N_RUNTIMES (sizeof(RUNTIMES) / sizeof(RUNTIMES[0]))

_Static_assert(N_RUNTIMES <= RUNTIMES_MAX, "each has a number");

/*
 * Whether the name ends here: "node" does not match "nodelist", but "python3" matches "python3.12",
 * and "libLLVM" matches "libLLVM-14.so".
 */
static bool ends_name(const char *file, char next)
{
	return !strncmp(file, "lib", 3) ||
	       !strchr("_-abcdefghijklmnopqrstuvwxyz", next ? next : '.');
}

const struct runtime *runtime__of_file(const char *path)
{
	const char *base = strrchr(path, '/');

	if (!base)
		return NULL;
	for (size_t i = 0; i < N_RUNTIMES; i++) {
		size_t len = strlen(RUNTIMES[i].file);

		if (!strncmp(base + 1, RUNTIMES[i].file, len) &&
			ends_name(RUNTIMES[i].file, base[1 + len]))
			return &RUNTIMES[i];
	}
	return NULL;
}

size_t runtime__number(const struct runtime *runtime)
{
	size_t i = 0;

	while (strcmp(RUNTIMES[i].name, runtime->name) != 0)
		i++;
	return i;
}
