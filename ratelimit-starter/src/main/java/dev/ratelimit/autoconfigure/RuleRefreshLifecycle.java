package dev.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.rule.live.RefreshThread;
import dev.ratelimit.rule.live.RuleRefresh;

import org.springframework.context.SmartLifecycle;

/**
 * Refreshes the sources of rules while the application runs; does nothing if none of them
 * can change.
 */
final class RuleRefreshLifecycle implements SmartLifecycle {

	private final Supplier<RuleRefresh> refresh;

	private final boolean live;

	private final RateLimitProperties.RuleSources settings;

	private volatile Optional<RefreshThread> thread = Optional.empty();

	RuleRefreshLifecycle(Supplier<RuleRefresh> refresh, boolean live, RateLimitProperties.RuleSources settings) {
		this.refresh = refresh;
		this.live = live;
		this.settings = settings;
	}

	@Override
	public void start() {
		if (this.live && !isRunning()) {
			this.thread = Optional
				.of(RefreshThread.start(this.refresh.get(), this.settings.path(), this.settings.refresh()));
		}
	}

	@Override
	public void stop() {
		this.thread.ifPresent(RefreshThread::close);
		this.thread = Optional.empty();
	}

	@Override
	public boolean isRunning() {
		return this.thread.isPresent();
	}

}
