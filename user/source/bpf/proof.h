/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that attached programs are called: if the kernel's tracing is disabled, attaching
 * still succeeds. Knows the counters of mappings, not the hooks.
 */
#ifndef PERFSTAMP_SOURCE_BPF_PROOF_H
#define PERFSTAMP_SOURCE_BPF_PROOF_H

/*
 * Makes an executable mapping, and checks that the counters in map @counters_fd
 * (bpf/counters.h) have changed. Returns 0; -ENODATA if it has not; or another -errno.
 */
int bpf_proof__sees_mappings(int counters_fd);

#endif
