// SPDX-License-Identifier: GPL-2.0-only
/*
 * The default sizes of rings and tables: perf's where there is room, and never more than a
 * share of the machine's memory, whatever the machine is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "user/source/machine/ring_sizes.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct ring_sizes_machine a_machine(uint64_t cpus, uint64_t memory)
{
	return (struct ring_sizes_machine){.memory = memory,
		.cpus = cpus,
		.possible_cpus = cpus,
		.page = 4096,
		.mlock_kb = 516,
		.scratch = 40960};
}

static struct ring_sizes choose(uint64_t cpus, uint64_t memory)
{
	struct ring_sizes_machine machine = a_machine(cpus, memory);
	struct ring_sizes sizes;

	ring_sizes__choose(&sizes, &machine, cpus);
	return sizes;
}

static void usual_machines_have_the_usual_sizes(void **state)
{
	struct ring_sizes sizes = choose(2, 2 * GIB);

	(void)state;
	assert_int_equal(sizes.pages, 128);
	assert_int_equal(sizes.bpf_ring, 2 * MIB);
	assert_int_equal(sizes.stash, 8192);
	assert_false(sizes.reduced);
	sizes = choose(16, 64 * GIB);
	assert_int_equal(sizes.pages, 128);
	assert_int_equal(sizes.bpf_ring, 16 * MIB);
	sizes = choose(256, 1024 * GIB);
	assert_int_equal(sizes.pages, 128);
	assert_int_equal(sizes.bpf_ring, 64 * MIB);
	assert_int_equal(sizes.stash, 65536);
	assert_false(sizes.reduced);
	/* An odd number of CPUs: the ring of map records is a power of two all the same. */
	assert_int_equal(choose(12, 64 * GIB).bpf_ring, 16 * MIB);
}

static void many_cpus_with_little_memory_share_it(void **state)
{
	struct ring_sizes sizes = choose(64, 3 * GIB);

	(void)state;
	assert_true(sizes.reduced);
	assert_int_equal(sizes.pages, 64);
	assert_int_equal(sizes.bpf_ring, 16 * MIB);
	assert_true(sizes.total <= 3 * GIB / 50);
}

static void the_share_holds(uint64_t cpus, uint64_t memory, uint64_t page)
{
	struct ring_sizes_machine machine = a_machine(cpus, memory);
	uint64_t ring = page < RING_SIZES_MIN ? RING_SIZES_MIN : page, least;
	struct ring_sizes sizes;

	/* As the kernel chooses it. */
	machine.page = page;
	machine.mlock_kb = 512 + page / 1024;
	ring_sizes__choose(&sizes, &machine, cpus);
	least = cpus * (ring + page) + RING_SIZES_BPF_MIN + sizes.stash * RING_SIZES_STASH_BYTES +
		sizes.cgroups * RING_SIZES_CGROUP_BYTES + cpus * 40960;
	assert_true(sizes.pages && !(sizes.pages & (sizes.pages - 1)));
	assert_true(sizes.bpf_ring && !(sizes.bpf_ring & (sizes.bpf_ring - 1)));
	assert_true(sizes.pages * page <= 512 << 10 && sizes.bpf_ring <= RING_SIZES_BPF_MAX);
	/* But for what any recording needs. */
	assert_true(sizes.total <= memory / 50 || sizes.total <= memory / 100 + least);
}

static void the_share_holds_on_any_machine(void **state)
{
	(void)state;
	for (uint64_t page = 4096; page <= 65536; page *= 4)
		for (uint64_t cpus = 1; cpus <= 1024; cpus += 1 + cpus / 7)
			for (uint64_t memory = 64 * MIB; memory <= 4096 * GIB; memory += memory / 3)
				the_share_holds(cpus, memory, page);
}

static void settings_and_the_unknown_are_kept(void **state)
{
	struct ring_sizes_machine machine = a_machine(256, 0);
	struct ring_sizes sizes;

	(void)state;
	ring_sizes__choose(&sizes, &machine, 256);
	assert_int_equal(sizes.pages, 128);
	assert_false(sizes.reduced);
	/* perf's own: 1 page less than kernel.perf_event_mlock_kb, a power of two. */
	machine = a_machine(4, 16 * GIB);
	machine.mlock_kb = 8196;
	ring_sizes__choose(&sizes, &machine, 4);
	assert_int_equal(sizes.pages, 2048);
	machine.mlock_kb = 4;
	ring_sizes__choose(&sizes, &machine, 4);
	assert_int_equal(sizes.pages, 1);
	/* Rings for a few of the CPUs may be the larger. */
	machine = a_machine(256, 2 * GIB);
	ring_sizes__choose(&sizes, &machine, 1);
	assert_int_equal(sizes.pages, 128);
	ring_sizes__choose(&sizes, &machine, 0);
	assert_int_equal(sizes.pages, 128);
	/* CPUs that a hypervisor may add count for tables, not for rings. */
	machine = a_machine(2, 8 * GIB);
	machine.possible_cpus = 240;
	ring_sizes__choose(&sizes, &machine, 2);
	assert_int_equal(sizes.stash, 61440);
	assert_int_equal(sizes.bpf_ring, 2 * MIB);
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
		cmocka_unit_test(usual_machines_have_the_usual_sizes),
		cmocka_unit_test(many_cpus_with_little_memory_share_it),
		cmocka_unit_test(the_share_holds_on_any_machine),
		cmocka_unit_test(settings_and_the_unknown_are_kept),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}
