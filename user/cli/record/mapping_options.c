// SPDX-License-Identifier: GPL-2.0-only
/* See mapping_options.h. */
#include "user/cli/record/mapping_options.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "user/cli/option_value.h"

#define RING_BYTES_MAX (1ull << 30)

enum { KEY_RUNG = 1700, KEY_RING };

static const struct argp_option OPTIONS[] = {
	{"rung", KEY_RUNG, "RUNG", 0,
		"Observe mappings with the method RUNG: " MAPPING_RUNGS ". If it is unavailable, "
		"use the next weaker one",
		0},
	{"map-ring-size", KEY_RING, "SIZE", 0,
		"Size of the ring buffer for map records (default: 1M for each CPU)", 0},
	{0},
};

int mapping_options__rung(const char *text, struct recorder_options *ret)
{
	int rung;

	ret->no_mmap3 = strcasecmp(text, RECORDER_RUNG_MMAP3) != 0;
	ret->no_bpf = !strcasecmp(text, RECORDER_RUNG_MMAP2);
	ret->best_rung = 0;
	if (!ret->no_mmap3 || ret->no_bpf)
		return 0;
	for (rung = 0; rung < RUNG_COUNT; rung++) {
		if (!strcmp(text, rung__name(rung))) {
			ret->best_rung = rung;
			return 0;
		}
	}
	return -EINVAL;
}

int mapping_options__ring(const char *text, struct recorder_options *ret)
{
	uint64_t wanted, size = sysconf(_SC_PAGESIZE);

	if (option_value__bytes(text, &wanted) || wanted > RING_BYTES_MAX)
		return -EINVAL;
	/* The size of a BPF_MAP_TYPE_RINGBUF is a power of two of whole pages. */
	while (size < wanted)
		size *= 2;
	ret->bpf_ring_size = size;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case KEY_RUNG:
		if (mapping_options__rung(arg, state->input))
			argp_error(state, "--rung requires " MAPPING_RUNGS ": `%s'", arg);
		return 0;
	case KEY_RING:
		if (mapping_options__ring(arg, state->input))
			argp_error(state, "--map-ring-size requires " MAPPING_RING_SIZES ": `%s'",
				arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp MAPPING_ARGP = {
	.options = OPTIONS,
	.parser = parse,
};
