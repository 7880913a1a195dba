// SPDX-License-Identifier: GPL-2.0-only
/*
 * See symbols_again.h. A thread reads the symbols while recording continues, because this takes a
 * twentieth of a second or more. Records that arrive from the rings meanwhile override what the
 * thread has read.
 */
#include "user/record/kernel/symbols_again.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/model/ksymbols.h"
#include "user/record/state/living.h"
#include "user/source/bpf/symbols.h"
#include "user/source/machine/clock.h"
#include "user/source/kernel/symbols.h"

struct symbols_again {
	struct map_writer *maps;
	struct bpf_record *programs;
	const struct living *living; /* NULL: living state is not followed */
	struct ksymbols *known;
	struct kernel_symbols *reading; /* NULL: no reading is in progress */
	/* State while the differences are written: */
	uint64_t now_ns;
	size_t n_others;  /* symbols that were read and are not programs */
	bool new_program; /* the program whose symbols are being written is new */
	struct error *err;
};

int symbols_again__new(struct symbols_again **ret, struct map_writer *maps,
	struct bpf_record *programs, const struct living *living)
{
	struct symbols_again *again = calloc(1, sizeof(*again));

	*ret = NULL;
	if (!again)
		return -ENOMEM;
	if (ksymbols__new(&again->known)) {
		free(again);
		return -ENOMEM;
	}
	again->maps = maps;
	again->programs = programs;
	again->living = living;
	map_writer__set_symbols(maps, again->known);
	*ret = again;
	return 0;
}

void symbols_again__free(struct symbols_again *again)
{
	if (!again)
		return;
	kernel_symbols__free(again->reading);
	map_writer__set_symbols(again->maps, NULL);
	ksymbols__free(again->known);
	free(again);
}

int symbols_again__ksymbol(
	struct symbols_again *again, const struct record_view *view, struct error *err)
{
	struct record_ksymbol symbol;

	if (!record_ksymbol__read(&symbol, view))
		return 0;
	if (symbol.unregister)
		ksymbols__remove(again->known, symbol.addr);
	else if (symbol.name && ksymbols__add(again->known, symbol.addr, symbol.len,
					symbol.ksym_type, symbol.name))
		return error__errno(err, -ENOMEM, "kernel symbols");
	return 0;
}

void symbols_again__begin(struct symbols_again *again)
{
	/* A reading that is in progress may have begun before the loss. */
	kernel_symbols__free(again->reading);
	again->reading = NULL;
	ksymbols__look(again->known);
	/* If there is no memory, nothing is read: the next loss tries again. */
	if (kernel_symbols__new(&again->reading, -1))
		again->reading = NULL;
}

bool symbols_again__is_reading(const struct symbols_again *again)
{
	return again->reading;
}

static int write_now(void *ctx, const struct event *event)
{
	struct symbols_again *again = ctx;
	struct event copy = *event;
	int code;

	copy.time_ns = again->now_ns;
	code = map_writer__event(again->maps, &copy);
	return code ? map_writer__explain(again->maps, code, "kernel symbols", again->err) : 0;
}

static int on_other(void *ctx, const struct event *event)
{
	struct symbols_again *again = ctx;

	again->n_others++;
	return ksymbols__see(again->known, event->ksymbol.addr, event->ksymbol.name)
		       ? 0
		       : write_now(again, event);
}

/* The event of a program follows its symbols. */
static int on_program(void *ctx, const struct event *event)
{
	struct symbols_again *again = ctx;
	int code = 0;

	if (event->kind == EVENT_KSYMBOL) {
		if (ksymbols__see(again->known, event->ksymbol.addr, event->ksymbol.name))
			return 0;
		again->new_program = true;
		return write_now(again, event);
	}
	if (again->new_program && again->programs) {
		code = bpf_record__program(again->programs, event->bpf.id, again->err);
		if (!code)
			code = write_now(again, event);
	}
	again->new_program = false;
	return code;
}

static int on_end(void *ctx, const struct ksymbol *symbol)
{
	struct event event = event__of_kernel(EVENT_KSYMBOL, PERF_RECORD_KSYMBOL);

	event.ksymbol = (struct event_ksymbol){
		.addr = symbol->addr,
		.len = symbol->len,
		.ksym_type = symbol->type,
		.flags = PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
		.name = symbol->name,
	};
	return write_now(ctx, &event);
}

/* The ends of its symbols are reported separately. */
static int end_programs(struct symbols_again *again)
{
	const struct living *living = again->living;
	uint32_t *ids;
	size_t n;
	int code;

	if (!living)
		return 0;
	code = bpf_symbols__ids(&ids, &n);
	if (code)
		return code;
	code = alive__unload_gone_programs(living__alive(living), ids, n, write_now, again);
	free(ids);
	return code;
}

/*
 * *@ret: whether all programs could be read. Without the privilege or bpf(2), none can be read, and
 * a security module may hide one.
 */
static int report_programs(struct symbols_again *again, bool *ret)
{
	int code = bpf_symbols__synthesize(on_program, again);

	*ret = !code;
	if (code == -EPERM || code == -ENOSYS)
		return 0;
	return code < 0 ? code : end_programs(again);
}

int symbols_again__write(struct symbols_again *again, struct error *err)
{
	bool programs = false;
	int code;

	if (!again->reading)
		return 0;
	again->err = err;
	err->text[0] = '\0';
	again->n_others = 0;
	again->new_program = false;
	again->now_ns = map_writer__time(again->maps, clock__now(CLOCK_MONOTONIC));
	code = kernel_symbols__synthesize(again->reading, false, on_other, again);
	if (!code)
		return 0;
	kernel_symbols__free(again->reading);
	again->reading = NULL;
	if (code > 0)
		code = report_programs(again, &programs);
	if (!code && again->programs)
		code = bpf_record__flush(again->programs, err);
	/* If no symbol has an address, they are hidden, not removed. */
	if (!code)
		code = ksymbols__sweep(again->known, programs, again->n_others > 0, on_end, again);
	return code && !err->text[0] ? error__errno(err, code, "kernel symbols") : code;
}
