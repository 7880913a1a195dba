/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that attached programs are called: if the kernel's tracing is disabled, attaching
 * still succeeds. Knows the counters of mappings, not the hooks.
 */
#ifndef PERFSTAMP_SOURCE_BPF_PROOF_H
#define PERFSTAMP_SOURCE_BPF_PROOF_H

struct bpf_counters;

/*
 * Makes an executable mapping, and checks that @counters (bpf/counters.h) have changed. Returns
 * 0; -ENODATA if they have not; or another -errno.
 */
int bpf_proof__sees_mappings(const struct bpf_counters *counters);

#endif
