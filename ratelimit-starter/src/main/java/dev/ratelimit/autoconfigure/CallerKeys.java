package dev.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.method.RequestKeys;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.web.claim.Claims;
import dev.ratelimit.web.claim.Users;

/**
 * Names the caller of a method by the request, or by the security context of the thread
 * where the request does not.
 *
 * @param ofRequest provides the facts of the request
 */
record CallerKeys(RequestKeys ofRequest) implements RequestKeys {

	@Override
	public Supplier<Optional<String>> resolver(String rule, KeySource source) {
		Supplier<Optional<String>> inRequest = this.ofRequest.resolver(rule, source);
		return switch (source.kind()) {
			case PRINCIPAL -> () -> inRequest.get().or(() -> Users.name(Users.ofThread()));
			case CLAIM -> () -> inRequest.get().or(() -> Claims.find(Users.ofThread(), source.name()));
			default -> inRequest;
		};
	}

}
