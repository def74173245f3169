package dev.ratelimit.backtest.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.backtest.log.LogLine;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RequestReplayTests {

	@TempDir
	private Path directory;

	private LogReplay replay(String... rules) throws IOException {
		String yaml = "ratelimit:\n  exempt.addresses: 10.0.0.0/8\n  defaults.key: ip\n" + "  rules:\n    "
				+ String.join("\n    ", rules);
		return new LogReplay(RuleFile.read(Files.writeString(this.directory.resolve("application.yml"), yaml)));
	}

	private static List<Replayed> get(LogReplay replay, String path) {
		return replay(replay, "GET", path, "192.0.2.1", 200);
	}

	private static List<Replayed> replay(LogReplay replay, String method, String path, String address, int status) {
		return replay.replay(Instant.EPOCH, new LogLine(1, Instant.EPOCH, address, Optional.empty(), method, path,
				Optional.empty(), status, Map.of()));
	}

	private static List<String> outcomes(LogReplay replay, int status) {
		return replay(replay, "GET", "/a", "192.0.2.1", status).stream()
			.map((one) -> one.rule().id() + " " + one.outcome().map(Outcome::name).orElse("not decided"))
			.toList();
	}

	@Test
	void aMethodThatNoRegistryAndNoRuleKnowsIsCoveredAsOverHttp() throws IOException {
		LogReplay replay = replay("reads: {paths: '/**', methods: GET, thresholds: 1/1m}");
		assertThat(replay(replay, "FOO", "/a", "192.0.2.1", 200)).hasSize(1);
		assertThat(replay(replay, "get", "/a", "192.0.2.1", 200)).hasSize(1);
		assertThat(replay(replay, "POST", "/a", "192.0.2.1", 200)).isEmpty();
	}

	@Test
	void everyMatchingRuleReportsItsOutcome() throws IOException {
		LogReplay replay = replay("tight: {paths: '/**', thresholds: 1/1m}", "wide: {paths: '/**', thresholds: 9/1m}",
				"keyed: {paths: '/**', key: 'header:X-Api-Key', on-missing-key: skip, thresholds: 1/1m}",
				"elsewhere: {paths: /b, thresholds: 1/1m}");
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("tight ALLOWED", "wide ALLOWED", "keyed SKIPPED");
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("tight REJECTED", "wide RELEASED", "keyed SKIPPED");
	}

	@Test
	void theKeyIsReportedAsItWasCounted() throws IOException {
		Replayed counted = get(replay("any: {key: 'path:id', paths: '/{id}', thresholds: 1/1m}"), "/%61").get(0);
		assertThat(counted.key()).containsExactly("a");
		assertThat(counted.decided()).isPresent();
		Replayed keyless = get(replay("any: {paths: '/**', key: 'header:X-Api-Key', thresholds: 1/1m}"), "/a").get(0);
		assertThat(keyless.key()).isEmpty();
		assertThat(keyless.decided().orElseThrow().ruleRequest().subject().text()).isEqualTo("i192.0.2.1");
	}

	@Test
	void permitsThatTheOutcomeDoesNotCountAreReleased() throws IOException {
		LogReplay replay = replay("failures: {paths: '/**', count-on: failure, thresholds: 1/1m}");
		assertThat(outcomes(replay, 200)).containsExactly("failures ALLOWED");
		assertThat(outcomes(replay, 500)).containsExactly("failures ALLOWED");
		assertThat(outcomes(replay, 200)).containsExactly("failures REJECTED");
	}

	@Test
	void aPartOfASuccessCountsAsTheWhole() throws IOException {
		LogReplay replay = replay("full: {paths: '/**', count-on: 200, thresholds: 1/1m}");
		assertThat(outcomes(replay, 404)).containsExactly("full ALLOWED");
		assertThat(outcomes(replay, 206)).containsExactly("full ALLOWED");
		assertThat(outcomes(replay, 200)).containsExactly("full REJECTED");
	}

	@Test
	void noRuleIsDecidedOnceOneRefusesForLackOfAKey() throws IOException {
		LogReplay replay = replay(
				"keyed: {paths: '/**', key: 'header:X-Api-Key', on-missing-key: deny, thresholds: 1/1m}",
				"other: {paths: '/**', thresholds: 1/1m}");
		assertThat(outcomes(replay, 200)).containsExactlyInAnyOrder("keyed REJECTED", "other not decided");
		assertThat(get(replay, "/a")).allSatisfy((one) -> assertThat(one.decided()).isEqualTo(Optional.empty()));
	}

	@Test
	void aRequestOfAnExemptAddressMatchesNothing() throws IOException {
		LogReplay replay = replay("any: {paths: '/**', thresholds: 1/1m}");
		assertThat(replay(replay, "GET", "/a", "10.1.2.3", 200)).isEmpty();
		assertThat(replay(replay, "GET", "/a", "11.1.2.3", 200)).hasSize(1);
	}

	@Test
	void aPathThatMvcCannotParseIsStillCovered() throws IOException {
		assertThat(get(replay("any: {paths: '/**', thresholds: 1/1m}"), "/%zz")).hasSize(1);
	}

}
