package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.key.RequestBeans;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Maps a request to the rules that match it. All patterns are parsed once, with MVC's own
 * parser options, and indexed by their first segment. A request that no rule covers costs
 * one map look-up and a match against the patterns that begin with a wildcard.
 */
public final class RouteTable {

	/**
	 * Handlers have finitely many patterns; this bounds a mapping that generates
	 * patterns.
	 */
	private static final int MOST_HANDLERS = 10_000;

	private final Map<String, List<Match>> byHandler = new ConcurrentHashMap<>();

	private final PathPatternParser parser;

	private final boolean awaitingOutcomes;

	private final RequestNeeds needs;

	/** Those of the registry, and those that rules list. */
	private final Set<String> knownMethods;

	private final List<Candidate> all;

	private final MatchedRequests matched;

	private final PatternIndex<Candidate> index;

	private final List<PathPattern> exempt;

	private final PatternIndex<PathPattern> actuator;

	/**
	 * Compile the routes.
	 * @param rules the rules in force
	 * @param madeInCode whether the rule with an id is of a limiter made in code, which
	 * reads nothing of a request and needs no bean
	 * @param parser MVC's pattern parser
	 * @param exemptPaths patterns of paths that are never limited
	 * @param actuator what Actuator serves, which only patterns that name it cover
	 * @param beans finds the beans that rules name
	 * @param subjects encodes keys
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @throws InvalidRuleException if a path is no pattern, a condition no expression or
	 * a bean not of its type; names the property after {@code ratelimit.}
	 */
	public RouteTable(CompiledRules rules, Predicate<String> madeInCode, PathPatternParser parser,
			List<String> exemptPaths, ActuatorPaths actuator, RequestBeans beans, SubjectEncoder subjects,
			LongSupplier nanoTime) {
		this.parser = parser;
		this.awaitingOutcomes = rules.enabled()
			.stream()
			.anyMatch((rule) -> rule.config().requests().paths().isEmpty()
					&& !rule.config().counting().countOn().isAlways());
		this.needs = RequestNeeds.of(rules.enabled());
		this.knownMethods = Stream
			.concat(HttpMethods.REGISTERED.stream(),
					rules.enabled().stream().flatMap((rule) -> rule.config().requests().methods().stream()))
			.collect(Collectors.toUnmodifiableSet());
		this.actuator = index(actuator.patterns(), parser);
		PatternIndex<PathPattern> named = index(actuator.named(), parser);
		List<Candidate> candidates = new ArrayList<>();
		List<CompiledRule> withPaths = new ArrayList<>();
		for (CompiledRule rule : rules.enabled()) {
			if (madeInCode.test(rule.id()) || rule.config().key().has(KeySource.Kind.ARG)) {
				continue;
			}
			Route route = route(rule, beans, subjects, nanoTime);
			if (!rule.config().requests().paths().isEmpty()) {
				withPaths.add(rule);
			}
			for (String path : rule.config().requests().paths()) {
				// A wildcard is an ordinary segment here: only literal ones name a path.
				PathContainer start = HandlerPattern.paths(path).get(0);
				boolean forActuator = anyMatches(named.find(start), start);
				candidates.add(new Candidate(route, parse(parser, "rules." + rule.id() + ".paths", path), forActuator));
			}
		}
		this.matched = new MatchedRequests(withPaths, nanoTime);
		this.all = List.copyOf(candidates);
		this.index = new PatternIndex<>(this.all, Candidate::pattern, parser.isCaseSensitive());
		this.exempt = exemptPaths.stream().map((path) -> parse(parser, "exempt.paths", path)).toList();
	}

	private static PatternIndex<PathPattern> index(List<String> patterns, PathPatternParser parser) {
		return new PatternIndex<>(patterns.stream().map(parser::parse).toList(), Function.identity(),
				parser.isCaseSensitive());
	}

	private static Route route(CompiledRule rule, RequestBeans beans, SubjectEncoder subjects, LongSupplier nanoTime) {
		try {
			return new Route(rule, beans, subjects, nanoTime);
		}
		catch (InvalidRuleException ex) {
			throw new InvalidRuleException("rules." + rule.id() + "." + ex.property(), ex.value(), ex.reason(),
					ex.cure());
		}
	}

	private static PathPattern parse(PathPatternParser parser, String property, String path) {
		try {
			return parser.parse(path);
		}
		catch (PatternParseException ex) {
			throw new InvalidRuleException(property, path, "is not a path pattern: " + ex.getMessage(),
					"See the syntax of Spring's PathPattern; ** stands only at the start or the end");
		}
	}

	/** The requests that rules have matched. */
	MatchedRequests matched() {
		return this.matched;
	}

	/** What the rules need of requests, also those that only handlers name. */
	RequestNeeds needs() {
		return this.needs;
	}

	/**
	 * The rules that match a request.
	 * @param path its path within the application, as MVC parsed it
	 * @param method its method
	 * @return the matches, at most one per rule
	 */
	List<Match> match(PathContainer path, String method) {
		List<Match> matches = covering(path, method);
		return (matches.isEmpty() || !isExempt(path)) ? matches : List.of();
	}

	/**
	 * The rules that match any form of the path of a request.
	 * @param path its path within the application
	 * @param method its method
	 * @return the matches, at most one per rule
	 */
	public List<Match> match(PathForms path, String method) {
		if (!path.differ()) {
			return match(path.served(), method);
		}
		List<Match> matches = new ArrayList<>(covering(path.served(), method));
		for (PathContainer other : path.others()) {
			for (Match match : covering(other, method)) {
				if (matches.stream().noneMatch((known) -> known.route() == match.route())) {
					matches.add(match);
				}
			}
		}
		return matches;
	}

	/**
	 * Whether a request is never limited, whatever rules cover it. A request whose path
	 * forms differ is never exempt: it may be served by another path than it appears to
	 * request.
	 * @param path the path that the client requested
	 * @return whether it is exempt
	 */
	public boolean isExempt(PathForms path) {
		return !path.differ() && isExempt(path.served());
	}

	/**
	 * Whether the outcome of a request may matter to a rule that only a handler names.
	 * @return whether there is such a rule
	 */
	public boolean mayAwaitOutcomes() {
		return this.awaitingOutcomes;
	}

	/**
	 * Whether a request for a path is never limited. A path that is not in its normal
	 * form is not exempt, as it may lead elsewhere.
	 * @param path the path that the client requested
	 * @return whether it is exempt
	 */
	boolean isExempt(PathContainer path) {
		return anyMatches(this.exempt, path) && NormalPath.is(path);
	}

	/**
	 * Whether Actuator serves a path, which only patterns that name it cover. A path that
	 * is not in its normal form may lead elsewhere.
	 * @param path a path within the application
	 * @return whether it does
	 */
	boolean isOfActuator(PathContainer path) {
		return anyMatches(this.actuator.find(path), path) && NormalPath.is(path);
	}

	/**
	 * The rules that match a path, exempt or not.
	 * @param path a path within the application
	 * @param method the method
	 * @return the matches, at most one per rule
	 */
	public List<Match> covering(PathContainer path, String method) {
		List<Match> matches = List.of();
		for (Candidate candidate : this.index.find(path)) {
			Route route = candidate.route();
			if (!coversMethod(route.rule().config(), method)
					|| (!matches.isEmpty() && matches.get(matches.size() - 1).route() == route)) {
				continue;
			}
			Map<String, String> variables = route.match(candidate.pattern(), path);
			if (variables != null && mayCover(candidate, path)) {
				matches = matches.isEmpty() ? new ArrayList<>(4) : matches;
				matches.add(new Match(route, candidate.pattern(), variables));
			}
		}
		return matches;
	}

	/**
	 * Whether a rule covers a method. One that is neither registered nor listed by any
	 * rule is covered by every rule: a client sends it only to bypass those.
	 * @param rule the rule
	 * @param method the method of a request
	 * @return whether it does
	 */
	boolean coversMethod(RLConfig rule, String method) {
		return rule.requests().coversMethod(method) || !this.knownMethods.contains(method);
	}

	private boolean mayCover(Candidate candidate, PathContainer path) {
		return candidate.forActuator() || !isOfActuator(path);
	}

	/**
	 * The rules that cover a handler, whatever their methods. Computed once per pattern.
	 * @param pattern the pattern that MVC found the handler by
	 * @return the matches, at most one per rule
	 */
	public List<Match> coveringHandler(String pattern) {
		List<Match> known = this.byHandler.get(pattern);
		if (known != null) {
			return known;
		}
		List<PathContainer> paths = HandlerPattern.paths(pattern);
		Map<Route, Match> matches = new LinkedHashMap<>();
		for (Candidate candidate : this.all) {
			if (paths.stream().allMatch((path) -> candidate.pattern().matches(path) && mayCover(candidate, path))) {
				matches.putIfAbsent(candidate.route(), new Match(candidate.route(), candidate.pattern(), Map.of()));
			}
		}
		List<Match> found = List.copyOf(matches.values());
		if (this.byHandler.size() < MOST_HANDLERS) {
			this.byHandler.put(pattern, found);
		}
		return found;
	}

	/**
	 * Whether no request to a handler is ever limited.
	 * @param pattern the pattern that MVC finds the handler by
	 * @return whether all its paths are exempt
	 */
	boolean isExemptHandler(String pattern) {
		return HandlerPattern.paths(pattern).stream().allMatch((path) -> anyMatches(this.exempt, path));
	}

	/**
	 * Whether the pattern of a handler matches the whole of a path. Parses the pattern.
	 * @param pattern the pattern that MVC found the handler by; empty if there is none
	 * @param path a path within the application
	 * @return whether it does; {@code false} for a pattern of a string-based matcher
	 */
	public boolean matches(String pattern, PathContainer path) {
		try {
			return this.parser.parse(pattern).matches(path);
		}
		catch (PatternParseException ex) {
			return false;
		}
	}

	private static boolean anyMatches(List<PathPattern> patterns, PathContainer path) {
		for (PathPattern pattern : patterns) {
			if (pattern.matches(path)) {
				return true;
			}
		}
		return false;
	}

	private record Candidate(Route route, PathPattern pattern, boolean forActuator) {
	}

	/**
	 * A rule that matches a request.
	 *
	 * @param route the rule
	 * @param pattern the pattern of the rule that matched
	 * @param variables the variables of the path, as far as the rule uses them; none if a
	 * handler was matched
	 */
	public record Match(Route route, PathPattern pattern, Map<String, String> variables) {

		/**
		 * The match of a request to a handler.
		 * @param path the path that the handler was found by
		 * @return the match, with the variables of that path
		 */
		public Match at(PathContainer path) {
			Map<String, String> found = this.route.match(this.pattern, path);
			return (found != null) ? new Match(this.route, this.pattern, found) : this;
		}

		/** The match of a rule, among those of a request. */
		static Match of(List<Match> matches, CompiledRule rule) {
			for (Match match : matches) {
				if (match.route().rule() == rule) {
					return match;
				}
			}
			throw new IllegalArgumentException("Rule " + rule.id() + " does not match the request");
		}

	}

}
