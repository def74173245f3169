package dev.ratelimit.embeddedredis;

import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;

/**
 * A real {@code redis-server} on a free port of 127.0.0.1. It persists nothing and has
 * its own temporary directory. It ends, and its directory is removed, when it is closed
 * or when this JVM ends, even if this JVM is killed. It takes some 50 ms to start.
 * <p>
 * The binary is the one named by the system property {@code redis.server} or the
 * environment variable {@code REDIS_SERVER}; otherwise the pinned one from the class
 * path; otherwise {@code redis-server} on the PATH.
 */
public final class RedisServer implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private static final int MAX_ATTEMPTS = 5;

	/**
	 * Reserved options: this class chooses the port, reads the log, and controls the
	 * process.
	 */
	private static final Set<String> RESERVED = Set.of("--port", "--tls-port", "--logfile", "--loglevel",
			"--daemonize");

	private final RedisProcess process;

	private final int port;

	private final @Nullable String password;

	private RedisServer(RedisProcess process, int port, @Nullable String password) {
		this.process = process;
		this.port = port;
		this.password = password;
	}

	/**
	 * Start a server and wait until it accepts connections.
	 * @param options more options, as on the command line of {@code redis-server}, for
	 * example {@code "--requirepass", "secret"}; with {@code --tls-cert-file} among them
	 * the port uses TLS
	 * @return the running server
	 * @throws IllegalStateException if there is no binary to run, or the server does not
	 * accept connections within ten seconds; the message contains the end of its log
	 * @throws IllegalArgumentException if an option sets the port, the log or
	 * {@code --daemonize}
	 */
	public static RedisServer start(String... options) {
		return start(List.of(options));
	}

	static RedisServer start(List<String> options) {
		options.stream().filter(RESERVED::contains).findFirst().ifPresent((option) -> {
			throw new IllegalArgumentException("The option " + option + " cannot be set by the caller");
		});
		return start((port) -> configuration(port, options), options);
	}

	static RedisServer startSentinel(List<String> configuration) {
		return start((port) -> Stream.concat(listen(port), configuration.stream()).toList(), List.of("--sentinel"));
	}

	private static RedisServer start(IntFunction<List<String>> configuration, List<String> options) {
		for (int attempt = 1;; attempt++) {
			int port = Ports.free();
			RedisProcess process = RedisProcess.prepare(configuration.apply(port), options);
			try {
				process.start();
				return new RedisServer(process, port, valueOf("--requirepass", options));
			}
			catch (RuntimeException ex) {
				process.close();
				boolean lostThePort = ex instanceof RedisStartException failure && failure.isAddressInUse();
				if (!lostThePort || attempt == MAX_ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private static List<String> configuration(int port, List<String> options) {
		Stream<String> listen = options.contains("--tls-cert-file")
				? Stream.of("bind " + HOST, "port 0", "tls-port " + port) : listen(port);
		// By default Redis 7 lets a first replica wait five seconds for others.
		return Stream.concat(listen, Stream.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0")).toList();
	}

	private static Stream<String> listen(int port) {
		return Stream.of("bind " + HOST, "port " + port);
	}

	private static @Nullable String valueOf(String option, List<String> options) {
		int index = options.indexOf(option);
		return (index >= 0 && index + 1 < options.size()) ? options.get(index + 1) : null;
	}

	/**
	 * Return the host.
	 * @return always {@code 127.0.0.1}
	 */
	public String host() {
		return HOST;
	}

	/**
	 * Return the port, which a restart keeps.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Return host and port.
	 * @return for example {@code 127.0.0.1:12345}
	 */
	public String address() {
		return HOST + ":" + this.port;
	}

	/**
	 * Return the id of the running process, or of the last one.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Whether the process exists; this is true for a paused one.
	 * @return whether the server is alive
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Kill the server (SIGKILL) and wait until it is dead. Does nothing to a dead one.
	 */
	public void kill() {
		this.process.kill();
	}

	/**
	 * Suspend the server (SIGSTOP): its connections stay open, and it does not respond.
	 * @throws IllegalStateException if it is not alive
	 */
	public void pause() {
		this.process.signal("STOP");
	}

	/**
	 * Resume a paused server (SIGCONT).
	 * @throws IllegalStateException if it is not alive
	 */
	public void resume() {
		this.process.signal("CONT");
	}

	/**
	 * Kill the server if it is alive, and start it again with the same port, the same
	 * options and no data. A cluster node remembers its cluster.
	 * @throws IllegalStateException if it does not accept connections within ten seconds
	 */
	public void restart() {
		this.process.restart();
	}

	/** Connect as the default user. */
	Jedis connect() {
		return new Jedis(HOST, this.port, DefaultJedisClientConfig.builder().password(this.password).build());
	}

	@Nullable String password() {
		return this.password;
	}

	String logTail() {
		return this.process.logTail();
	}

	/**
	 * Kill the server and remove its directory.
	 */
	@Override
	public void close() {
		this.process.close();
	}

	@Override
	public String toString() {
		return "RedisServer " + address();
	}

}
