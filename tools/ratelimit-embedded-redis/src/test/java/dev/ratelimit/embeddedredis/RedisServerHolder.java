package dev.ratelimit.embeddedredis;

import java.util.concurrent.CountDownLatch;

/**
 * A program that starts a server, prints its pid, and stays until it is killed.
 */
final class RedisServerHolder {

	private RedisServerHolder() {
	}

	public static void main(String[] args) throws InterruptedException {
		System.out.println(RedisServer.start().pid());
		new CountDownLatch(1).await();
	}

}
