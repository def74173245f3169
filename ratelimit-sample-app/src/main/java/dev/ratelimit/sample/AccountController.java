package dev.ratelimit.sample;

import java.util.Objects;
import java.util.UUID;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Twenty accounts per address and day; an attempt that creates none does not count.
 */
@RestController
class AccountController {

	/** Stores nothing, because the sample shows the limits only. */
	@PostMapping("/accounts")
	@ResponseStatus(HttpStatus.CREATED)
	Account create(@RequestBody NewAccount account) {
		if (!account.email().contains("@")) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "That is no e-mail address");
		}
		return new Account(UUID.randomUUID(), account.email());
	}

	record NewAccount(String email) {

		NewAccount {
			Objects.requireNonNull(email);
		}

	}

	record Account(UUID id, String email) {
	}

}
