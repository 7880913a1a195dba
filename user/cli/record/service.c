// SPDX-License-Identifier: GPL-2.0-only
/* See service.h. */
#include "user/cli/record/service.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/helper/capability.h"
#include "user/source/machine/clock.h"
#include "user/source/machine/metrics_listener.h"
#include "user/source/machine/own_usage.h"
#include "user/source/machine/systemd.h"

/* Interval of writing the file and of reporting the state to systemd. */
#define FILE_NS 15000000000ull

struct service {
	struct service_options options;
	struct recorder_attendant attendant;
	struct metrics_listener *listener; /* NULL: metrics are not served */
	double start_s;
	uint64_t watchdog_ns; /* interval of watchdog notifications; 0: none are expected */
	uint64_t alive_ns;    /* monotonic time of the last notification */
	uint64_t reported_ns; /* the same for the file */
	bool file_failed;     /* the last write failed, and this was reported */
};

/* ---- Options ---- */

enum { KEY_SOCKET = 2048, KEY_FILE };

static const struct argp_option OPTIONS[] = {
	{"metrics-socket", KEY_SOCKET, "PATH|ADDRESS:PORT", 0,
		"Serve OpenMetrics on this unix socket or loopback address", 0},
	{"metrics-file", KEY_FILE, "FILE", 0, "Write OpenMetrics to FILE every 15 seconds", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct service_paths *paths = state->input;

	switch (key) {
	case KEY_SOCKET:
		paths->metrics_socket = arg;
		return 0;
	case KEY_FILE:
		paths->metrics_file = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp SERVICE_ARGP = {.options = OPTIONS, .parser = parse};

/* ---- Metrics ---- */

static void __attribute__((format(printf, 2, 3)))
note(const struct service *service, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	service->options.note(text, service->options.ctx);
}

static void measure(const struct service *service, struct metrics *ret)
{
	struct recorder_summary summary;

	recorder__summary(*service->options.recorder, &summary);
	*ret = (struct metrics){
		.command = service->options.command,
		.version = PERFSTAMP_VERSION,
		.rung = summary.rung,
		.start_s = service->start_s,
		.cpu_s = own_usage__cpu_s(false),
		.rss_bytes = own_usage__memory(),
		.counters = summary.counters,
		.records = summary.output,
	};
}

static void write_text(void *ctx, FILE *out)
{
	const struct service *service = ctx;
	struct metrics metrics;

	measure(service, &metrics);
	if (service->options.fill)
		service->options.fill(service->options.ctx, &metrics);
	metrics__write(out, &metrics);
}

/* Gives the new file the permissions of the old one. */
static int take_mode(int fd, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	return fchmod(fd, st.st_mode & 0777) < 0 ? -errno : 0;
}

/* Replaces the file atomically: a reader sees the old file until the new one is complete. */
static int replace_file(struct service *service, const char *path)
{
	char *name, *text = NULL;
	size_t size;
	int fd, code;

	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC); /* mode 0600 */
	code = fd < 0 ? -errno : take_mode(fd, path);
	if (!code)
		code = metrics_text__make(write_text, service, &text, &size);
	if (!code && write(fd, text, size) != (ssize_t)size)
		code = errno ? -errno : -EIO;
	if (fd >= 0)
		close(fd);
	if (!code && rename(name, path) < 0)
		code = -errno;
	if (code && fd >= 0)
		unlink(name);
	free(text);
	free(name);
	return code;
}

/*
 * Writes the metrics. A full disk does not end the recording: it is reported once, and the next
 * write tries again.
 */
static void write_file(struct service *service)
{
	const char *path = service->options.paths.metrics_file;
	struct error err;
	int code;

	if (!path)
		return;
	errno = 0;
	code = replace_file(service, path);
	if (code && !service->file_failed) {
		error__errno(&err, code, "--metrics-file: cannot write %s", path);
		note(service, "%s; perfstamp tries again every 15 seconds", err.text);
	}
	if (!code && service->file_failed)
		note(service, "--metrics-file: %s can be written again", path);
	service->file_failed = code;
}

/* ---- systemd ---- */

static void report_state(const struct service *service)
{
	struct metrics metrics;
	const uint64_t *n = metrics.counters.n;

	if (!systemd__listens())
		return;
	measure(service, &metrics);
	systemd__notify("STATUS=%s by %s: %" PRIu64 " samples, %" PRIu64 " mappings, %" PRIu64
			" lost, %.1f MB written",
		service->options.command, metrics.rung, n[COUNTER_SAMPLES], n[COUNTER_MAPS],
		counters__lost(&metrics.counters), (double)n[COUNTER_BYTES] / 1e6);
}

static void look_at_time(struct service *service)
{
	uint64_t now_ns = clock__now(CLOCK_MONOTONIC);

	if (service->watchdog_ns && now_ns - service->alive_ns >= service->watchdog_ns) {
		service->alive_ns = now_ns;
		systemd__notify("WATCHDOG=1");
	}
	if (now_ns - service->reported_ns < FILE_NS)
		return;
	service->reported_ns = now_ns;
	write_file(service);
	report_state(service);
}

static int begin(struct service *service, struct error *err)
{
	int code = capability__keep(service->options.needs, err);

	if (code)
		return code;
	service->alive_ns = service->reported_ns = clock__now(CLOCK_MONOTONIC);
	write_file(service);
	systemd__notify("READY=1");
	report_state(service);
	return 0;
}

static void end(struct service *service, const char *why)
{
	if (service->options.verbose || systemd__is_service())
		note(service, "ends: %s", why);
	systemd__notify("STOPPING=1\nSTATUS=ends: %s", why);
	write_file(service);
}

int service__attend(void *ctx, enum recorder_moment moment, const char *why, struct error *err)
{
	struct service *service = ctx;

	switch (moment) {
	case RECORDER_BEGUN:
		return begin(service, err);
	case RECORDER_ROUND:
		if (service->listener)
			metrics_listener__handle(service->listener);
		look_at_time(service);
		return 0;
	case RECORDER_ENDING:
		end(service, why);
		return 0;
	}
	return 0;
}

const struct recorder_attendant *service__attendant(const struct service *service)
{
	return &service->attendant;
}

int service__new(struct service **ret, const struct service_options *options, struct error *err)
{
	struct service *service = calloc(1, sizeof(*service));
	const char *where = options->paths.metrics_socket;
	int code = 0;

	*ret = NULL;
	if (!service)
		return error__set(err, -ENOMEM, "out of memory");
	service->options = *options;
	service->start_s = (double)clock__now(CLOCK_REALTIME) / 1e9;
	service->watchdog_ns = systemd__watchdog_ns();
	if (where)
		code = metrics_listener__new(&service->listener, where, write_text, service, err);
	if (code) {
		service__free(service);
		return code;
	}
	service->attendant = (struct recorder_attendant){
		.attend = service__attend,
		.ctx = service,
		.fd = service->listener ? metrics_listener__fd(service->listener) : -1,
	};
	*ret = service;
	return 0;
}

void service__free(struct service *service)
{
	if (!service)
		return;
	metrics_listener__free(service->listener);
	free(service);
}
