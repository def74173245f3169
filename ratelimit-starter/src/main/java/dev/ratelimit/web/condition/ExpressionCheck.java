package dev.ratelimit.web.condition;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Stage;

import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OperatorMatches;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Checks an expression before it is ever evaluated. Only listed elements are allowed, and
 * everything else is refused: an expression that cannot be written cannot fail while
 * requests are served. Facts are texts and a condition is true or false, so types are
 * checked too. Tested by {@code ExpressionConditionTests}.
 */
final class ExpressionCheck {

	/** Never compiled to bytecode, whatever the system properties are. */
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	/** The maximum length that SpEL accepts. */
	private static final int MAX_REGEX_LENGTH = 1000;

	/** The characters that HTTP allows in the name of a header. */
	private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	private static final String CURE = "Write for example headers['X-Plan'] == 'gold' and method == 'POST'. The facts are "
			+ "method, path, principal, headers['NAME'], query['NAME'] and pathVariables['NAME'], all of them texts or "
			+ "null; they are joined by ==, !=, matches, ?:, and, or, not. For anything else name a bean by bean:NAME";

	private final RLConfig rule;

	private final String text;

	private final SpelExpression expression;

	/**
	 * Parse and check an expression.
	 * @param rule the rule whose condition it is
	 * @param text the expression
	 * @throws InvalidRuleException if it is no expression, or uses anything that is not
	 * allowed in a condition
	 */
	ExpressionCheck(RLConfig rule, String text) {
		this.rule = rule;
		this.text = text;
		this.expression = parse();
		require(Type.TRUTH, this.expression.getAST());
	}

	private SpelExpression parse() {
		if (this.text.isBlank()) {
			throw invalid("is empty");
		}
		try {
			return PARSER.parseRaw(this.text);
		}
		catch (ParseException ex) {
			throw invalid(
					"is no expression at character %d: %s".formatted(ex.getPosition() + 1, ex.getSimpleMessage()));
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			throw invalid("is no expression: " + ex.getMessage());
		}
	}

	SpelExpression expression() {
		return this.expression;
	}

	private void require(Type type, SpelNode node) {
		if (type(node) != type) {
			throw invalid("is %s where it needs %s".formatted(type(node).description, type.description), node);
		}
	}

	private Type type(SpelNode node) {
		if (node instanceof OpAnd || node instanceof OpOr || node instanceof OperatorNot) {
			for (int i = 0; i < node.getChildCount(); i++) {
				require(Type.TRUTH, node.getChild(i));
			}
			return Type.TRUTH;
		}
		if (node instanceof OpEQ || node instanceof OpNE) {
			requireComparable(node);
			return Type.TRUTH;
		}
		if (node instanceof OperatorMatches) {
			require(Type.TEXT, node.getChild(0));
			requireRegex(node.getChild(1));
			return Type.TRUTH;
		}
		if (node instanceof Elvis) {
			require(Type.TEXT, node.getChild(0));
			require(Type.TEXT, node.getChild(1));
			return Type.TEXT;
		}
		return typeOfValue(node);
	}

	private Type typeOfValue(SpelNode node) {
		if (node instanceof BooleanLiteral) {
			return Type.TRUTH;
		}
		if (node instanceof NullLiteral) {
			return Type.NOTHING;
		}
		if (node instanceof Literal && !(node instanceof StringLiteral)) {
			throw invalid("compares a number, but all facts are texts: write it in quotes", node);
		}
		if (node instanceof PropertyOrFieldReference fact) {
			requireText(fact);
		}
		else if (node instanceof CompoundExpression && node.getChildCount() == 2
				&& node.getChild(0) instanceof PropertyOrFieldReference fact
				&& node.getChild(1) instanceof Indexer index) {
			requireNamed(fact, index);
		}
		else if (!(node instanceof StringLiteral)) {
			throw invalid("uses what no condition can", node);
		}
		return Type.TEXT;
	}

	private void requireComparable(SpelNode node) {
		Type left = type(node.getChild(0));
		Type right = type(node.getChild(1));
		if (left != right && left != Type.NOTHING && right != Type.NOTHING) {
			throw invalid("compares %s with %s".formatted(left.description, right.description), node);
		}
	}

	/**
	 * Never a text of the request, which would let a client choose a costly expression.
	 */
	private void requireRegex(SpelNode node) {
		if (!(node instanceof StringLiteral literal)) {
			throw invalid("needs a regular expression in quotes", node);
		}
		String regex = String.valueOf(literal.getLiteralValue().getValue());
		try {
			if (Pattern.compile(regex).pattern().length() > MAX_REGEX_LENGTH) {
				throw invalid("has a regular expression of more than " + MAX_REGEX_LENGTH + " characters", node);
			}
		}
		catch (PatternSyntaxException ex) {
			throw invalid("has a regular expression that is none (" + ex.getDescription() + ")", node);
		}
	}

	private void requireText(PropertyOrFieldReference fact) {
		if (Facts.NAMED.contains(fact.getName())) {
			throw invalid("needs a name in brackets behind it, such as " + fact.getName() + "['NAME'],", fact);
		}
		if (!Facts.TEXTS.contains(fact.getName())) {
			throw invalid("names a fact that there is not", fact);
		}
		if ("principal".equals(fact.getName()) && this.rule.requests().stage() == Stage.BEFORE_SECURITY) {
			throw invalid("asks for the user, who is known only behind Spring Security, but has stage before-security,",
					fact);
		}
	}

	private void requireNamed(PropertyOrFieldReference fact, Indexer index) {
		if (!Facts.NAMED.contains(fact.getName())) {
			throw invalid("names a fact that there is not", fact);
		}
		if (!(index.getChild(0) instanceof StringLiteral literal)) {
			throw invalid("needs a name in quotes between its brackets", index);
		}
		String name = String.valueOf(literal.getLiteralValue().getValue());
		if ("headers".equals(fact.getName()) && !HEADER.matcher(name).matches()) {
			throw invalid("names a header that can never occur", index);
		}
		if ("pathVariables".equals(fact.getName()) && !this.rule.requests().hasPathVariable(name)) {
			throw invalid("names a variable that no path of the rule has", index);
		}
	}

	private InvalidRuleException invalid(String reason, SpelNode node) {
		return invalid("%s at character %d: %s".formatted(reason, node.getStartPosition() + 1, node.toStringAST()));
	}

	private InvalidRuleException invalid(String reason) {
		return new InvalidRuleException("when", this.text, reason, CURE);
	}

	/** The type of a part of an expression. */
	private enum Type {

		TRUTH("true or false"), TEXT("a text"), NOTHING("null");

		private final String description;

		Type(String description) {
			this.description = description;
		}

	}

}
