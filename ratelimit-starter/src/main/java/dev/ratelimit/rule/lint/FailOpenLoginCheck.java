package dev.ratelimit.rule.lint;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.rule.RLConfig;

/**
 * Finds rules that stop protecting a secret as soon as the store is unavailable. Where
 * passwords and codes are checked, an attacker that can disturb the store could guess
 * them without a limit.
 */
final class FailOpenLoginCheck {

	/** Each word is a whole segment, or stands between the dashes of one. */
	private static final Set<String> SECRETS = Set.of("2fa", "auth", "authenticate", "authentication", "authorize",
			"credentials", "login", "logon", "mfa", "otp", "password", "passwords", "passwd", "pin", "recovery",
			"signin", "token", "totp");

	/** Spellings with two words. */
	private static final Set<String> SIGN_IN = Set.of("log-in", "log-on", "sign-in", "sign-on");

	private FailOpenLoginCheck() {
	}

	static Optional<String> warning(RLConfig rule) {
		if (rule.enforcement().onStoreFailure() != OnStoreFailure.ALLOW || rule.enforcement().shadow()) {
			return Optional.empty();
		}
		return Stream.concat(rule.requests().paths().stream(), Stream.of(rule.id()))
			.filter(FailOpenLoginCheck::guardsASecret)
			.findFirst()
			.map((place) -> ("Rule '%s' has on-store-failure allow, and %s looks like a place where secrets are "
					+ "checked: while the store cannot answer, they can be guessed without a limit. Set on-store-failure "
					+ "to local, which goes on counting in memory, or to deny.")
				.formatted(rule.id(), place.equals(rule.id()) ? "its id" : place));
	}

	private static boolean guardsASecret(String place) {
		return Arrays.stream(place.toLowerCase(Locale.ROOT).split("/"))
			.filter((segment) -> segment.indexOf('{') < 0)
			.map((segment) -> "-" + segment.replace('_', '-').replace('.', '-') + "-")
			// The name of the algorithm is not a secret.
			.map((segment) -> segment.replace("-token-bucket-", "-"))
			.anyMatch((segment) -> SIGN_IN.stream().anyMatch((words) -> segment.contains("-" + words + "-"))
					|| Arrays.stream(segment.split("-")).anyMatch(SECRETS::contains));
	}

}
