package dev.ratelimit.memcached.meta;

/**
 * A user of the text protocol ({@code memcached -Y}).
 *
 * @param username the name
 * @param password the password
 */
public record Credentials(String username, String password) {

	public Credentials {
		if (!isWord(username) || !isWord(password)) {
			throw new IllegalArgumentException("User name and password have neither blanks nor control characters");
		}
	}

	/**
	 * Whether a text can be a name or a password.
	 * @param text the text
	 * @return whether it has a character, and neither blanks nor control characters
	 */
	public static boolean isWord(String text) {
		return !text.isEmpty() && text.chars().noneMatch((c) -> c <= ' ' || c == 127);
	}

	/** Never with the password. */
	@Override
	public String toString() {
		return this.username;
	}

}
