// SPDX-License-Identifier: GPL-2.0-only
/* See spans.h. */
#include "user/record/rounds/spans.h"

#include <errno.h>

int spans__write(struct spans *spans, const void *records, size_t size, struct error *err)
{
	uint64_t ksymbols = spans->counts.ksymbols, cgroups = spans->counts.cgroups;
	int code;

	if (record_counts__add(&spans->counts, records, size, spans->sample_type))
		return error__set(err, -EBADMSG, "perf ring: not a valid record");
	if (spans->modules && (code = module_writer__span(spans->modules, records, size, err)))
		return code;
	if (spans->programs && (code = bpf_record__span(spans->programs, records, size, err)))
		return code;
	if (spans->living && (code = living__span(spans->living, records, size, err)))
		return code;
	if (spans->symbols && spans->counts.ksymbols != ksymbols &&
		(code = symbols_again__span(spans->symbols, records, size, err)))
		return code;
	if (spans->counts.cgroups != cgroups && (code = map_writer__name_cgroups(spans->maps,
							 records, size, spans->sample_type, err)))
		return code;
	if (spans->native)
		return native_records__span(spans->native, records, size, err);
	return map_writer__raw(spans->maps, records, size, err);
}
