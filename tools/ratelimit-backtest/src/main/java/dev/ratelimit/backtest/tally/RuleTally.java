package dev.ratelimit.backtest.tally;

import java.util.Optional;

import dev.ratelimit.backtest.replay.Replayed;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;

/**
 * The counts of one rule.
 */
final class RuleTally {

	/**
	 * With this number, a client with a thousandth of the refusals has its own counter.
	 */
	private static final int COUNTERS = 1000;

	private static final int HEAVIEST = 5;

	private static final int NAME_LENGTH = 60;

	private static final String NO_KEY = "(no key)";

	private final RLConfig rule;

	private final HeavyClients refusedClients = new HeavyClients(COUNTERS);

	private final Series admittedOverTime;

	private final Series refusedOverTime;

	private long admitted;

	private long refused;

	private long released;

	private long notAsked;

	private long skipped;

	private long withoutKey;

	private long mostPermits;

	RuleTally(RLConfig rule, Timeline timeline) {
		this.rule = rule;
		this.admittedOverTime = timeline.newSeries();
		this.refusedOverTime = timeline.newSeries();
	}

	void add(Replayed replayed) {
		if (replayed.outcome().isEmpty()) {
			this.notAsked++;
			return;
		}
		Outcome outcome = replayed.outcome().get();
		switch (outcome) {
			case ALLOWED, DELAYED, ENQUEUED -> {
				this.admitted++;
				this.admittedOverTime.add();
			}
			case REJECTED -> {
				this.refused++;
				this.refusedOverTime.add();
				this.refusedClients.add(subject(replayed), () -> name(replayed));
			}
			case RELEASED -> this.released++;
			case SKIPPED -> this.skipped++;
		}
		if (replayed.key().isEmpty() && outcome != Outcome.SKIPPED) {
			this.withoutKey++;
		}
		replayed.decided().ifPresent((decided) -> this.mostPermits = Math.max(this.mostPermits, permits(decided)));
	}

	private static long permits(RuleDecision decided) {
		long most = 0;
		for (Quota quota : decided.decision().quotas()) {
			most = Math.max(most, quota.limit() - quota.remaining());
		}
		return most;
	}

	private static String subject(Replayed replayed) {
		return replayed.decided().map((decided) -> decided.ruleRequest().subject().text()).orElse(NO_KEY);
	}

	/** Addresses are shown as they are counted: an IPv6 address without its end. */
	private static String name(Replayed replayed) {
		String subject = subject(replayed);
		Optional<String> address = subject.startsWith("i") ? Optional.of(subject.substring(1)) : Optional.empty();
		if (replayed.key().isEmpty()) {
			return address.map((text) -> text + " " + NO_KEY).orElse(NO_KEY);
		}
		if (replayed.rule().key().sources().stream().allMatch((source) -> source.kind() == KeySource.Kind.GLOBAL)) {
			return "(all clients)";
		}
		return address.orElseGet(() -> printable(String.join(", ", replayed.key())));
	}

	/**
	 * Removes control characters, because untrusted text must not control the terminal.
	 */
	private static String printable(String text) {
		String shortened = (text.length() > NAME_LENGTH) ? text.substring(0, NAME_LENGTH) + "..." : text;
		return shortened.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
	}

	RuleResult result(Timeline timeline) {
		int slices = timeline.slices().map(Slices::count).orElse(0);
		return new RuleResult(this.rule.id(), this.rule.counting().algorithm().text(), this.rule.enforcement().shadow(),
				this.admitted, this.refused, this.released, this.notAsked, this.skipped, this.withoutKey,
				KeyMemory.bytes(this.rule, this.mostPermits), this.refusedClients.heaviest(HEAVIEST),
				this.admittedOverTime.counts(slices), this.refusedOverTime.counts(slices));
	}

}
