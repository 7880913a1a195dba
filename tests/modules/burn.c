// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel module that burns CPU time in a function of choice: writing a number to its
 * parameter red or blue makes that many million turns there. Built in guests, without
 * headers of the kernel, whose packages are ten times what is needed here: it calls
 * nothing of the kernel, and tests/modules/build gets the layout of struct module from
 * the kernel's BTF. BUILD 2 has red and blue the other way round.
 */
#ifndef INIT_MILLIONS
#define INIT_MILLIONS 0 /* turns of its init function */
#endif
#ifndef INIT_RESULT
#define INIT_RESULT 0 /* or a negative errno: it refuses to be loaded */
#endif
#define PASTE(a, b) a##b
#define MODINFO(name, text)                                                                        \
	static const char PASTE(modinfo_, name)[]                                                  \
		__attribute__((section(".modinfo"), used, aligned(1))) = #name "=" text
#define SECTION(name) __attribute__((section(name), used))

MODINFO(license, "GPL");
MODINFO(depends, "");
MODINFO(retpoline, "Y");
MODINFO(name, NAME);
MODINFO(vermagic, VERMAGIC);

static volatile unsigned long sink;

/* The size of both is the same, so that one is where the other was. */
#define BURN(name, step)                                                                           \
	static __attribute__((noinline)) void name(unsigned long turns)                            \
	{                                                                                          \
		for (unsigned long i = 0; i < turns; i++)                                          \
			sink += step;                                                              \
	}

#if BUILD == 1
BURN(burn_red, 3)
BURN(burn_blue, 5)
#else
BURN(burn_blue, 5)
BURN(burn_red, 3)
#endif

static unsigned long millions(const char *text)
{
	unsigned long n = 0;

	while (*text >= '0' && *text <= '9')
		n = 10 * n + *text++ - '0';
	return 1000000 * n;
}

/* include/linux/moduleparam.h */
struct kernel_param;

struct kernel_param_ops {
	unsigned int flags;
	int (*set)(const char *value, const struct kernel_param *param);
	int (*get)(char *buffer, const struct kernel_param *param);
	void (*free)(void *arg);
};

struct kernel_param {
	const char *name;
	void *module;
	const struct kernel_param_ops *ops;
	const unsigned short mode;
	signed char level;
	unsigned char flags;
	void *arg;
};

static int set_red(const char *value, const struct kernel_param *param)
{
	(void)param;
	burn_red(millions(value));
	return 0;
}

static int set_blue(const char *value, const struct kernel_param *param)
{
	(void)param;
	burn_blue(millions(value));
	return 0;
}

static SECTION(".init.text") __attribute__((noinline)) void burn_init(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++)
		sink += 7;
}

static SECTION(".init.text") int burn_begin(void)
{
	burn_init(INIT_MILLIONS * 1000000ul);
	return INIT_RESULT;
}

static void burn_end(void)
{
}

/* What include/linux/module.h and modpost make, at the places that BTF tells. */
SECTION(".gnu.linkonce.this_module") struct {
	char before_name[MODULE_NAME_AT];
	char name[56];
	char before_init[MODULE_INIT_AT - MODULE_NAME_AT - 56];
	int (*init)(void);
	char before_exit[MODULE_EXIT_AT - MODULE_INIT_AT - 8];
	void (*exit)(void);
	char rest[MODULE_SIZE - MODULE_EXIT_AT - 8];
} __attribute__((aligned(64))) __this_module = {
	.name = NAME,
	.init = burn_begin,
	.exit = burn_end,
};

#ifdef LAYOUT_CRC
static SECTION("__versions") const struct {
	unsigned long crc;
	char name[56];
} versions[] = {{LAYOUT_CRC, "module_layout"}};
#endif

static const struct kernel_param_ops red_ops = {.set = set_red};
static const struct kernel_param_ops blue_ops = {.set = set_blue};

static SECTION("__param") const struct kernel_param params[] = {
	{.name = "red", .module = &__this_module, .ops = &red_ops, .mode = 0200, .level = -1},
	{.name = "blue", .module = &__this_module, .ops = &blue_ops, .mode = 0200, .level = -1},
};
