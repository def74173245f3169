package dev.ratelimit.rule;

import java.util.List;

/**
 * Where the permits of a rule count: in each data centre for itself, unless a module
 * knows more.
 */
public interface RuleScope extends ChoiceTerms {

	/** The scope of rules that define none. */
	RuleScope DATACENTER = new Datacenter();

	/** Each data centre counts for itself. */
	record Datacenter() implements RuleScope {

		@Override
		public ScopeKind kind() {
			return ScopeKind.DATACENTER;
		}

	}

	/**
	 * What every application knows.
	 */
	enum ScopeKind implements OpenChoice {

		/** Each data centre counts for itself. */
		DATACENTER;

		@Override
		public RuleKey key() {
			return RuleKey.SCOPE;
		}

		@Override
		public String text() {
			return Values.text(this);
		}

		@Override
		public List<RuleOption> options() {
			return List.of();
		}

		@Override
		public RuleScope terms(RuleValues values) {
			return RuleScope.DATACENTER;
		}

	}

}
