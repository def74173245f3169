package dev.ratelimit.datacenters;

import java.util.Random;
import java.util.function.UnaryOperator;

import dev.ratelimit.datacenters.PooledWindow.Terms;
import dev.ratelimit.store.redis.SharedRedis;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of limits that data centres share, in which the scripts reply and
 * store the same as their twin, on a clock of the test.
 */
class PooledScriptsOracleTests {

	private final PooledScripts scripts = new PooledScripts(SharedRedis.inspection(), UnaryOperator.identity());

	@AfterProperty
	void removeKeys() {
		SharedRedis.inspection().flushAll();
	}

	@Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
	void theScriptsAgreeWithTheirTwin(@ForAll int seed, @ForAll boolean isFaulty) {
		new PooledHistory(SharedRedis.inspection(), this.scripts, seed, isFaulty).run();
	}

	@Test
	void aLimitIsDividedAsItsTwinDoes() {
		Random random = new Random(1);
		for (int i = 0; i < 1000; i++) {
			long limit = random.nextLong(1, random.nextBoolean() ? 20 : 1_000_000_000_000_000L);
			int centers = random.nextInt(2, 6);
			int place = random.nextInt(centers);
			Everywhere scope = new Everywhere(random.nextInt(101), random.nextInt(101),
					Everywhere.DEFAULT.exchangeInterval());
			Terms expected = Terms.of(limit, centers, place, scope.guaranteedSharePercent(),
					scope.poolOvershootPercent());
			assertThat(PoolTerms.of(scope, limit, centers, place))
				.isEqualTo(new PoolTerms(limit, expected.share(), expected.pool(), expected.overshoot()));
		}
	}

}
