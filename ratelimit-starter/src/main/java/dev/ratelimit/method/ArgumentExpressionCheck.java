package dev.ratelimit.method;

import java.util.List;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks an expression over arguments when the application starts, so that a misspelt
 * name does not fail every call instead.
 *
 * @param attribute the annotation attribute that holds it
 * @param text the expression
 * @param names the names of the parameters
 */
record ArgumentExpressionCheck(String attribute, String text, List<String> names) {

	private static final List<Class<? extends SpelNode>> FORBIDDEN = List.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	/**
	 * Check an expression.
	 * @param root its syntax tree
	 * @throws InvalidRuleException if it uses a construct that is not allowed, or names
	 * no parameter
	 */
	void check(SpelNode root) {
		check(root, false);
		if (!namesVariable(root)) {
			throw invalid("looks at no argument");
		}
	}

	/** A node behind a dot is resolved on the node before the dot. */
	private void check(SpelNode node, boolean hasOwner) {
		if (FORBIDDEN.stream().anyMatch((type) -> type.isInstance(node))) {
			throw invalid(
					"uses %s: types, beans, functions and assignments are not allowed".formatted(node.toStringAST()));
		}
		if (node instanceof VariableReference && !isKnown(node, hasOwner)) {
			throw invalid("names %s, which is no parameter".formatted(node.toStringAST()));
		}
		if ((node instanceof PropertyOrFieldReference || node instanceof MethodReference) && !hasOwner) {
			throw invalid("names %s, which belongs to no argument".formatted(node.toStringAST()));
		}
		boolean ofElement = node instanceof Projection || node instanceof Selection || hasOwner;
		for (int i = 0; i < node.getChildCount(); i++) {
			check(node.getChild(i), (node instanceof CompoundExpression) ? i > 0 || hasOwner : ofElement);
		}
	}

	private boolean isKnown(SpelNode variable, boolean hasOwner) {
		String name = variable.toStringAST().substring(1);
		return this.names.contains(name) || (hasOwner && "this".equals(name));
	}

	private static boolean namesVariable(SpelNode node) {
		boolean found = node instanceof VariableReference;
		for (int i = 0; i < node.getChildCount(); i++) {
			found |= namesVariable(node.getChild(i));
		}
		return found;
	}

	private InvalidRuleException invalid(String reason) {
		return new InvalidRuleException(this.attribute, this.text, reason, this.names.isEmpty()
				? "The method has no parameters whose names are known: compile with -parameters, as Spring Boot's "
						+ "build plugins do"
				: "Write #NAME for an argument; the parameters are " + this.names);
	}

}
