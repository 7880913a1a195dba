/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pager between standard output and the terminal.
 */
#ifndef PERFSTAMP_CLI_PAGER_H
#define PERFSTAMP_CLI_PAGER_H

/*
 * If standard output is a terminal, sends what is written to it from now on through $PAGER, or
 * through less. Does nothing if $PAGER is empty or "cat".
 */
void pager__begin(void);
/* Waits until the user quits the pager. Call it before the program ends. */
void pager__end(void);

#endif
