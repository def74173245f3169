package dev.ratelimit.rule;

import java.util.Collection;

/**
 * The form of a value, which defines the names allowed below its key.
 */
public enum ValueKind {

	/** One text. */
	TEXT,

	/** A whole number. */
	NUMBER,

	/** One text with commas, or an indexed list of texts. */
	LIST,

	/** A list whose elements are texts or have their own keys. */
	THRESHOLDS,

	/** A map of names that the user chooses, each with thresholds. */
	PLANS,

	/** An indexed list whose elements have their own keys. */
	OVERRIDES;

	/**
	 * The form of a setting besides the rules.
	 * @param type its type
	 * @return its form
	 */
	public static ValueKind of(Class<?> type) {
		if (Collection.class.isAssignableFrom(type)) {
			return LIST;
		}
		return (type == int.class || type == long.class) ? NUMBER : TEXT;
	}

	/**
	 * The cure for a value in another form.
	 * @param key the key
	 * @return how to write its value
	 */
	public String cure(String key) {
		return switch (this) {
			case TEXT, NUMBER -> "Write one value for " + key;
			case LIST -> "Write " + key + " as one text or as a list of texts"
					+ (key.equals("key") ? ", such as header:X-Api-Key without a blank" : "");
			case THRESHOLDS -> "Write a list, also of one: - threshold: 5 and below it window: 1m, or short 5/1m";
			case PLANS -> "Write a map: below plans the name of each plan (lower-case letters, digits and dashes), "
					+ "and right beside it what it gets, such as free: 200/1m, or unlimited or blocked";
			case OVERRIDES ->
				"Write a list, also of one: - key: and below it thresholds: 5/1m, or unlimited or blocked";
		};
	}

}
