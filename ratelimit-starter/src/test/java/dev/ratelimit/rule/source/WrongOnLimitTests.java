package dev.ratelimit.rule.source;

import java.util.stream.Stream;

import dev.ratelimit.rule.source.WrongRulesTests.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ratelimit.rule.source.WrongRulesTests.wrong;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings that do not go with a delay or with a queue, options of another on-limit, and
 * responses that cannot be.
 */
class WrongOnLimitTests {

	static Stream<Wrong> combinations() {
		return Stream.of(
				wrong("misspelt", "on-limit: dely", "on-limit", "dely", "is not known", "Use reject, delay, enqueue"),
				wrong("empty", "on-limit:", "on-limit", "", "is empty", "Give it a value"),
				wrong("a token bucket grants no turns", "on-limit: delay\nalgorithm: token-bucket", "on-limit", "delay",
						"does not go with algorithm token-bucket",
						"Use algorithm sliding-window-log or leaky-bucket, or on-limit reject"),
				wrong("turns of a lease", "on-limit: delay\nmode: leased", "on-limit", "delay",
						"does not go with mode leased", "Use mode strict, or on-limit reject"),
				wrong("turns and refusals that count", "on-limit: delay\ncount-rejected: true", "on-limit", "delay",
						"does not go with count-rejected", "Remove count-rejected"),
				wrong("turns that are released", "on-limit: delay\ncount-on: failure", "on-limit", "delay",
						"does not go with count-on failure", "Remove count-on, or on-limit reject"),
				wrong("a queue of a synced rule", "on-limit: enqueue\nalgorithm: fixed-window\nmode: synced",
						"on-limit", "enqueue", "does not go with mode synced", "Use mode strict"),
				wrong("a queue by outcome", "on-limit: enqueue\ncount-on: 5xx", "on-limit", "enqueue",
						"does not go with count-on 5xx", "Remove count-on"),
				wrong("a queue before security", "on-limit: enqueue\nstage: before-security", "on-limit", "enqueue",
						"does not go with stage before-security", "Use stage after-security"),
				wrong("a queue of safe methods", "on-limit: enqueue\npaths: /q\nmethods: [QUERY, FOO]", "on-limit",
						"enqueue", "does not go with methods QUERY, FOO, of which it enqueues none",
						"Add a method such as POST"));
	}

	static Stream<Wrong> options() {
		return Stream.of(
				wrong("wait of a rule that rejects", "max-wait: 1s", "max-wait", "1s",
						"does not go with on-limit reject", "Use on-limit delay, or remove max-wait"),
				wrong("wait of a queue", "on-limit: enqueue\nmax-wait: 1s", "max-wait", "1s",
						"does not go with on-limit enqueue", "Use on-limit delay"),
				wrong("wait that is no duration", "on-limit: delay\nmax-wait: 5", "max-wait", "5",
						"is not a positive duration with a unit", "from 1ms to 1d"),
				wrong("wait for two days", "on-limit: delay\nmax-wait: 2d", "max-wait", "2d", "is out of range",
						"from 1ms to 1d"),
				wrong("queue of a rule that rejects", "max-queue: 5", "max-queue", "5",
						"does not go with on-limit reject", "Use on-limit delay or enqueue, or remove max-queue"),
				wrong("queue of size zero", "on-limit: delay\nmax-queue: 0", "max-queue", "0",
						"is not a whole number from 1 to 1000000", "plain digits"),
				wrong("queue of a bucket", "on-limit: delay\nalgorithm: leaky-bucket\nmax-queue: 5", "max-queue", "5",
						"does not go with algorithm leaky-bucket, whose burst is the size of its queue",
						"write the burst"),
				wrong("body of a rule that delays", "on-limit: delay\nenqueue.max-body: 1KB", "enqueue.max-body", "1KB",
						"does not go with on-limit delay", "Use on-limit enqueue, or remove enqueue.max-body"),
				wrong("headers of a rule that rejects", "enqueue.headers: X-A", "enqueue.headers", "x-a",
						"does not go with on-limit reject", "Use on-limit enqueue"));
	}

	static Stream<Wrong> queues() {
		return Stream.of(
				wrong("token in a queue", "on-limit: enqueue\nenqueue.headers: X-A, authorization", "enqueue.headers",
						"authorization", "carries credentials", "Remove it"),
				wrong("cookie in a queue", "on-limit: enqueue\nenqueue.headers: Cookie", "enqueue.headers", "Cookie",
						"carries credentials", "Remove it"),
				wrong("credentials of a proxy in a queue", "on-limit: enqueue\nenqueue.headers: PROXY-AUTHORIZATION",
						"enqueue.headers", "PROXY-AUTHORIZATION", "carries credentials", "Remove it"),
				wrong("no header", "on-limit: enqueue\nenqueue.headers: 'X A'", "enqueue.headers", "X A",
						"is not the name of a header", "such as content-type"),
				wrong("size without a unit", "on-limit: enqueue\nenqueue.max-body: 64", "enqueue.max-body", "64",
						"is not a size with its unit", "such as 64KB"),
				wrong("huge body", "on-limit: enqueue\nenqueue.max-body: 17MB", "enqueue.max-body", "17MB",
						"is out of range", "from 0B to 16MB"),
				wrong("memory without a unit", "on-limit: enqueue\nenqueue.max-bytes: 16", "enqueue.max-bytes", "16",
						"is not a size with its unit", "such as 16MB"),
				wrong("too little memory", "on-limit: enqueue\nenqueue.max-bytes: 1KB", "enqueue.max-bytes", "1KB",
						"is out of range", "from 16KB to 1024GB"),
				wrong("memory below a body", "on-limit: enqueue\nenqueue.max-body: 16MB", "enqueue.max-body", "16MB",
						"leaves no room in enqueue.max-bytes 16MB", "Use at least 16KB less"),
				wrong("memory of a rule that rejects", "enqueue.max-bytes: 1MB", "enqueue.max-bytes", "1MB",
						"does not go with on-limit reject", "Use on-limit enqueue"),
				wrong("total below the queue of one", "on-limit: enqueue\nmax-queue: 50\nenqueue.max-total: 49",
						"max-queue", "50", "is above enqueue.max-total 49", "Use at most 49"),
				wrong("total that is no number", "on-limit: enqueue\nenqueue.max-total: many", "enqueue.max-total",
						"many", "is not a whole number", "plain digits"),
				wrong("age of a millisecond", "on-limit: enqueue\nenqueue.max-age: 1ms", "enqueue.max-age", "1ms",
						"is out of range", "from 1s to 400d"));
	}

	static Stream<Wrong> refusals() {
		return Stream.of(
				wrong("status of a success", "refusal.status: 200", "refusal.status", "200",
						"is not a status from 400 to 599", "Write a number in that range, such as 402"),
				wrong("status above all", "refusal.status: 600", "refusal.status", "600", "is not a status",
						"Write a number in that range"),
				wrong("status by its name", "refusal.status: Too Many Requests", "refusal.status", "Too Many Requests",
						"is not a status", "Write a number in that range"),
				wrong("empty body", "refusal.body: ''", "refusal.body", "", "is empty", "Give it a value"),
				wrong("content type without a body", "refusal.content-type: application/json", "refusal.content-type",
						"application/json", "has no effect without refusal.body", "Add refusal.body, or remove"),
				wrong("no content type", "refusal: {body: busy, content-type: plain}", "refusal.content-type", "plain",
						"is not a type and subtype, with no parameter but charset=UTF-8",
						"Write it like application/xml"),
				wrong("content type in another encoding",
						"refusal: {body: busy, content-type: text/plain;charset=latin1}", "refusal.content-type",
						"text/plain;charset=latin1", "is not a type and subtype, with no parameter but charset=UTF-8",
						"text/html;charset=UTF-8"),
				wrong("any content type", "refusal: {body: busy, content-type: 'text/*'}", "refusal.content-type",
						"text/*", "is not a type and subtype, with no parameter but charset=UTF-8",
						"Write it like application/xml"));
	}

	/** By its bytes: the sign takes two. */
	@Test
	void theLargestBodyIsBounded() {
		assertThat(body(32 * 1024).read().rules().rules()).hasSize(1);
		assertThat(body(32 * 1024 + 1).problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.property()).isEqualTo("ratelimit.rules.a.refusal.body");
			assertThat(problem.value()).isEqualTo("65538B");
			assertThat(problem.reason()).isEqualTo("is out of range");
			assertThat(problem.cure()).startsWith("Write at most 64KB");
		});
	}

	private static TestSources body(int signs) {
		return TestSources
			.yaml("ratelimit.rules.a: {thresholds: 5/1m, refusal.body: '%s'}".formatted("\u00e4".repeat(signs)));
	}

	@ParameterizedTest
	@MethodSource({ "combinations", "options", "queues", "refusals" })
	void aWrongSettingStopsTheStartWithItsReason(Wrong wrong) {
		WrongRulesTests.assertStopsTheStart(wrong);
	}

}
