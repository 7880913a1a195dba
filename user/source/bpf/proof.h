/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether attached programs are called at all: where the kernel's tracing is turned off as a
 * whole, attaching succeeds. Knows the counters that a mapping raises, not the hooks.
 */
#ifndef PERFSTAMP_SOURCE_BPF_PROOF_H
#define PERFSTAMP_SOURCE_BPF_PROOF_H

/*
 * Makes an executable mapping of our own, and looks whether the map @counters_fd of
 * bpf/counters.h has noticed one. Returns 0; -ENODATA if it has not; or another -errno.
 */
int bpf_proof__sees_mappings(int counters_fd);

#endif
