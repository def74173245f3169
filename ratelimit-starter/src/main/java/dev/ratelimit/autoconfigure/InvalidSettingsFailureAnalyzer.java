package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.Problem;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Names all wrong settings and their cures. Ordered before Boot's own analyzer of failed
 * bindings, which would show the exception but not the setting.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingsException> {

	private final Environment environment;

	InvalidSettingsFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingsException cause) {
		List<Problem> problems = cause.problems();
		StringBuilder description = new StringBuilder((problems.size() == 1) ? "A rate limit setting is not valid:"
				: problems.size() + " rate limit settings are not valid:");
		StringBuilder action = new StringBuilder("Change your application's configuration:%n".formatted());
		for (int i = 0; i < problems.size(); i++) {
			Problem problem = problems.get(i);
			description.append("%n%n    %d. Property: %s".formatted(i + 1, problem.property()))
				.append("%n       Value: \"%s\"".formatted(problem.value()))
				.append(origin(problem).map("%n       Origin: %s"::formatted).orElse(""))
				.append("%n       Reason: %s".formatted(problem.reason()));
			action.append("%n    %d. %s: %s".formatted(i + 1, problem.property(), problem.cure()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

	/** A properties record does not store where its values were written. */
	private Optional<Origin> origin(Problem problem) {
		return problem.origin().or(() -> lookUp(problem.property()));
	}

	private Optional<Origin> lookUp(String property) {
		if (ConfigurationPropertyName.isValid(property)) {
			ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
			for (var source : ConfigurationPropertySources.get(this.environment)) {
				ConfigurationProperty found = source.getConfigurationProperty(name);
				if (found != null) {
					return Optional.ofNullable(found.getOrigin());
				}
			}
		}
		return Optional.empty();
	}

}
