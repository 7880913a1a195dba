// SPDX-License-Identifier: GPL-2.0-only
/* See modules.h. */
#include "user/source/perf/modules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "user/event/decode.h"
#include "user/event/native.h"
#include "user/event/order.h"
#include "user/source/machine/clock.h"
#include "user/source/perf/open.h"
#include "user/source/perf/ring.h"
#include "user/source/perf/target.h"

/* Loading a module takes a millisecond and makes two records of 120 bytes. */
#define RING_PAGES 4

/* The events and the ring of one CPU. */
struct module_source {
	struct perf_ring *ring;
	int fd;        /* of the event that writes to the ring; the ring has the first event's */
	uint64_t lost; /* losses of the earlier events */
	bool gone;     /* the CPU is or was off-line */
};

struct perf_modules {
	struct event_decoder *decoder;
	struct order *order; /* of the records of all CPUs */
	struct perf_event_attr attr;
	struct module_source *sources;
	size_t n_sources;
	size_t asked; /* the CPU that the last look checked */
	struct perf_online online;
	int epoll_fd;
	/* only during a drain: */
	perf_module_fn *fn;
	void *ctx;
	struct error *err;
};

static int hand_out(void *ctx, const struct event *event)
{
	struct perf_modules *modules = ctx;
	struct perfstamp_module record = {
		.record =
			{
				.type = PERFSTAMP_RECORD_MODULE,
				.flags = event->module.flags,
				.size = sizeof(record),
				.time_ns = event->time_ns,
				.pid = event->pid,
				.tid = event->tid,
			},
		.state = event->module.state,
	};

	return modules->fn(&record, modules->ctx);
}

static int take_span(void *ctx, const void *records, size_t size)
{
	struct perf_modules *modules = ctx;
	const char *at = records, *end = at + size;
	struct perf_event_header header;
	struct event event;
	int code = 0;

	for (; !code && at < end; at += header.size) {
		memcpy(&header, at, sizeof(header));
		code = event_decoder__decode(
			modules->decoder, at, header.size, &event, modules->err);
		if (!code && event.kind == EVENT_MODULE)
			code = order__push(modules->order, &event);
	}
	return code;
}

static int open_event(const struct perf_modules *modules, int cpu)
{
	struct perf_event_attr attr = modules->attr;

	return perf_open(&attr, -1, cpu);
}

static int open_one(struct perf_modules *modules, int cpu)
{
	struct module_source *source = &modules->sources[modules->n_sources];
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int fd = open_event(modules, cpu), code;

	/* A CPU can go off-line after it was listed. */
	if (fd == -ENODEV && !perf_target__is_online(cpu))
		return 0;
	if (fd < 0)
		return fd;
	code = perf_ring__new(&source->ring, fd, cpu, RING_PAGES);
	if (code) {
		close(fd);
		return code;
	}
	source->fd = fd;
	modules->n_sources++;
	return epoll_ctl(modules->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int open_all(struct perf_modules *modules, const struct cpu_list *cpus)
{
	int code;

	modules->attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_LOST | PERF_FORMAT_TOTAL_TIME_ENABLED,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_id_all = 1,
		/* Every record wakes us: .wakeup_events counts only samples. */
		.watermark = 1,
		.wakeup_watermark = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	native_attr__set(&modules->attr, NATIVE_ATTR_MODULE);
	modules->sources = calloc(cpus->n, sizeof(*modules->sources));
	if (!modules->sources)
		return -ENOMEM;
	modules->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (modules->epoll_fd < 0)
		return -errno;
	code = event_decoder__new(&modules->decoder, false);
	if (!code)
		code = event_decoder__add_attr(modules->decoder, &modules->attr, NULL, 0);
	if (!code)
		code = order__new(&modules->order, hand_out, modules, 0);
	for (size_t i = 0; !code && i < cpus->n; i++)
		code = open_one(modules, cpus->cpus[i]);
	return code;
}

int perf_modules__new(struct perf_modules **ret, struct error *err)
{
	struct perf_target target = {0};
	struct perf_modules *modules;
	int code;

	*ret = NULL;
	if (access("/proc/modules", F_OK))
		return error__set(err, -ENOSYS, "the kernel has no modules (CONFIG_MODULES)");
	modules = calloc(1, sizeof(*modules));
	if (!modules)
		return error__set(err, -ENOMEM, "out of memory");
	modules->epoll_fd = -1;
	code = perf_target__set_cpus(&target, NULL, err);
	if (!code) {
		code = open_all(modules, &target.cpus);
		if (code)
			error__errno(err, code, "events of kernel modules");
	}
	perf_target__free(&target);
	if (code)
		perf_modules__free(modules);
	else
		*ret = modules;
	return code;
}

void perf_modules__free(struct perf_modules *modules)
{
	if (!modules)
		return;
	for (size_t i = 0; i < modules->n_sources; i++) {
		int fd = perf_ring__fd(modules->sources[i].ring);

		perf_ring__free(modules->sources[i].ring);
		if (modules->sources[i].fd != fd)
			close(modules->sources[i].fd);
		close(fd);
	}
	free(modules->sources);
	perf_online__free(&modules->online);
	if (modules->epoll_fd >= 0)
		close(modules->epoll_fd);
	order__free(modules->order);
	event_decoder__free(modules->decoder);
	free(modules);
}

int perf_modules__fd(const struct perf_modules *modules)
{
	return modules->epoll_fd;
}

int perf_modules__drain(
	struct perf_modules *modules, bool last, perf_module_fn *fn, void *ctx, struct error *err)
{
	uint64_t begin_ns = clock__now(CLOCK_MONOTONIC);
	int code = 0;

	modules->fn = fn;
	modules->ctx = ctx;
	modules->err = err;
	for (size_t i = 0; !code && i < modules->n_sources; i++)
		code = perf_ring__read(modules->sources[i].ring, take_span, modules, err);
	if (code)
		return code;
	/*
	 * A ring that was read first may have received records since then that are older than those
	 * of another ring.
	 */
	return last ? order__flush(modules->order) : order__release(modules->order, begin_ns);
}

static uint64_t lost_of(int fd)
{
	struct {
		uint64_t value;
		uint64_t time_enabled_ns;
		uint64_t lost;
	} counts;

	return read(fd, &counts, sizeof(counts)) == sizeof(counts) ? counts.lost : 0;
}

/* Opens the event again; it writes to the existing ring. */
static int open_again(const struct perf_modules *modules, struct module_source *source)
{
	int fd = open_event(modules, perf_ring__cpu(source->ring)), code;

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, perf_ring__fd(source->ring))) {
		code = -errno;
		close(fd);
		return code;
	}
	source->lost += lost_of(source->fd);
	if (source->fd != perf_ring__fd(source->ring))
		close(source->fd);
	source->fd = fd;
	source->gone = false;
	return 0;
}

static bool has_source(const struct perf_modules *modules, int cpu)
{
	for (size_t i = 0; i < modules->n_sources; i++)
		if (perf_ring__cpu(modules->sources[i].ring) == cpu)
			return true;
	return false;
}

/* Opens events on CPUs that did not exist before. Returns whether there was one. */
static bool open_new(struct perf_modules *modules, const struct cpu_list *online)
{
	bool found = false;

	for (size_t i = 0; i < online->n; i++) {
		struct module_source *more;

		if (has_source(modules, online->cpus[i]))
			continue;
		found = true;
		more = realloc(modules->sources, (modules->n_sources + 1) * sizeof(*more));
		if (!more)
			continue;
		modules->sources = more;
		more[modules->n_sources] = (struct module_source){0};
		open_one(modules, online->cpus[i]);
	}
	return found;
}

bool perf_modules__look_at_cpus(struct perf_modules *modules)
{
	bool missed = false, ask = true, found;
	const struct cpu_list *online;

	/* Without the list nothing is known: the next look may succeed. */
	if (!modules->n_sources || perf_online__look(&modules->online, &online))
		return false;
	found = open_new(modules, online);
	modules->asked = (modules->asked + 1) % modules->n_sources;
	for (size_t i = 0; i < modules->n_sources; i++) {
		struct module_source *source =
			&modules->sources[(modules->asked + i) % modules->n_sources];

		if (!cpu_list__has(online, perf_ring__cpu(source->ring))) {
			source->gone = true;
		} else {
			source->gone |= ask && perf_open__is_taken(source->fd);
			if (source->gone)
				missed |= open_again(modules, source) != -ENODEV;
			/* All CPUs but one are off-line while the machine is suspended. */
			ask = missed;
		}
	}
	return missed || found;
}

uint64_t perf_modules__lost(const struct perf_modules *modules)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < modules->n_sources; i++)
		lost += modules->sources[i].lost + lost_of(modules->sources[i].fd);
	return lost;
}
