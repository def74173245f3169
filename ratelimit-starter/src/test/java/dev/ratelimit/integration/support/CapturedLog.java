package dev.ratelimit.integration.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Captures the log of the packages of the limiter, from a level on. To be created after
 * an application has started, as the start sets the levels anew.
 */
public final class CapturedLog implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.ratelimit");

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			CapturedLog.this.events.add(event);
		}

	};

	public CapturedLog(Level level) {
		this.appender.setContext(this.logger.getLoggerContext());
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(level);
		this.logger.setAdditive(false);
	}

	public List<ILoggingEvent> events() {
		return this.events;
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setAdditive(true);
		this.logger.setLevel(null);
	}

}
