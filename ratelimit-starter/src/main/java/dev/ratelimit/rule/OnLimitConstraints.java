package dev.ratelimit.rule;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * The constraints of {@code on-limit} on its rule.
 */
final class OnLimitConstraints {

	private OnLimitConstraints() {
	}

	static void require(OnLimit onLimit, Stage stage, Algorithm algorithm, Mode mode, boolean countRejected,
			CountOn countOn) {
		OnLimit.OnLimitKind kind = onLimit.kind();
		if (kind == OnLimit.OnLimitKind.REJECT) {
			return;
		}
		if (!kind.algorithms().contains(algorithm)) {
			throw invalid(kind, "algorithm " + algorithm.text(), "Use algorithm "
					+ kind.algorithms().stream().map(Algorithm::text).collect(Collectors.joining(" or ")));
		}
		if (mode.kind() != Mode.ModeKind.STRICT) {
			throw invalid(kind, "mode " + mode.kind().text() + ", as the store must see every request",
					"Use mode strict");
		}
		if (countRejected) {
			throw invalid(kind, "count-rejected, as it refuses no request that may still come",
					"Remove count-rejected");
		}
		if (!countOn.isAlways()) {
			throw invalid(kind, "count-on " + countOn + ", as a place that was taken keeps those behind it waiting",
					"Remove count-on");
		}
		if (kind == OnLimit.OnLimitKind.ENQUEUE && stage == Stage.BEFORE_SECURITY) {
			throw invalid(kind, "stage before-security, where no user is known", "Use stage after-security");
		}
		if (onLimit instanceof OnLimit.Enqueue enqueue) {
			requireRoom(enqueue);
		}
	}

	/**
	 * Requests with other methods are refused, as their clients wait for the response.
	 */
	static void requireEnqueuedMethod(OnLimit onLimit, Set<String> methods) {
		if (onLimit.kind() == OnLimit.OnLimitKind.ENQUEUE && !methods.isEmpty()
				&& methods.stream().noneMatch(HttpMethods::isUnsafe)) {
			throw invalid(onLimit.kind(),
					"methods " + String.join(", ", methods) + ", of which it enqueues none: they are safe, or unknown",
					"Add a method such as POST");
		}
	}

	private static void requireRoom(OnLimit.Enqueue enqueue) {
		if (enqueue.maxQueue() > enqueue.maxTotal()) {
			throw new InvalidRuleException("max-queue", Integer.toString(enqueue.maxQueue()),
					"is above enqueue.max-total " + enqueue.maxTotal(),
					"Use at most " + enqueue.maxTotal() + ", or a larger enqueue.max-total");
		}
		if (enqueue.maxBodyBytes() + OnLimit.Enqueue.BESIDE_BODY_BYTES > enqueue.maxBytes()) {
			throw new InvalidRuleException("enqueue.max-body", SizeRange.text(enqueue.maxBodyBytes()),
					"leaves no room in enqueue.max-bytes %s for path, query and headers"
						.formatted(SizeRange.text(enqueue.maxBytes())),
					"Use at least %dKB less, or a larger enqueue.max-bytes"
						.formatted(OnLimit.Enqueue.BESIDE_BODY_BYTES / 1024));
		}
	}

	private static InvalidRuleException invalid(OnLimit.OnLimitKind kind, String other, String cure) {
		return new InvalidRuleException("on-limit", kind.text(), "does not go with " + other,
				cure + ", or on-limit reject");
	}

}
