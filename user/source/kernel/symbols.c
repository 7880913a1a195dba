// SPDX-License-Identifier: GPL-2.0-only
/* See symbols.h. Only the thread uses its data until it has set .done. */
#include "user/source/kernel/symbols.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/source/kernel/kallsyms.h"

#define SYMBOLS_MAX 100000

struct found {
	uint64_t addr;
	uint16_t type;
	char *name;
};

struct kernel_symbols {
	pthread_t thread;
	int fd; /* negative: open /proc/kallsyms */
	bool joined;
	atomic_bool done;
	int code; /* result of reading; valid after .done */
	struct found *v;
	size_t n;
	size_t room;
};

/* The kernel's names for symbols outside of modules (kernel/kallsyms.c), and their kinds. */
static uint16_t kind_of(const struct kallsyms_symbol *symbol)
{
	if (!strcmp(symbol->module, "bpf"))
		return strncmp(symbol->name, "bpf_prog_", 9) != 0 ? PERF_RECORD_KSYMBOL_TYPE_BPF
								  : 0;
	return strncmp(symbol->module, "__builtin__", 11) ? 0 : PERF_RECORD_KSYMBOL_TYPE_OOL;
}

static int add(void *ctx, const struct kallsyms_symbol *symbol)
{
	struct kernel_symbols *symbols = ctx;
	uint16_t type = symbol->module && symbol->addr ? kind_of(symbol) : 0;

	if (!type || symbols->n >= SYMBOLS_MAX)
		return 0;
	if (array__reserve(&symbols->v, &symbols->room, symbols->n + 1, sizeof(*symbols->v)))
		return -ENOMEM;
	symbols->v[symbols->n] = (struct found){
		.addr = symbol->addr, .type = type, .name = strdup(symbol->name)};
	if (!symbols->v[symbols->n].name)
		return -ENOMEM;
	symbols->n++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void forget(struct kernel_symbols *symbols)
{
	for (size_t i = 0; i < symbols->n; i++)
		free(symbols->v[i].name);
	symbols->n = 0;
}

static int read_all(struct kernel_symbols *symbols)
{
	int code = -ENOENT;

	if (symbols->fd >= 0)
		code = kallsyms__read_fd(symbols->fd, -1, add, symbols);
	if (code) {
		forget(symbols);
		code = proc_kallsyms__read("", -1, add, symbols);
	}
	if (symbols->n)
		qsort(symbols->v, symbols->n, sizeof(*symbols->v), compare);
	return code == -ENOENT ? 0 : code; /* CONFIG_KALLSYMS=n */
}

static void *run(void *ctx)
{
	struct kernel_symbols *symbols = ctx;

	symbols->code = read_all(symbols);
	atomic_store(&symbols->done, true);
	return NULL;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

int kernel_symbols__new(struct kernel_symbols **ret, int fd)
{
	struct kernel_symbols *symbols = calloc(1, sizeof(*symbols));
	sigset_t all, old;
	int code;

	if (!symbols) {
		close_fd(fd);
		return -ENOMEM;
	}
	symbols->fd = fd;
	/* Signals are handled by the recorder's main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	code = pthread_create(&symbols->thread, NULL, run, symbols);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (code) {
		close_fd(fd);
		free(symbols);
		return -code;
	}
	*ret = symbols;
	return 0;
}

static void join(struct kernel_symbols *symbols)
{
	if (!symbols->joined)
		pthread_join(symbols->thread, NULL);
	symbols->joined = true;
}

void kernel_symbols__free(struct kernel_symbols *symbols)
{
	if (!symbols)
		return;
	join(symbols);
	close_fd(symbols->fd);
	forget(symbols);
	free(symbols->v);
	free(symbols);
}

static int hand_out(const struct kernel_symbols *symbols, size_t i, kernel_symbol_fn *fn, void *ctx)
{
	const struct found *found = &symbols->v[i];
	/* The size is not known: the text ends at the next symbol, or else with its page. */
	uint64_t len = sysconf(_SC_PAGESIZE);
	struct event event = event__of_kernel(EVENT_KSYMBOL, PERF_RECORD_KSYMBOL);

	if (i + 1 < symbols->n && found[1].addr - found->addr < len)
		len = found[1].addr - found->addr;
	if (!len)
		return 0; /* a second name of the same text */
	event.ksymbol.addr = found->addr;
	event.ksymbol.len = len;
	event.ksymbol.ksym_type = found->type;
	event.ksymbol.name = found->name;
	return fn(ctx, &event);
}

int kernel_symbols__synthesize(
	struct kernel_symbols *symbols, bool wait, kernel_symbol_fn *fn, void *ctx)
{
	int code;

	if (wait)
		join(symbols);
	if (!atomic_load(&symbols->done))
		return 0;
	code = symbols->code;
	for (size_t i = 0; !code && i < symbols->n; i++)
		code = hand_out(symbols, i, fn, ctx);
	return code ? code : 1;
}
