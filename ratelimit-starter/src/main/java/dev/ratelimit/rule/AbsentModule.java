package dev.ratelimit.rule;

/**
 * A module that is not on the class path.
 *
 * @param artifact its artifact
 */
public record AbsentModule(String artifact) {

	/**
	 * Why something of it is wrong.
	 * @return a clause that completes "the value ..."
	 */
	public String reason() {
		return "belongs to " + this.artifact + ", which is not on the class path";
	}

	/**
	 * How to add it.
	 * @return a sentence
	 */
	public String cure() {
		return ("Add the dependency in the version of ratelimit-starter, in Maven <dependency><groupId>dev.ratelimit</groupId><artifactId>%s</artifactId>"
				+ "</dependency>, in Gradle implementation(\"dev.ratelimit:%s\")")
			.formatted(this.artifact, this.artifact);
	}

}
