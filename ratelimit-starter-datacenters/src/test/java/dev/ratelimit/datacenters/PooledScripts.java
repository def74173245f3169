package dev.ratelimit.datacenters;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.resp.Script;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/**
 * The shipped scripts of shared limits on the clock of the tests, and a look at what they
 * store.
 */
final class PooledScripts {

	private static final String SLACK_MILLIS = "100";

	/** A line per window, whose numbers are in the order in which they are stored. */
	private static final String DUMP = """
			local function text(number)
				return string.format('%.0f', number)
			end
			local value = redis.pcall('GET', KEYS[1])
			local _, held = pcall(cmsgpack.unpack, type(value) == 'string' and value or '')
			local lines = {}
			for length, window in pairs(type(held) == 'table' and held or {}) do
				if type(window) == 'table' and type(window[4]) == 'table' and window[4][1] >= 0 and window[6] then
					local words = { text(length), text(window[1]), text(window[2]) }
					for i = 3, 4 do
						local slot, names = window[i], {}
						for _, at in ipairs({ 1, 2, 4, 5, 6 }) do
							words[#words + 1] = text(slot[at])
						end
						for name in pairs(slot[3]) do
							names[#names + 1] = name
						end
						table.sort(names)
						for _, name in ipairs(names) do
							words[#words + 1] = name
							for at = 1, 6 do
								words[#words + 1] = text(slot[3][name][at])
							end
						end
						words[#words + 1] = '|'
					end
					words[#words + 1] = text(window[5])
					words[#words + 1] = text(window[6])
					lines[#lines + 1] = table.concat(words, ' ')
				end
			end
			return lines
			""";

	private final Jedis redis;

	private final String take;

	private final String peek;

	private final String release;

	private final String message;

	private final String exchange;

	private final String dump;

	private Set<String> stored = Set.of();

	/**
	 * Load the scripts.
	 * @param redis runs them
	 * @param change changes their texts
	 */
	PooledScripts(Jedis redis, UnaryOperator<String> change) {
		this.redis = redis;
		String windows = Script.readAll(List.of("ReadText.lua", "/dev/ratelimit/datacenters/PooledWindows.lua"));
		String decision = windows + Script.read("/dev/ratelimit/datacenters/PooledWindow.lua");
		this.take = load(change, decision + Script.readAll(List.of("Take.lua", "Keys.lua")) + InjectedTime.CLOCK);
		this.peek = load(change, decision + Script.readAll(List.of("Limit.lua", "Peek.lua")) + InjectedTime.CLOCK);
		this.release = load(change, windows + Script.read("/dev/ratelimit/datacenters/PooledWindowRelease.lua"));
		this.message = load(change,
				windows + Script.read("/dev/ratelimit/datacenters/PooledWindowMessage.lua") + InjectedTime.CLOCK);
		this.exchange = load(change,
				windows + Script.read("/dev/ratelimit/datacenters/PooledWindowExchange.lua") + InjectedTime.CLOCK);
		this.dump = load(UnaryOperator.identity(), DUMP);
	}

	private String load(UnaryOperator<String> change, String script) {
		return this.redis.scriptLoad(change.apply(script));
	}

	List<Long> take(String key, long now, long cost, List<PooledTwin.Asked> asked, Set<String> listed, boolean open) {
		return decide(this.take, key, now, cost, asked, listed, open);
	}

	List<Long> peek(String key, long now, List<PooledTwin.Asked> asked, Set<String> listed, boolean open) {
		return decide(this.peek, key, now, 1, asked, listed, open);
	}

	private List<Long> decide(String script, String key, long now, long cost, List<PooledTwin.Asked> asked,
			Set<String> listed, boolean open) {
		List<String> arguments = new ArrayList<>(List.of("permit", Long.toString(cost)));
		arguments.addAll(limit(asked, listed, open));
		arguments.add(Long.toString(now));
		List<Long> reply = run(script, key, arguments);
		return reply.subList(0, 3 * asked.size() + 1);
	}

	long release(String key, long cost, List<PooledTwin.Asked> asked, Set<String> listed, List<Long> receipts) {
		List<String> arguments = new ArrayList<>(List.of("permit", Long.toString(cost)));
		arguments.addAll(limit(asked, listed, true));
		receipts.forEach((receipt) -> arguments.add(Long.toString(receipt)));
		return (Long) runAndLook(this.release, key, arguments);
	}

	private static List<String> limit(List<PooledTwin.Asked> asked, Set<String> listed, boolean open) {
		List<String> arguments = new ArrayList<>();
		arguments.add(SLACK_MILLIS);
		arguments.add((open ? "open " : "closed ") + String.join(" ", listed));
		for (PooledTwin.Asked each : asked) {
			arguments.add(Long.toString(each.length()));
			arguments.add(Long.toString(each.terms().limit()));
			arguments.add(Long.toString(each.terms().share()));
			arguments.add(Long.toString(each.terms().pool()));
			arguments.add(Long.toString(each.terms().overshoot()));
		}
		return arguments;
	}

	/** Nine numbers per window. */
	List<Long> message(String key, long now, String to, List<Long> lengths) {
		List<String> arguments = new ArrayList<>(List.of(to));
		lengths.forEach((length) -> arguments.add(Long.toString(length)));
		arguments.add(Long.toString(now));
		return run(this.message, key, arguments).subList(0, 9 * lengths.size());
	}

	/** Eight numbers per window. */
	List<Long> exchange(String key, long now, String from, List<Long> lengths, List<Long> numbers) {
		List<String> arguments = new ArrayList<>(List.of(from, SLACK_MILLIS));
		for (int i = 0; i < lengths.size(); i++) {
			arguments.add(Long.toString(lengths.get(i)));
			numbers.subList(8 * i, 8 * i + 8).forEach((number) -> arguments.add(Long.toString(number)));
		}
		arguments.add(Long.toString(now));
		return run(this.exchange, key, arguments).subList(0, 8 * lengths.size());
	}

	private List<Long> run(String script, String key, List<String> arguments) {
		List<?> reply = (List<?>) runAndLook(script, key, arguments);
		return reply.stream().map(Long.class::cast).toList();
	}

	/** Both in one round trip, because a history has hundreds of steps. */
	private Object runAndLook(String script, String key, List<String> arguments) {
		Pipeline pipeline = this.redis.pipelined();
		Response<Object> reply = pipeline.evalsha(script, List.of(key), arguments);
		Response<Object> lines = pipeline.evalsha(this.dump, List.of(key), List.of());
		pipeline.sync();
		this.stored = ((List<?>) lines.get()).stream()
			.map(String.class::cast)
			.collect(Collectors.toCollection(TreeSet::new));
		return reply.get();
	}

	/** What the last script left under its key, as far as it is ours. */
	Set<String> stored() {
		return this.stored;
	}

}
