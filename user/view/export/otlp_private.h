/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of otlp.c. */
#ifndef PERFSTAMP_VIEW_EXPORT_OTLP_PRIVATE_H
#define PERFSTAMP_VIEW_EXPORT_OTLP_PRIVATE_H

#include "user/view/export/arena.h"
#include "user/view/export/otlp.pb-c.h"
#include "user/view/export/otlp_attributes.h"
#include "user/view/export/profile.h"

struct otlp {
	struct export_profile *profile;
	struct arena arena; /* contains all messages */
	struct otlp_attributes attributes;
	Otlp__ProfilesDictionary dictionary;
	int32_t *functions;    /* for each function of the profile: its index */
	int32_t *locations;    /* for each place: its index */
	int32_t *stacks;       /* for each frame that has samples: its index */
	size_t *first_by_time; /* for each sum: start of its samples in .by_sum; one more */
	uint32_t *by_sum;      /* numbers of samples in .by_time, sorted by sum */
	uint32_t *homes;       /* for each wanted sum: number of its home */
};

/* Makes mappings, functions, locations and stacks. Returns 0 or -ENOMEM. */
int otlp__make_tables(struct otlp *otlp);
/* Makes texts and attributes, after everything else. Returns 0 or -ENOMEM. */
int otlp__finish_tables(struct otlp *otlp);
/* Makes the attributes of a resource from a home. Returns 0 or -ENOMEM. */
int otlp__make_resource(struct otlp *otlp, const struct home *home, Otlp__Resource *ret);

/* Writes the same messages in the form of 1.5.0. Returns 0 or -ENOMEM. */
int otlp15__write(FILE *out, const Otlp__ProfilesData *of);
/* After a write error, ferror(@out) is true. Returns 0 or -ENOMEM. */
int otlp__write_message(FILE *out, const ProtobufCMessage *message);

#endif
