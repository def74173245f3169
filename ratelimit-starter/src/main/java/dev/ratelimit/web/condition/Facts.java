package dev.ratelimit.web.condition;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.web.key.RequestFacts;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The view of a request that an expression has. Each fact is read when it is used; an
 * absent or blank one is null. Tested by {@code ExpressionConditionTests}.
 *
 * @param request the facts of the request
 * @param pathVariables the decoded variables of the rule's path
 */
record Facts(RequestFacts request, Map<String, String> pathVariables) {

	/** The facts that are a text. */
	static final List<String> TEXTS = List.of("method", "path", "principal");

	/** The facts that have one value per name. */
	static final List<String> NAMED = List.of("headers", "query", "pathVariables");

	/** Reads facts, and nothing else: no types, beans, methods or assignments. */
	static final EvaluationContext CONTEXT = SimpleEvaluationContext.forPropertyAccessors(new Properties())
		.withIndexAccessors(new Names())
		.withAssignmentDisabled()
		.build();

	@Nullable Object read(String fact) {
		return switch (fact) {
			case "method" -> this.request.method();
			case "path" -> this.request.path();
			case "principal" -> this.request.principal().orElse(null);
			case "headers" -> (Named) this.request::header;
			case "query" -> (Named) this.request::query;
			case "pathVariables" -> (Named) (name) -> Optional.ofNullable(this.pathVariables.get(name));
			default -> throw new IllegalArgumentException("There is no fact " + fact);
		};
	}

	/** A fact that has one value per name. */
	@FunctionalInterface
	interface Named {

		Optional<String> find(String name);

	}

	/** Reads {@code method} or {@code headers}. */
	private static final class Properties implements PropertyAccessor {

		@Override
		public Class<?>[] getSpecificTargetClasses() {
			return new Class<?>[] { Facts.class };
		}

		@Override
		public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
			return TEXTS.contains(name) || NAMED.contains(name);
		}

		@Override
		public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
			return (target instanceof Facts facts) ? new TypedValue(facts.read(name)) : TypedValue.NULL;
		}

		@Override
		public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
			return false;
		}

		@Override
		public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object value) {
			throw new UnsupportedOperationException();
		}

	}

	/** Reads {@code ['X-Client']} of {@code headers}. */
	private static final class Names implements IndexAccessor {

		@Override
		public Class<?>[] getSpecificTargetClasses() {
			return new Class<?>[] { Named.class };
		}

		@Override
		public boolean canRead(EvaluationContext context, Object target, Object name) {
			return name instanceof String;
		}

		@Override
		public TypedValue read(EvaluationContext context, Object target, Object name) {
			return new TypedValue(((Named) target).find((String) name).orElse(null));
		}

		@Override
		public boolean canWrite(EvaluationContext context, Object target, Object name) {
			return false;
		}

		@Override
		public void write(EvaluationContext context, Object target, Object name, @Nullable Object value) {
			throw new UnsupportedOperationException();
		}

	}

}
