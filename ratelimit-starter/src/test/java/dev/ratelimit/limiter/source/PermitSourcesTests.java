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
import static org.mockito.BDDMockito.then;
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
	void aSourceIsCreatedOnceForTheFirstLimitOfItsMode() {
		assertThat(this.sources.find(limit(Mode.STRICT))).isNull();
		assertThat(this.sources.find(limit(Mode.SYNCED))).isNull();
		assertThat(this.created).isEmpty();
		PermitSource source = this.sources.find(limit(Mode.LEASED));
		assertThat(source).isNotNull().isSameAs(this.sources.find(limit(Mode.LEASED)));
		assertThat(this.created).containsExactly(source);
	}

	@Test
	void whatIsDoneToAllSourcesCreatesNone() {
		Limit leased = limit(Mode.LEASED);
		upkeep(leased);
		assertThat(this.created).isEmpty();
		this.sources.find(leased);
		upkeep(leased);
		then(this.created.get(0)).should().tidy();
		then(this.created.get(0)).should().retain(List.of(leased));
		then(this.created.get(0)).should().forget("a", new Subject("b"));
		then(this.created.get(0)).should().close();
		then(this.created.get(0)).should().restart();
	}

	private void upkeep(Limit leased) {
		this.sources.tidy();
		this.sources.retain(List.of(leased));
		this.sources.forget("a", new Subject("b"));
		this.sources.close();
		this.sources.restart();
	}

}
