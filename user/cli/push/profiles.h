/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A receiver of OpenTelemetry profiles (OTLP/HTTP), such as the OpenTelemetry Collector and
 * Pyroscope. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_PROFILES_H
#define PERFSTAMP_CLI_PUSH_PROFILES_H

#include "user/cli/push/receiver.h"

extern const struct receiver_ops PROFILES_RECEIVER;

#endif
