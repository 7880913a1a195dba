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
	struct arena arena; /* all messages are in it */
	struct otlp_attributes attributes;
	Otlp__ProfilesDictionary dictionary;
	int32_t *functions;    /* of each of the profile's */
	int32_t *locations;    /* of each place */
	int32_t *stacks;       /* of each frame that a sample is in */
	size_t *first_by_time; /* of each sum: where its samples begin in .by_sum; one more */
	uint32_t *by_sum;      /* numbers of samples in .by_time, by sum */
	uint32_t *homes;       /* of each wanted sum, its home's number */
};

/* Mappings, functions, locations and stacks. Returns 0 or -ENOMEM. */
int otlp__make_tables(struct otlp *otlp);
/* Texts and attributes, when all are known. Returns 0 or -ENOMEM. */
int otlp__finish_tables(struct otlp *otlp);
/* The data about a home, as attributes of a resource. Returns 0 or -ENOMEM. */
int otlp__make_resource(struct otlp *otlp, const struct home *home, Otlp__Resource *ret);

/* The same messages in the form of 1.5.0. Returns 0 or -ENOMEM. */
int otlp15__write(FILE *out, const Otlp__ProfilesData *of);
/* After a write error, ferror(@out) is true. Returns 0 or -ENOMEM. */
int otlp__write_message(FILE *out, const ProtobufCMessage *message);

#endif
