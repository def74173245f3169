package dev.ratelimit.rule;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The source of a part of the key by which a rule counts.
 *
 * @param kind the kind of source
 * @param name the name of the header, cookie, query parameter, path variable, claim, bean
 * or argument, or an expression over arguments; empty for the kinds that have none
 */
public record KeySource(Kind kind, String name) {

	private static final String EXPRESSION = "#";

	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

	private static final Pattern VARIABLE = Pattern
		.compile("\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}-]{0,99}");

	private static final String CURE = "Write ip, principal, session, global, header:NAME, cookie:NAME, query:NAME, "
			+ "path:VARIABLE, claim:NAME, bean:NAME, arg:NAME (an argument of an annotated method), or a list of these";

	public KeySource {
		if (kind.named == name.isEmpty()) {
			throw new InvalidRuleException("key", text(kind, name), kind.named ? "has no name" : "takes no name", CURE);
		}
		if (kind == Kind.HEADER || kind == Kind.COOKIE) {
			require(TOKEN, kind, name);
		}
		else if (kind == Kind.PATH) {
			require(VARIABLE, kind, name);
		}
		else if (kind.named && !name.equals(name.strip())) {
			throw new InvalidRuleException("key", text(kind, name), "has blanks around its name", CURE);
		}
	}

	private static void require(Pattern pattern, Kind kind, String name) {
		if (!pattern.matcher(name).matches()) {
			throw new InvalidRuleException("key", text(kind, name), "has a name that can never occur", CURE);
		}
	}

	/**
	 * Read a key source.
	 * @param text for example {@code ip} or {@code header:X-Api-Key}, or an expression
	 * over the arguments of an annotated method such as {@code #order.id}
	 * @return the key source
	 * @throws InvalidRuleException if there is no such source
	 */
	public static KeySource valueOf(String text) {
		if (text.startsWith(EXPRESSION) && text.length() > 1 && Character.isJavaIdentifierStart(text.charAt(1))) {
			return new KeySource(Kind.ARG, text);
		}
		int colon = text.indexOf(':');
		String kind = (colon < 0) ? text : text.substring(0, colon);
		for (Kind candidate : Kind.values()) {
			if (candidate.text().equals(kind)) {
				if (colon >= 0 && !candidate.named) {
					throw new InvalidRuleException("key", text, "takes no name", CURE);
				}
				return new KeySource(candidate, (colon < 0) ? "" : text.substring(colon + 1));
			}
		}
		throw new InvalidRuleException("key", text, "is no key source of this version", CURE);
	}

	private static String text(Kind kind, String name) {
		if (kind == Kind.ARG && name.startsWith(EXPRESSION)) {
			return name;
		}
		return kind.named ? kind.text() + ":" + name : kind.text();
	}

	/**
	 * Whether the client can choose this part freely.
	 * @return whether it is unverified text of the request
	 */
	public boolean isClientChosen() {
		return this.kind == Kind.HEADER || this.kind == Kind.COOKIE || this.kind == Kind.QUERY
				|| this.kind == Kind.PATH;
	}

	/**
	 * Whether it is the address or global, which need no trust in the client.
	 * @return whether it is one of them
	 */
	public boolean isAnonymous() {
		return this.kind == Kind.IP || this.kind == Kind.GLOBAL;
	}

	@Override
	public String toString() {
		return text(this.kind, this.name);
	}

	/**
	 * The kinds of key source.
	 */
	public enum Kind {

		/** The client's address. */
		IP(false),

		/** The name of the authenticated user. */
		PRINCIPAL(false),

		/** The id of an existing HTTP session. */
		SESSION(false),

		/** One bucket for all requests. */
		GLOBAL(false),

		/** A request header. */
		HEADER(true),

		/** A cookie. */
		COOKIE(true),

		/** A query parameter. */
		QUERY(true),

		/** A variable of the rule's path. */
		PATH(true),

		/** A claim of the token that the user authenticated with. */
		CLAIM(true),

		/** A value that a bean of the application resolves. */
		BEAN(true),

		/** An argument of an annotated method. */
		ARG(true);

		private final boolean named;

		Kind(boolean named) {
			this.named = named;
		}

		/**
		 * The kind as it is written in a rule.
		 * @return for example {@code header}
		 */
		public String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
