#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# push to a receiver of profiles that fails in every way (tests/lib/receiver.js): each sample
# arrives, and a profile that is sent again has the same id; by OTLP, and by what Pyroscope and
# Parca take. The recordings are
# variants of the golden one, named as record --switch-output names files.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	load ../lib/pushed.bash
	mkdir kept
}

teardown() {
	recording__end
}

start_receiver() {
	start node "$root/tests/lib/receiver.js" kept port
	receiver=$pid
	await answers
	url=http://127.0.0.1:$(cat port)
}

answers() {
	[ -s port ] && : 2>/dev/null <>"/dev/tcp/127.0.0.1/$(cat port)"
}

stop_receiver() {
	kill -KILL "$receiver"
	wait "$receiver" || true
}

push() {
	"$perfstamp" push --state "$PWD/state" "$@"
}

start_push() {
	start "$perfstamp" push --follow --timeout 2 --state "$PWD/state" "$url" files 2>push.err
}

# Whether N bodies were kept.
has_kept() {
	[ "$(find kept -name '*.otlp' | wc -l)" -ge "$1" ]
}

# has_each N: the samples of N files, each counted once by the id of its profile.
has_each() {
	local body

	for body in kept/*.otlp; do
		node "$root/tests/lib/wire.js" otlp <"$body" |
			jq -r '.resources[] | .attributes["host.name"] as $host | .scopes[].profiles[] |
				[.id, $host, (.samples | map(.values[0] | tonumber) | add)] | join(" ")'
	done >profiles
	[ "$(sort -u profiles | cut -d' ' -f1 | uniq -d | wc -l)" -eq 0 ]
	[ "$(sort -u profiles | cut -d' ' -f2 | sort -u | wc -l)" -eq "$1" ]
	[ "$(sort -u profiles | awk '{ n += $3 } END { print n }')" -eq $((6 * $1)) ]
}

@test "each file is sent once, in order, to the path of the protocol" {
	make_files 0 4
	start_receiver
	run -0 push "$url" files
	[[ $output = *'4 files sent ('*' bytes)' ]]
	run -0 push "$url" files
	[ "$output" = '0 files sent, 4 there already' ]
	has_each 4
	[ "$(wc -l <profiles)" -eq "$(sort -u profiles | wc -l)" ]
	[ "$(cut -d' ' -f2 profiles | uniq | xargs)" = 'gold00 gold01 gold02 gold03' ]
	[ "$(sort -u kept/log)" = 'ok POST /v1development/profiles application/x-protobuf gzip -' ]
	# What it sends is what export writes.
	"$perfstamp" export --otlp --no-debuginfod -o expected -i files/perf.data.2026112500000002 2>export.err
	cmp expected kept/0002.otlp
}

@test "a receiver that fails in every way gets each sample once" {
	make_files 0 8
	echo 429 ok 500 ok close ok half ok hang ok 503 partial half ok close >kept/plan
	start_receiver
	start_push
	await has_kept 10
	has_each 8
	# Two answers were cut off: those profiles came again, by the same id.
	[ "$(($(sort profiles | uniq -c | awk '$1 == 2' | wc -l)))" -ge 2 ]
	# It waits as long as it was asked to.
	grep -q 'HTTP status 429; perfstamp tries again until it works' push.err
	grep -q 'has rejected 3 profiles: no' push.err
	await grep -q 'sent.*00000007' state
	[ ! -s kept/plan ]
}

# Whether the metrics of the one that follows have a line like REGEX.
metrics_have() {
	curl -s --max-time 10 --unix-socket "$sockets/metrics" http://localhost/metrics >metrics && grep -qE "$1" metrics
}

# AWAY is for how many seconds: of an hour, for example, most are in the longest waits between tries.
@test "a receiver that is away gets everything later, in order" {
	local away=${AWAY:-0} sockets failures

	sockets=$(mktemp -d)
	make_files 0 3
	start_receiver
	stop_receiver
	start "$perfstamp" push --follow --metrics-socket "$sockets/metrics" \
		--state "$PWD/state" "$url" files 2>push.err
	await grep -q 'the receiver cannot be reached: .*tries again until it works' push.err
	make_files 3 5
	[ "$away" -eq 0 ] || sleep "$away"
	[ "$(find kept -name '*.otlp' | wc -l)" -eq 0 ]
	start_receiver
	# The longest wait is five minutes.
	AWAIT_SECONDS=$((away ? 400 : 120)) await has_kept 5
	has_each 5
	[ "$(cut -d' ' -f2 profiles | uniq | xargs)" = 'gold00 gold01 gold02 gold03 gold04' ]
	# It was said once, however often it was tried.
	[ "$(grep -c 'tries again' push.err)" -eq 1 ]
	await metrics_have '^perfstamp_push_files_total\{result="sent"\} 5$'
	failures=$(sed -n 's/^perfstamp_push_failures_total //p' metrics)
	[ "$failures" -ge 1 ]
	[ "$away" -eq 0 ] || echo "# away for $away s: $failures tries failed, and push took" \
		"$(sed -n 's/^perfstamp_push_cpu_seconds_total //p' metrics) s of CPU in all" >&3
	rm -rf "$sockets"
}

@test "killed at random moments, each sample arrives once" {
	local round

	make_files 0 "${FILES:-10}"
	start_receiver
	for ((round = 0; round < ${KILLS:-20}; round++)); do
		start "$perfstamp" push --state "$PWD/state" "$url" files >>push.out 2>push.err
		perl -e 'select undef, undef, undef, rand 0.15'
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" || true
	done
	push "$url" files
	has_each "${FILES:-10}"
	[ "$(grep -c sent push.out)" -lt "${KILLS:-20}" ]
}

@test "what a receiver never takes is skipped; what it refuses from all is an error" {
	make_files 0 3
	echo 'no recording' >files/perf.data.2026112499999999
	echo 400 >kept/plan
	start_receiver
	run -1 push "$url" files
	[[ $output = *'24999'*': not sent: '*'00000: not sent: the receiver answers with HTTP status 400'*'2 files sent'*', 2 not sent' ]]
	make_files 3 4
	echo 401 404 >kept/plan
	run -1 push "$url" files
	[[ $output = *'HTTP status 401: it requires a header, as Authorization: name a file with --headers'* ]]
	run -1 push "$url" files
	[[ $output = *'HTTP status 404: is the path in the URL right?'* ]]
	run -0 push "$url" files
	[[ $output = *'1 file sent'* ]]
}

# Root, whom permissions concern as anybody else.
limited=(setpriv '--bounding-set=-dac_override,-dac_read_search')

@test "a path or a file that cannot be read does not keep others from being sent" {
	make_files 0 3
	chmod 0 files/*00
	mkdir -m 0 files/perf.data.2026112400000000 # a recording with --threads, for example
	start_receiver
	run -1 "${limited[@]}" "$perfstamp" push --state "$PWD/state" "$url" away files
	[[ $output = *'00000000: not sent: '*'Permission denied'*'away: No such file or directory'*'2 files sent'*', 1 not sent' ]]
	run ! grep refused state
	make_files 3 4
	start "${limited[@]}" "$perfstamp" push --follow --timeout 2 --state "$PWD/state" "$url" away files 2>push.err
	await grep -q '00000000: not sent: .*Permission denied; perfstamp tries again' push.err
	await grep -q 'away: No such file or directory; perfstamp tries again' push.err
	await has_kept 3
	chmod 600 files/*00
	await has_kept 4
	mkdir away
	await grep -q '24000.*: Permission denied; perfstamp tries again' push.err
	make_files 4 5
	await has_kept 5
	has_each 5
	# Nothing was sent twice, and each was said once.
	[ "$(wc -l <profiles)" -eq 5 ]
	[ "$(grep -c 'tries again' push.err)" -eq 3 ]
}

@test "what ends export, other than the recording, is no reason to refuse it, and nothing half is sent" {
	local end

	# Loaded into the export that push starts: it ends it as END says.
	cat >ends.c <<-'EOF'
		#include <signal.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>

		__attribute__((constructor)) static void end(int argc, char **argv)
		{
			const char *how = getenv("END");

			if (argc < 2 || strcmp(argv[1], "export") != 0 || !how)
				return;
			if (*how == 'h' && write(1, "half a profile", 14) < 0)
				abort();
			if (*how == 'k' || *how == 'c')
				raise(*how == 'k' ? SIGKILL : SIGSEGV);
			_exit(1);
		}
	EOF
	cc -shared -fPIC -o ends.so ends.c
	make_files 0 1
	start_receiver
	for end in killed failed half; do
		run -1 env END=$end LD_PRELOAD="$PWD/ends.so" "$perfstamp" push --state "$PWD/state" "$url" files
		[[ $output = *'00000: not sent: '*'cannot make a profile of it'*'0 files sent, 1 not sent' ]]
		run ! grep refused state
	done
	[ ! -e kept/log ]
	run -0 push "$url" files
	[ "$(grep -c '^ok ' kept/log)" -eq 1 ]
	make_files 1 2
	run -1 env END=crash LD_PRELOAD="$PWD/ends.so" "$perfstamp" push --state "$PWD/state" "$url" files
	[[ $output = *'00001: not sent: '*'it crashes perfstamp export'* ]]
	grep -q '^refused .*00001$' state
}

@test "what a receiver refuses by one protocol is sent by another" {
	make_files 0 2
	echo 400 400 >kept/plan
	start_receiver
	export XDG_STATE_HOME=$PWD/states
	run -1 "$perfstamp" push "$url" files
	[[ $output = *', 2 not sent'* ]]
	run -0 "$perfstamp" push --protocol otlp-1.5 "$url" files
	[[ $output = *'2 files sent'* ]]
	run -0 "$perfstamp" push --protocol otlp-1.5 "$url" files
	[ "$output" = '0 files sent, 2 there already' ]
}

@test "headers come from a file or systemd's credential, and are in no list of processes or log" {
	make_files 0 2
	start_receiver
	echo 'Authorization: Bearer sesame' >headers
	push --headers headers "$url" files/*00 >out 2>&1
	CREDENTIALS_DIRECTORY=$PWD push "$url" files/*01 >>out 2>&1
	[ "$(grep -c 'Bearer sesame$' kept/log)" -eq 2 ]
	run -1 grep -r sesame out state
	run -1 push "http://me:sesame@127.0.0.1:$(cat port)" files
	[[ $output = *'has a user or a password'*--headers* ]]
	[[ $output != *sesame* ]]
	echo nothing >headers
	run -1 push --headers headers "$url" files
	[[ $output = *'headers: it has no lines'* ]]
	run -2 push --host me "$url" files
	run -2 push --timeout 0 "$url" files
	# A receiver that does not speak TLS.
	make_files 2 3
	run -1 push "https://127.0.0.1:$(cat port)" files
	[[ $output = *'the receiver cannot be reached: '* ]]
}

@test "to Pyroscope: pprof in a PushRequest, with labels, and an id that stays the same" {
	make_files 0 2
	echo half >kept/plan
	start_receiver
	run -1 push --protocol pyroscope "$url" files
	run -0 push --protocol pyroscope --label region=eu --label service_name=web "$url" files
	[[ $output = *'2 files sent ('*' bytes)' ]]
	[ "$(sort kept/log | uniq -c | awk '{ $1 = $1; print }')" = '1 half POST /push.v1.PusherService/Push application/proto undefined -
2 ok POST /push.v1.PusherService/Push application/proto undefined -' ]
	for body in kept/*.otlp; do node "$root/tests/lib/wire.js" pyroscope <"$body"; done >requests
	[ "$(jq -r '.series[].labels | map(.name + "=" + .value) | sort | join(" ")' requests)" = \
		'__name__=process_cpu hostname=gold00 service_name=perfstamp
__name__=process_cpu hostname=gold00 region=eu service_name=web
__name__=process_cpu hostname=gold01 region=eu service_name=web' ]
	# The first one came twice.
	[ "$(jq -r '.series[].samples[].id' requests | uniq -c | awk '{ print $1 }' | xargs)" = '2 1' ]
	run ! grep -vE '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' <(jq -r '.series[].samples[].id' requests)
	is_exported files/*00 <(sed -n 1p requests | jq -r '.series[].samples[].profile' | perl -pe 'chomp; $_ = pack "H*", $_')
}

@test "to an older receiver of OpenTelemetry profiles: each profile with tables of its own" {
	make_files 0 2
	start_receiver
	run -0 push --protocol otlp-1.5 "$url" files
	[ "$(sort -u kept/log)" = 'ok POST /v1development/profiles application/x-protobuf gzip -' ]
	"$perfstamp" export --otlp=1.5 --no-debuginfod -o expected -i files/*01 2>export.err
	cmp expected kept/0001.otlp
	[ "$(node "$root/tests/lib/wire.js" otlp15 <kept/0001.otlp |
		jq '[.resources[].scopes[].profiles[].samples[].values[0] | tonumber] | add')" -eq 6 ]
	run -2 push --protocol otlp-1.5 --label region=eu "$url" files
	[[ $output = *'--label requires --protocol pyroscope or parca'* ]]
}

# is_exported FILE PROFILE: it is what export writes, and pprof reads it.
is_exported() {
	cat "$2" >sent.pb.gz
	"$perfstamp" export --pprof --no-debuginfod -o expected.pb.gz -i "$1" 2>export.err
	cmp <(zcat expected.pb.gz) <(zcat sent.pb.gz)
	[ "$(node "$root/tests/lib/wire.js" pprof <sent.pb.gz | jq '[.samples[].values[0] | tonumber] | add')" -eq 6 ]
}

@test "to Parca: pprof in a WriteRawRequest of its gateway" {
	make_files 0 2
	start_receiver
	run -0 push --protocol parca --label 'job="nightly"' "$url" files
	[ "$(sort -u kept/log)" = 'ok POST /api/profiles/writeraw application/json undefined -' ]
	[ "$(jq -c '[.normalized, (.series | length), (.series[].labels.labels | map(.name + "=" + .value) | sort)]' kept/0001.otlp)" = \
		'[true,1,["__name__=process_cpu","hostname=gold01","job=\"nightly\"","service_name=perfstamp"]]' ]
	is_exported files/*01 <(jq -r '.series[].samples[].rawProfile' kept/0001.otlp | base64 -d)
	# Another path is that of the URL.
	make_files 2 3
	push --protocol parca "$url/prefix/api/profiles/writeraw" files/*02
	grep -q 'POST /prefix/api/profiles/writeraw ' kept/log
	run -2 push --protocol parca --label 1=x "$url" files
	[[ $output = *'--label requires NAME=VALUE'* ]]
	run -2 push --label region=eu "$url" files
	[[ $output = *'--label requires --protocol pyroscope or parca'* ]]
	run -2 push --protocol grpc "$url" files
	[[ $output = *'--protocol must be otlp, otlp-1.5, pyroscope or parca'* ]]
}

# certificate NAME [OPTION...]: of a server of that name, by the authority in ca.pem; for the receiver.
certificate() {
	[ -e ca.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \
		-keyout ca.key -out ca.pem 2>openssl.log
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=receiver -keyout kept/key.pem \
		-out request.pem 2>>openssl.log
	openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial "${@:2}" \
		-extfile <(echo "subjectAltName=$1") -out kept/cert.pem 2>>openssl.log
}

# The receiver begins with the certificate that is there now.
start_tls() {
	[ -z "${receiver-}" ] || stop_receiver
	certificate "$@"
	start_receiver
	url=${url/http:/https:}
}

@test "with a wrong certificate nothing is sent; with the right one everything is" {
	make_files 0 2
	# By an authority that nobody knows, for another name, and one that has ended.
	start_tls IP:127.0.0.1 -days 2
	run -1 push "$url" files
	[[ $output = *'the receiver cannot be reached: '*certificate* ]]
	start_tls DNS:other.example -days 2
	run -1 push --cacert ca.pem "$url" files
	[[ $output = *'the receiver cannot be reached: '* ]]
	start_tls IP:127.0.0.1 -days -1
	run -1 push --cacert ca.pem "$url" files
	[[ $output = *'the receiver cannot be reached: '*certificate* ]]
	[ ! -e kept/log ]
	start_tls IP:127.0.0.1 -days 2
	run -0 push --cacert ca.pem "$url" files
	has_each 2
	run -1 push --cacert none.pem "$url" files
	[[ $output = *'none.pem: No such file or directory'* ]]
}
