/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pager between standard output and the terminal.
 */
#ifndef PERFSTAMP_CLI_PAGER_H
#define PERFSTAMP_CLI_PAGER_H

/*
 * Where standard output is a terminal, what is written to it from now on goes through
 * $PAGER, or less. Nothing happens where that is empty or "cat".
 */
void pager__begin(void);
/* Waits until the user has left it. To be called before the program ends. */
void pager__end(void);

#endif
