package dev.ratelimit.queue.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * Stands between one process and Redis, and determines when to kill the process: when
 * Redis has executed the k-th command, and before the process receives the reply.
 */
final class KillingProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final int redis;

	private final int last;

	private final CountDownLatch lastWasDone = new CountDownLatch(1);

	private int commands;

	KillingProxy(int redis, int last) throws IOException {
		this.redis = redis;
		this.last = last;
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	String address() {
		return "127.0.0.1:" + this.listener.getLocalPort();
	}

	/** Reaches zero when Redis has executed the last command. */
	CountDownLatch lastWasDone() {
		return this.lastWasDone;
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.redis);
			start(() -> pass(client, server));
			start(() -> answer(server, client));
		}
	}

	private void pass(Socket client, Socket server) throws IOException {
		try (client; server; InputStream in = client.getInputStream(); OutputStream out = server.getOutputStream()) {
			while (true) {
				byte[] command = command(in);
				if (count() > this.last) {
					return;
				}
				out.write(command);
				out.flush();
			}
		}
	}

	private synchronized int count() {
		return ++this.commands;
	}

	synchronized int commands() {
		return this.commands;
	}

	private void answer(Socket server, Socket client) throws IOException {
		byte[] buffer = new byte[8192];
		InputStream in = server.getInputStream();
		OutputStream out = client.getOutputStream();
		for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
			if (commands() >= this.last) {
				this.lastWasDone.countDown();
				return;
			}
			out.write(buffer, 0, length);
			out.flush();
		}
	}

	/** An array of texts, as every command is. */
	private static byte[] command(InputStream in) throws IOException {
		ByteArrayOutputStream command = new ByteArrayOutputStream();
		int parts = number(in, command);
		for (int i = 0; i < parts; i++) {
			int length = number(in, command);
			command.write(in.readNBytes(length + 2));
		}
		return command.toByteArray();
	}

	private static int number(InputStream in, ByteArrayOutputStream copy) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new IOException("the connection was closed");
			}
			line.write(next);
		}
		line.write('\n');
		copy.write(line.toByteArray());
		return Integer.parseInt(line.toString(StandardCharsets.US_ASCII).substring(1).trim());
	}

	private static void start(IoTask task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// One side has closed its connection.
			}
		}, "killing-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

	@FunctionalInterface
	private interface IoTask {

		void run() throws IOException;

	}

}
