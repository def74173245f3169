package dev.ratelimit.support;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
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

	@Test
	void aThreadInheritsNoThreadLocals() throws Exception {
		InheritableThreadLocal<String> principal = new InheritableThreadLocal<>();
		AtomicReference<@Nullable String> inherited = new AtomicReference<>("none yet");
		principal.set("a user");
		try {
			Thread thread = DaemonThreads.create("ratelimit-any", () -> inherited.set(principal.get()));
			thread.start();
			thread.join();
		}
		finally {
			principal.remove();
		}
		assertThat(inherited.get()).isNull();
	}

}
