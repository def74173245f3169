package dev.ratelimit.limiter.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.rule.Mode.ModeKind;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

class PermitSourcesTests {

	private final List<PermitSource> created = new ArrayList<>();

	private final PermitSources sources = new PermitSources(Map.of(ModeKind.LEASED, this::create));

	private static Limit limit(Mode mode) {
		RLConfig rule = RLConfig.builder("a").algorithm(Algorithm.FIXED_WINDOW).mode(mode).thresholds("9/1s").build();
		return Limit.of(rule);
	}

	private PermitSource create() {
		this.created.add(mock());
		return this.created.get(this.created.size() - 1);
	}

	@Test
	void aSourceIsCreatedOnceWithTheFirstRuleOfItsMode() {
		Limit leased = limit(Mode.LEASED);
		this.sources.follow(List.of(limit(Mode.STRICT), limit(Mode.SYNCED)));
		assertThat(this.created).isEmpty();
		assertThat(this.sources.find(leased)).isNull();
		this.sources.follow(List.of(limit(Mode.STRICT), leased));
		PermitSource source = this.sources.find(leased);
		this.sources.follow(List.of(leased));
		assertThat(this.created).containsExactly(source);
		assertThat(this.sources.find(leased)).isSameAs(source);
		assertThat(this.sources.find(limit(Mode.STRICT))).isNull();
		assertThat(this.sources.find(limit(Mode.SYNCED))).isNull();
	}

	@Test
	void aSourceStaysAndLearnsOfEachFurtherRuleSet() {
		Limit leased = limit(Mode.LEASED);
		this.sources.follow(List.of(leased));
		this.sources.follow(List.of());
		then(this.created.get(0)).should().retain(List.of());
		assertThat(this.sources.find(leased)).isSameAs(this.created.get(0));
	}

	@Test
	void whatIsDoneToAllSourcesIsDoneToEach() {
		upkeep(this.sources);
		assertThat(this.created).isEmpty();
		this.sources.follow(List.of(limit(Mode.LEASED)));
		upkeep(this.sources);
		then(this.created.get(0)).should().tidy();
		then(this.created.get(0)).should().forget("a", new Subject("b"));
		then(this.created.get(0)).should().close();
		then(this.created.get(0)).should().restart();
	}

	private static void upkeep(PermitSources sources) {
		sources.tidy();
		sources.forget("a", new Subject("b"));
		sources.close();
		sources.restart();
	}

	@Test
	void aSourceThatFailsToCloseKeepsNoOtherOpen() {
		PermitSources both = new PermitSources(Map.of(ModeKind.LEASED, this::create, ModeKind.SYNCED, this::create));
		both.follow(List.of(limit(Mode.LEASED), limit(Mode.SYNCED)));
		this.created.forEach((source) -> willThrow(IllegalStateException.class).given(source).close());
		assertThatIllegalStateException().isThrownBy(both::close);
		assertThat(this.created).hasSize(2).allSatisfy((source) -> then(source).should().close());
	}

}
