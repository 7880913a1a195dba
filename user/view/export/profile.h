/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of an export, for all formats: the selected samples, and tables of their
 * mappings, functions and lines, and of their containers and units. Pure: the caller
 * resolves names and addresses.
 */
#ifndef PERFSTAMP_VIEW_EXPORT_PROFILE_H
#define PERFSTAMP_VIEW_EXPORT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/model.h"
#include "user/model/profile/functions.h"
#include "user/model/profile/samples.h"
#include "user/model/profile/texts.h"
#include "user/view/containers.h"
#include "user/view/export/homes.h"

#define EXPORT_NONE UINT32_MAX

/* One of the recording's events. */
struct export_event {
	const char *name;
	bool is_time;    /* periods are ns of CPU time; otherwise counts of the event */
	uint64_t period; /* period of every sample; 0: it varies */
};

struct export_sample {
	uint64_t time_ns;
	uint64_t period;
	uint32_t sum; /* number of the sum that counts the sample */
};

/* The input of an export. It must be valid as long as the profile. */
struct export_source {
	const struct samples *samples; /* distinguished by pid, tid, comm and cgroup at least */
	struct model *model;
	const struct resolved *resolved;             /* one for each place */
	const struct perfstamp_identity *identities; /* one for each sighting */
	const struct symbol_file *files;             /* one for each sighting */
	const struct export_event *events;
	size_t n_events;
	const struct export_sample *by_time; /* each sample, in order; NULL: not kept */
	size_t n_by_time;
	struct containers *containers;
	const bool *wanted; /* one for each sum */
	bool names;         /* all names; otherwise only those of BPF programs and JIT code */
	bool has_cpu;       /* the samples have their CPU */
	uint64_t begin_ns;  /* times of the samples, by the recording's clock */
	uint64_t end_ns;
	bool has_wall;
	int64_t wall_ns; /* added to a time of the recording, it gives ns since the epoch */
	const char *file, *host, *arch, *release; /* NULL: not known */
	const char *stamp;                        /* the recording's own lines; or NULL */
	size_t stamp_size;
};

/*
 * A mapped part of a DSO in which address minus file offset is constant. Addresses are those in the
 * ELF file, not those in a process.
 */
struct export_mapping {
	uint32_t sighting;
	uint64_t start;
	uint64_t limit;
	uint64_t file_offset;
	uint64_t bias; /* of USER text: address minus file offset */
	enum model_text text;
	bool guessed;   /* no file was found: addresses are file offsets */
	bool has_names; /* at least some functions have names */
};

/* A function of a DSO. Numbers are indices of .texts, where 0 is "". */
struct export_function {
	uint32_t name;
	uint32_t file;    /* name of the source file */
	uint32_t mapping; /* its first mapping, or EXPORT_NONE */
};

struct export_line {
	uint32_t function;
	uint32_t line; /* 0: not known */
};

/* One for each place of the samples. */
struct export_place {
	bool used; /* a selected sample has it; otherwise no other field is set */
	uint32_t mapping;
	uint64_t address;
	/* line in the innermost function; those of its callers by inlining follow */
	uint32_t first_line;
	uint32_t n_lines; /* 0: the place has no name */
};

struct export_profile {
	const struct export_source *of;
	struct texts texts;
	struct export_mapping *mappings;
	size_t n_mappings;
	struct export_function *functions;
	size_t n_functions;
	struct export_line *lines;
	size_t n_lines;
	struct export_place *places;
	bool *frames; /* for each place: selected samples or their callers have it */
	struct homes *homes;
	size_t n_without_id; /* mappings of files with neither build-id nor htlhash */
	size_t n_guessed;
	uint64_t n_samples; /* number of wanted samples */
};

/* Returns 0 or -ENOMEM; free *@ret in either case. */
int export_profile__new(struct export_profile **ret, const struct export_source *of);
void export_profile__free(struct export_profile *profile);

/* Whether @sighting is a file, or memory that the kernel made from one (vDSO). */
bool export_profile__is_file(const struct sighting *sighting);

/*
 * Adds @text, escaped by base/text because terminals and pages will show it. *@ret is its number.
 */
int export_profile__text(struct export_profile *profile, const char *text, uint32_t *ret);

/* Write the profile; after a write error, ferror(@out) is true. Returns 0 or -ENOMEM. */
int export__pprof(FILE *out, struct export_profile *profile);
int export__otlp(FILE *out, struct export_profile *profile);
int export__otlp15(FILE *out, struct export_profile *profile);
int export__firefox(FILE *out, struct export_profile *profile);
int export__speedscope(FILE *out, struct export_profile *profile);

#endif
