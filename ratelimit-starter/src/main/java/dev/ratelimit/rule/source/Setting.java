package dev.ratelimit.rule.source;

import org.springframework.boot.origin.Origin;

/**
 * One setting of one property source.
 *
 * @param name its full name in canonical form
 * @param text its value as it was written; placeholders are not resolved
 * @param origin where it was written
 */
record Setting(String name, String text, Origin origin) {

	Setting withText(String text) {
		return new Setting(this.name, text, this.origin);
	}

	Setting stripped() {
		return withText(this.text.strip());
	}

}
