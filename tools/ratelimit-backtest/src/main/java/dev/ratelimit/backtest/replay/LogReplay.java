package dev.ratelimit.backtest.replay;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.backtest.log.LogLine;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionPipeline;
import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.IpRange;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.health.StoreListener;
import dev.ratelimit.limiter.health.StoreWatch;
import dev.ratelimit.limiter.refusal.DenyCache;
import dev.ratelimit.limiter.refusal.NamedRules;
import dev.ratelimit.limiter.remote.RemoteStore;
import dev.ratelimit.limiter.source.PermitSources;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.web.ActuatorPaths;
import dev.ratelimit.web.RouteTable;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.RequestBeans;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Replays the lines of a log through the rules of one file. The same code as in
 * production decides, configured to count in memory on the clock of the log. Its memory
 * grows with the number of keys in use at one time. Not safe for concurrent use.
 */
public final class LogReplay {

	/** The clock of a log stands still while a request is decided. */
	private static final long NO_TIME = 0;

	private final RuleFile file;

	private final LogClock clock = new LogClock();

	private final AskedFacts requestedFacts = new AskedFacts();

	private final ClientAddresses addresses;

	private final RequestReplay requests;

	/**
	 * Create a replay.
	 * @param file the rules
	 * @throws InvalidRuleException if a rule cannot be compiled; it names the property
	 * after {@code ratelimit.}
	 */
	public LogReplay(RuleFile file) {
		RateLimitProperties settings = file.settings();
		this.file = file;
		this.addresses = new ClientAddresses(ranges("trusted-proxies", settings.trustedProxies()),
				settings.forwardedHeader() == RateLimitProperties.ForwardedHeader.FORWARDED);
		RouteTable routes = new RouteTable(new CompiledRules(file.rules(), settings.ipv6Prefix(), NamedRules.NONE),
				(id) -> false, PathPatternParser.defaultInstance, settings.exempt().paths(),
				actuator(file.actuatorBasePath()), noBeans(),
				new SubjectEncoder(settings.ipv6Prefix(), Objects.requireNonNullElse(settings.keySecret(), "")),
				() -> NO_TIME);
		this.requests = new RequestReplay(routes, limiter(settings),
				ranges("exempt.addresses", settings.exempt().addresses()));
	}

	/** All that is below the base path, as the endpoints are not known. */
	private static ActuatorPaths actuator(String basePath) {
		return basePath.isEmpty() ? ActuatorPaths.NONE : new ActuatorPaths(basePath, List.of(basePath + "/**"));
	}

	private RequestLimiter limiter(RateLimitProperties settings) {
		MemoryStore store = MemoryStore.unbounded(this.clock);
		StoreWatch watch = new StoreWatch(store.describe(), Optional::empty, StoreListener.all(List.of()), (event) -> {
		}, () -> NO_TIME);
		RemoteStore remote = new RemoteStore(store, Source.MEMORY, Optional.empty(), watch,
				StoreListener.all(List.of()), () -> NO_TIME);
		DecisionListener none = DecisionListener.all(List.of());
		DecisionPipeline pipeline = new DecisionPipeline(DenyCache.off(), new PermitSources(Map.of()), remote,
				Fallback.alone(store), new PermitIds(new SecureRandom()), none, () -> NO_TIME);
		return new RequestLimiter(pipeline, settings.deadline());
	}

	private static List<IpRange> ranges(String property, List<String> texts) {
		List<IpRange> ranges = new ArrayList<>();
		for (int i = 0; i < texts.size(); i++) {
			ranges.add(IpRange.parse(property + "[" + i + "]", texts.get(i)));
		}
		return ranges;
	}

	private static RequestBeans noBeans() {
		return new RequestBeans() {
			@Override
			public <T> T find(String property, String name, Class<T> type) {
				throw new InvalidRuleException(property, "bean:" + name, "is available only in the running application",
						"Leave such rules out with --skip-untold");
			}
		};
	}

	/**
	 * Replay a request.
	 * @param now the time
	 * @param line the request
	 * @return the decisions of the rules that match it; empty if it was not for the
	 * application, or no rule matches
	 */
	public List<Replayed> replay(Instant now, LogLine line) {
		String context = this.file.contextPath();
		if (!line.path().startsWith(context + "/")) {
			return List.of();
		}
		this.clock.set(now);
		String path = line.path().substring(context.length());
		return this.requests.replay(new LoggedRequest(line, path, this.addresses, this.requestedFacts), line.status());
	}

	/**
	 * The facts that rules requested and no line contains.
	 * @return a warning for each
	 */
	public List<String> untold() {
		return this.requestedFacts.missing()
			.stream()
			.map((fact) -> "No line of the log tells %s, which a rule uses: it was treated as absent everywhere. Does the server log it?"
				.formatted("user".equals(fact) ? "a user" : "the " + fact))
			.toList();
	}

}
