package dev.ratelimit.method;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The arguments of a method by the names of its parameters, and expressions over them:
 * SpEL that reads properties and calls methods of arguments, without types, beans and
 * assignments. Arguments are data; they never become a part of an expression.
 */
final class Arguments {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/** Never compiled to bytecode, regardless of system properties. */
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	private final List<String> names;

	private final Class<?>[] types;

	/**
	 * Create the arguments of a method.
	 * @param method the method
	 * @param annotated the method or class with the annotation, whose parameter names are
	 * used
	 */
	Arguments(Method method, AnnotatedElement annotated) {
		String[] own = NAMES.getParameterNames((annotated instanceof Method declared) ? declared : method);
		this.names = (own != null) ? Arrays.asList(own) : List.of();
		this.types = method.getParameterTypes();
	}

	/**
	 * Compile an expression.
	 * @param attribute the annotation attribute that holds it
	 * @param text the expression
	 * @return the expression
	 * @throws InvalidRuleException if it is not valid, or names no parameter
	 */
	@SuppressWarnings("NullAway") // which does not know nullable type arguments
	ArgumentFunction<@Nullable Object> expression(String attribute, String text) {
		if (text.startsWith("#") && this.names.contains(text.substring(1))) {
			int index = this.names.indexOf(text.substring(1));
			return (arguments) -> arguments[index];
		}
		SpelExpression expression = parse(attribute, text);
		new ArgumentExpressionCheck(attribute, text, this.names).check(expression.getAST());
		return (arguments) -> expression.getValue(context(arguments));
	}

	private static SpelExpression parse(String attribute, String text) {
		try {
			return PARSER.parseRaw(text);
		}
		catch (ExpressionException | IllegalStateException ex) {
			throw new InvalidRuleException(attribute, text, "is no expression: " + ex.getMessage(),
					"Write an expression over arguments in SpEL, such as #order.customer");
		}
	}

	private SimpleEvaluationContext context(@Nullable Object[] arguments) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
			.withInstanceMethods()
			.build();
		// A suspending function has one more argument than parameters.
		for (int i = 0; i < this.names.size(); i++) {
			context.setVariable(this.names.get(i), arguments[i]);
		}
		return context;
	}

	/**
	 * Compile the value of an argument as a part of a key.
	 * @param name the name of a parameter, or an expression that starts with {@code #}
	 * @return the expression
	 * @throws InvalidRuleException if there is no such parameter, or if no two arguments
	 * of its type have the same text
	 */
	ArgumentFunction<@Nullable Object> key(String name) {
		ArgumentFunction<@Nullable Object> expression = expression("key", name.startsWith("#") ? name : "#" + name);
		int index = this.names.indexOf(name.startsWith("#") ? name.substring(1) : name);
		if (index >= 0) {
			KeyText.requireText(name, this.types[index]);
		}
		return expression;
	}

}
