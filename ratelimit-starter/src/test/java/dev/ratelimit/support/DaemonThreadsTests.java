package dev.ratelimit.support;

import java.net.URL;
import java.net.URLClassLoader;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DaemonThreadsTests {

	@Test
	void aThreadHoldsNeitherTheJvmNorTheClassLoaderOfTheThreadThatMadeIt() throws Exception {
		ClassLoader ours = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader ofAnApplication = new URLClassLoader(new URL[0])) {
			Thread.currentThread().setContextClassLoader(ofAnApplication);
			Thread thread = DaemonThreads.factory("ratelimit-any").newThread(() -> {
			});
			assertThat(thread.isDaemon()).isTrue();
			assertThat(thread.getName()).isEqualTo("ratelimit-any");
			assertThat(thread.getContextClassLoader()).isSameAs(DaemonThreads.class.getClassLoader());
		}
		finally {
			Thread.currentThread().setContextClassLoader(ours);
		}
	}

}
