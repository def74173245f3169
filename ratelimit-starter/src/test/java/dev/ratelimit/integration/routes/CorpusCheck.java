package dev.ratelimit.integration.routes;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RecordingMemoryStore;
import dev.ratelimit.integration.support.RawHttp;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends an entry of the corpus to an application whose rules admit one request each, and
 * tests that it is answered right.
 */
final class CorpusCheck {

	private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

	private final App app;

	private final boolean firewall;

	private final RecordingMemoryStore store;

	private final Catalog.Handlers handlers;

	CorpusCheck(App app, boolean firewall) {
		this.app = app;
		this.firewall = firewall;
		this.store = app.bean(RecordingMemoryStore.class);
		this.handlers = app.bean(Catalog.Handlers.class);
	}

	void check(CorpusEntry entry) {
		this.store.reset();
		this.handlers.takeRan();
		if (this.firewall && entry.isFirewalled()) {
			reachesNoHandler(entry, List.of(400));
			return;
		}
		switch (entry.expect()) {
			case COUNTED -> sharesTheBucket(entry, Objects.requireNonNull(entry.like()));
			case COUNTED_APART -> hasItsOwnBucket(entry, Objects.requireNonNull(entry.from()));
			case ONCE -> isCountedOnce(entry, Objects.requireNonNull(entry.rules()));
			case UNREACHED -> reachesNoHandler(entry, Objects.requireNonNull(entry.status()));
			case FREE -> isFree(entry);
			case START_REFUSED -> throw new IllegalArgumentException(entry + " needs an application of its own");
		}
	}

	private void sharesTheBucket(CorpusEntry entry, CorpusEntry.Plain plain) {
		RawHttp.exchange(this.app.port(), entry.request(1));
		assertThat(this.handlers.takeRan()).containsExactly(entry.handler());
		List<String> acquired = this.store.takeAcquired();
		assertThat(acquired).singleElement().asString().startsWith(entry.rule() + " ");
		isRefused(plain.request());
		assertThat(this.store.takeAcquired()).isEqualTo(acquired);
		if (entry.line().contains(" HTTP/")) {
			isRefused(entry.request(2));
		}
	}

	private void hasItsOwnBucket(CorpusEntry entry, List<String> others) {
		String line = "GET /api/products/1 HTTP/1.1";
		for (String other : others) {
			assertThat(status(CorpusEntry.request(line, List.of(other), ""))).isEqualTo(200);
			isRefused(CorpusEntry.request(line, List.of(other), ""));
		}
		this.handlers.takeRan();
		this.store.takeAcquired();
		assertThat(status(entry.request(1))).isEqualTo(200);
		assertThat(this.handlers.takeRan()).containsExactly(entry.handler());
		assertThat(this.store.takeAcquired()).singleElement().asString().startsWith(entry.rule() + " ");
		isRefused(entry.request(1));
	}

	private void isRefused(String request) {
		this.handlers.takeRan();
		assertThat(status(request)).isEqualTo(429);
		assertThat(this.handlers.takeRan()).isEmpty();
	}

	private void isCountedOnce(CorpusEntry entry, List<String> rules) {
		RawHttp.exchange(this.app.port(), entry.request(1));
		assertThat(this.handlers.takeRan()).first().isEqualTo(entry.handler());
		assertThat(this.store.takeAcquired()).extracting((acquired) -> acquired.substring(0, acquired.indexOf(' ')))
			.containsExactlyElementsOf(rules);
	}

	private void reachesNoHandler(CorpusEntry entry, List<Integer> statuses) {
		assertThat(status(entry.request(1))).isIn(statuses);
		assertThat(this.handlers.takeRan()).isEmpty();
	}

	private void isFree(CorpusEntry entry) {
		assertThat(status(entry.request(1))).isEqualTo(200);
		assertThat(this.store.takeAcquired()).isEmpty();
	}

	private int status(String request) {
		String answer = RawHttp.exchange(this.app.port(), request);
		Matcher status = STATUS.matcher(answer);
		assertThat(status.lookingAt()).as(answer).isTrue();
		return Integer.parseInt(status.group(1));
	}

}
