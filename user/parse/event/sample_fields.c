// SPDX-License-Identifier: GPL-2.0-only
/* See sample_fields.h. */
#include "user/parse/event/sample_fields.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Linux 6.8; the build machine's headers may not have it. */
#define SAMPLE_BRANCH_COUNTERS (1ull << 19)

#define PRIVILEGES (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)
#define PARTS ",|"

static const struct {
	const char *name;
	uint64_t bits;
} branches[] = {
	{"u", PERF_SAMPLE_BRANCH_USER},
	{"k", PERF_SAMPLE_BRANCH_KERNEL},
	{"hv", PERF_SAMPLE_BRANCH_HV},
	{"any", PERF_SAMPLE_BRANCH_ANY},
	{"any_call", PERF_SAMPLE_BRANCH_ANY_CALL},
	{"any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN},
	{"ind_call", PERF_SAMPLE_BRANCH_IND_CALL},
	{"abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX},
	{"in_tx", PERF_SAMPLE_BRANCH_IN_TX},
	{"no_tx", PERF_SAMPLE_BRANCH_NO_TX},
	{"cond", PERF_SAMPLE_BRANCH_COND},
	{"ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP},
	{"call", PERF_SAMPLE_BRANCH_CALL},
	{"no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS},
	{"no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES},
	{"save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE},
	{"stack", PERF_SAMPLE_BRANCH_CALL_STACK},
	{"hw_index", PERF_SAMPLE_BRANCH_HW_INDEX},
	{"priv", PERF_SAMPLE_BRANCH_PRIV_SAVE},
	{"counter", SAMPLE_BRANCH_COUNTERS},
};

/* Whether the @len letters at @text are @name, in upper or lower case. */
static bool is_name(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, text, len);
}

int sample_fields__branches(uint64_t *ret, const char *text)
{
	uint64_t kinds;
	size_t len, i;

	*ret = 0;
	do {
		len = strcspn(text, PARTS);
		for (i = 0; i < sizeof(branches) / sizeof(branches[0]); i++)
			if (is_name(branches[i].name, text, len))
				break;
		if (i == sizeof(branches) / sizeof(branches[0]))
			return -EINVAL;
		*ret |= branches[i].bits;
		text += len;
	} while (*text++);
	/* As in perf: with privilege levels only, all branches at these levels are meant. */
	kinds = *ret & ~(uint64_t)PRIVILEGES;
	if (!kinds)
		*ret |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

struct reg {
	const char *name;
	unsigned int number;
};

#define REG(name, number)                                                                          \
	{                                                                                          \
		name, number                                                                       \
	}

#if defined(__x86_64__)
#define REGISTER_NAMES "AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 R9 R10 R11 R12 R13 R14 R15"
static const struct reg regs[] = {
	REG("AX", PERF_REG_X86_AX),
	REG("BX", PERF_REG_X86_BX),
	REG("CX", PERF_REG_X86_CX),
	REG("DX", PERF_REG_X86_DX),
	REG("SI", PERF_REG_X86_SI),
	REG("DI", PERF_REG_X86_DI),
	REG("BP", PERF_REG_X86_BP),
	REG("SP", PERF_REG_X86_SP),
	REG("IP", PERF_REG_X86_IP),
	REG("FLAGS", PERF_REG_X86_FLAGS),
	REG("CS", PERF_REG_X86_CS),
	REG("SS", PERF_REG_X86_SS),
	REG("R8", PERF_REG_X86_R8),
	REG("R9", PERF_REG_X86_R9),
	REG("R10", PERF_REG_X86_R10),
	REG("R11", PERF_REG_X86_R11),
	REG("R12", PERF_REG_X86_R12),
	REG("R13", PERF_REG_X86_R13),
	REG("R14", PERF_REG_X86_R14),
	REG("R15", PERF_REG_X86_R15),
};
#elif defined(__aarch64__)
#define REGISTER_NAMES                                                                             \
	"x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 "   \
	"x24 x25 x26 x27 x28 x29 lr sp pc"
static const struct reg regs[] = {
	REG("x0", 0),
	REG("x1", 1),
	REG("x2", 2),
	REG("x3", 3),
	REG("x4", 4),
	REG("x5", 5),
	REG("x6", 6),
	REG("x7", 7),
	REG("x8", 8),
	REG("x9", 9),
	REG("x10", 10),
	REG("x11", 11),
	REG("x12", 12),
	REG("x13", 13),
	REG("x14", 14),
	REG("x15", 15),
	REG("x16", 16),
	REG("x17", 17),
	REG("x18", 18),
	REG("x19", 19),
	REG("x20", 20),
	REG("x21", 21),
	REG("x22", 22),
	REG("x23", 23),
	REG("x24", 24),
	REG("x25", 25),
	REG("x26", 26),
	REG("x27", 27),
	REG("x28", 28),
	REG("x29", 29),
	REG("lr", PERF_REG_ARM64_LR),
	REG("sp", PERF_REG_ARM64_SP),
	REG("pc", PERF_REG_ARM64_PC),
};
#else
#define REGISTER_NAMES ""
static const struct reg regs[] = {REG("", 0)};
#endif

const char *sample_fields__register_names(void)
{
	return REGISTER_NAMES;
}

uint64_t sample_fields__all_registers(void)
{
	uint64_t mask = 0;

	for (size_t i = 0; *REGISTER_NAMES && i < sizeof(regs) / sizeof(regs[0]); i++)
		mask |= 1ull << regs[i].number;
	return mask;
}

int sample_fields__registers(uint64_t *ret, const char *text)
{
	size_t len, i;

	*ret = 0;
	if (!*REGISTER_NAMES)
		return -EOPNOTSUPP;
	do {
		len = strcspn(text, PARTS);
		for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
			if (is_name(regs[i].name, text, len))
				break;
		if (i == sizeof(regs) / sizeof(regs[0]))
			return -EINVAL;
		*ret |= 1ull << regs[i].number;
		text += len;
	} while (*text++);
	return 0;
}
