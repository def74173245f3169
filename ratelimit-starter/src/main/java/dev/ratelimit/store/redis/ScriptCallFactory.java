package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.NodeCall;
import dev.ratelimit.store.wire.ReleaseCallFactory;

import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Converts requests and permits into script calls. Tested by {@code StoreContractTests}.
 */
final class ScriptCallFactory implements ReleaseCallFactory {

	private static final byte[] ONE = ascii("1");

	/** Suffix of the id of permits that have a turn. */
	private static final String TURN = "~";

	/** Takes the place of the permit id where nothing stores it. */
	private static final byte[] NO_ID = ascii("-");

	/** Writing this many entries of a log takes Redis about as long as one call. */
	private static final int ENTRIES_PER_CALL = 8;

	private static final List<byte[]> NO_ID_COST_ONE = List.of(NO_ID, ONE);

	private final byte[] keyStart;

	private final Map<StoredFormat, AlgorithmScripts> scripts;

	private final Optional<ScopedLimits> scoped;

	/** Softly, so that limits that are not in force any more can be collected. */
	private final Map<Limit, List<byte[]>> arguments = new ConcurrentReferenceHashMap<>();

	/**
	 * Create the converter.
	 * @param keyPrefix the start of every key
	 * @param scripts the scripts by format
	 * @param scoped the limits that a module counts
	 */
	ScriptCallFactory(String keyPrefix, Map<StoredFormat, AlgorithmScripts> scripts, Optional<ScopedLimits> scoped) {
		this.keyStart = keyStart(keyPrefix);
		this.scripts = scripts;
		this.scoped = scoped;
	}

	ScriptCall take(AcquireRequest request, NodeCall.Afterwards afterwards) {
		if (request.turn().isPresent()) {
			WaitRange wait = request.turn().get();
			String numbers = request.cost() + " " + wait.notBeforeMicros() + " " + wait.notAfterMicros() + " "
					+ wait.maxQueue();
			return call(scripts(request).turn().orElseThrow().take(), request, id(request), ascii(numbers),
					arguments(request), afterwards);
		}
		if (request.isAhead()) {
			return call(scripts(request).ahead(), request, ascii(request.wanted() + " " + request.cost()),
					arguments(request), afterwards);
		}
		return call(scripts(request).take(), request, number(request.cost()), arguments(request), afterwards);
	}

	@Override
	public ScriptCall release(AcquiredPermits taken, NodeCall.Afterwards afterwards) {
		AcquireRequest request = taken.request();
		// No request was ever granted more.
		long cost = Math.min(request.cost(), request.limit().largestCost());
		byte[] id = (request.turn().isPresent() && storesPermitIds(request)) ? ascii(request.permit().text() + TURN)
				: id(request);
		AlgorithmScripts scripts = scripts(request);
		Script script = request.turn().isPresent() ? scripts.turn().orElseThrow().release() : scripts.release();
		return call(script, request, id, number(cost), receipts(taken), afterwards);
	}

	/** A script that cannot identify the permits replies with a negative number. */
	@Override
	public boolean isAcknowledged(AcquiredPermits taken, Object reply) {
		return reply instanceof Long count && count >= 0;
	}

	/**
	 * The receipts take the place of the permit id, as the arguments of the limit are
	 * sent once for all calls.
	 */
	ScriptCall count(AcquiredPermits taken) {
		AcquireRequest request = taken.request();
		String receipts = taken.receipts().stream().map(String::valueOf).collect(Collectors.joining(" "));
		return call(scripts(request).count(), request, ascii(receipts), number(request.cost()), arguments(request),
				NodeCall.Afterwards.NOTHING);
	}

	ScriptCall peek(AcquireRequest request) {
		return call(scripts(request).peek(), request, ONE, arguments(request), NodeCall.Afterwards.NOTHING);
	}

	ScriptCall reset(AcquireRequest request, Script script) {
		return new ScriptCall(script, key(request), List.of(), NodeCall.Afterwards.NOTHING);
	}

	/** How a module counts a limit. */
	Optional<ScopedLimits> scoped(Limit limit) {
		return (this.scoped.isPresent() && this.scoped.get().contain(limit)) ? this.scoped : Optional.empty();
	}

	private List<byte[]> arguments(AcquireRequest request) {
		Limit limit = request.limit();
		Optional<ScopedLimits> scoped = scoped(limit);
		if (scoped.isPresent()) {
			return scoped.get().scope().arguments(limit);
		}
		List<byte[]> known = this.arguments.get(limit);
		return (known != null) ? known : this.arguments.computeIfAbsent(limit, LimitArguments::of);
	}

	private AlgorithmScripts scripts(AcquireRequest request) {
		Optional<ScopedLimits> scoped = scoped(request.limit());
		return scoped.isPresent() ? scoped.get().scripts()
				: Objects.requireNonNull(this.scripts.get(StoredFormat.of(request.limit())));
	}

	/** A counter needs its own arguments beside the receipts; a log needs neither. */
	private List<byte[]> receipts(AcquiredPermits taken) {
		if (taken.receipts().isEmpty()) {
			return List.of();
		}
		List<byte[]> arguments = new ArrayList<>(arguments(taken.request()));
		taken.receipts().forEach((receipt) -> arguments.add(ascii(Long.toString(receipt))));
		return arguments;
	}

	private static byte[] number(long cost) {
		return (cost == 1) ? ONE : ascii(Long.toString(cost));
	}

	private ScriptCall call(Script script, AcquireRequest request, byte[] cost, List<byte[]> limitArguments,
			NodeCall.Afterwards afterwards) {
		return call(script, request, id(request), cost, limitArguments, afterwards);
	}

	private static byte[] id(AcquireRequest request) {
		return storesPermitIds(request) ? request.permit().ascii() : NO_ID;
	}

	private static boolean storesPermitIds(AcquireRequest request) {
		return request.limit().algorithm() == Algorithm.SLIDING_WINDOW_LOG;
	}

	private ScriptCall call(Script script, AcquireRequest request, byte[] id, byte[] cost, List<byte[]> limitArguments,
			NodeCall.Afterwards afterwards) {
		List<byte[]> arguments = (id == NO_ID && cost == ONE) ? NO_ID_COST_ONE : List.of(id, cost);
		return new ScriptCall(script, List.of(key(request)), arguments, limitArguments, weight(request), afterwards);
	}

	/** A log stores each permit. */
	private static int weight(AcquireRequest request) {
		return storesPermitIds(request)
				? 1 + (int) (Math.min(request.wanted(), RLConfig.MAX_LOG_COST) / ENTRIES_PER_CALL) : 1;
	}

	/** The key of a client's state. Only the prefix may contain anything but ASCII. */
	byte[] key(AcquireRequest request) {
		return key(request.limit(), request.subject());
	}

	byte[] key(Limit limit, Subject client) {
		Optional<ScopedLimits> scoped = scoped(limit);
		return key(this.keyStart, limit, client,
				scoped.isPresent() ? scoped.get().scope().format() : StoredFormat.of(limit).text());
	}

	/** The start of every key of a client. */
	static byte[] keyStart(String keyPrefix) {
		return (keyPrefix + ":{").getBytes(StandardCharsets.UTF_8);
	}

	static byte[] key(byte[] keyStart, Limit limit, Subject client, String format) {
		String rule = limit.rule();
		String subject = client.text();
		byte[] key = Arrays.copyOf(keyStart, keyStart.length + rule.length() + subject.length() + 3 + format.length());
		int end = put(rule, key, keyStart.length);
		key[end++] = ':';
		end = put(subject, key, end);
		key[end++] = '}';
		key[end++] = ':';
		int ignored = put(format, key, end);
		return key;
	}

	private static int put(String ascii, byte[] key, int from) {
		for (int i = 0; i < ascii.length(); i++) {
			key[from + i] = (byte) ascii.charAt(i);
		}
		return from + ascii.length();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
