package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.ratelimit.spi.RedisLocation;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.resp.Script;
import dev.ratelimit.store.redis.resp.ScriptCall;
import dev.ratelimit.store.wire.CallRunner;
import dev.ratelimit.store.wire.NodeCall;

/**
 * Runs scripts of modules over the connections of the limiter. Tested by
 * {@code SharedPoolsTests}.
 */
public final class ModuleScripts implements RedisScripts.OpenedRedis {

	private final CallRunner runner;

	private final String keyPrefix;

	private final byte[] keyStart;

	private final String fingerprint;

	private final BiFunction<String, RedisLocation, CallRunner> connector;

	private final String clock;

	/**
	 * Create it.
	 * @param runner runs calls
	 * @param keyPrefix the start of every key
	 * @param fingerprint a hash of what keys are made with
	 * @param connector opens connections to another Redis
	 */
	public ModuleScripts(CallRunner runner, String keyPrefix, String fingerprint,
			BiFunction<String, RedisLocation, CallRunner> connector) {
		this(runner, keyPrefix, fingerprint, connector, Script.read(CLOCK));
	}

	ModuleScripts(CallRunner runner, String keyPrefix, String fingerprint,
			BiFunction<String, RedisLocation, CallRunner> connector, String clock) {
		this.runner = runner;
		this.keyPrefix = keyPrefix;
		this.keyStart = ScriptCallFactory.keyStart(keyPrefix);
		this.fingerprint = fingerprint;
		this.connector = connector;
		this.clock = clock;
	}

	@Override
	public String keyPrefix() {
		return this.keyPrefix;
	}

	@Override
	public String fingerprint() {
		return this.fingerprint;
	}

	@Override
	public byte[] key(Limit limit, Subject subject, String format) {
		return ScriptCallFactory.key(this.keyStart, limit, subject, format);
	}

	@Override
	public LoadedScript load(String... files) {
		return new Loaded(Script.of(Arrays.stream(files)
			.map((file) -> file.equals(CLOCK) ? this.clock : Script.read(file))
			.collect(Collectors.joining())));
	}

	@Override
	public List<Reply> run(List<Invocation> calls, Duration maxWait) {
		List<ScriptCall> sent = calls.stream().map(ModuleScripts::sent).toList();
		this.runner.run(sent, maxWait);
		return sent.stream().map(ModuleScripts::reply).toList();
	}

	@Override
	public void start(Invocation call, Duration maxWait) {
		this.runner.start(List.of(sent(call)), maxWait, () -> {
		});
	}

	private static ScriptCall sent(Invocation call) {
		return new ScriptCall(((Loaded) call.script()).script(), call.keys(), call.arguments(),
				call.late().<NodeCall.Afterwards>map(LateReply::new).orElse(NodeCall.Afterwards.NOTHING));
	}

	private static Reply reply(ScriptCall call) {
		if (call.outcome() instanceof NodeCall.FailedCall failed) {
			return new Reply(null, failed.failure());
		}
		return new Reply(((NodeCall.Replied) call.outcome()).reply(), null);
	}

	@Override
	public OpenedRedis open(String place, RedisLocation location) {
		return new ModuleScripts(this.connector.apply(place, location), this.keyPrefix, this.fingerprint,
				this.connector, this.clock);
	}

	@Override
	public void restart() {
		this.runner.restart();
	}

	@Override
	public void close() {
		this.runner.close();
	}

	private record Loaded(Script script) implements LoadedScript {
	}

	private record LateReply(Consumer<Object> receiver) implements NodeCall.Afterwards {

		@Override
		public Optional<NodeCall> ran(Object reply) {
			this.receiver.accept(reply);
			return Optional.empty();
		}

		@Override
		public void didNotRun() {
		}

		@Override
		public void lost() {
		}

	}

}
