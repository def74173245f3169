package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Optional;

/**
 * The place of a value in a source: one text, an indexed list, or several parts.
 *
 * @param source the source
 * @param name the canonical name of the value
 */
record Place(SourceSettings source, String name) {

	Optional<Setting> text() {
		return this.source.find(this.name);
	}

	List<Place> elements() {
		return this.source.elements(this.name).stream().map((element) -> new Place(this.source, element)).toList();
	}

	Place part(String key) {
		return new Place(this.source, this.name + "." + key);
	}

	boolean exists() {
		return this.source.contains(this.name);
	}

	/**
	 * A setting that shows where the value was written.
	 * @return the value, or the first part of it
	 */
	Optional<Setting> first() {
		return text().or(() -> this.source.first(this.name));
	}

}
