package dev.reflector.cache.internal.loop;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Notices that the pages of a list never end. A continue token that comes again leads to
 * the same pages again, and after many pages without anything new nothing new is
 * expected, whatever the tokens are. To find a token that comes again, only the last
 * token is remembered, and an earlier one that is replaced at growing distances (Brent's
 * algorithm).
 */
public final class PaginationLoopDetector {

	/**
	 * How many pages in a row may bring nothing new. A server that filters objects after
	 * it has cut pages may send empty ones (W-16). With pages of 500 objects, this equals
	 * 500,000 objects in a row without a match, more than a collection has.
	 */
	static final int MAX_FRUITLESS_PAGES = 1000;

	private int fruitless;

	private String last = "";

	private String landmark = "";

	private int passed;

	private int power = 1;

	/**
	 * Takes a page that is not the last one.
	 * @param token its continue token
	 * @param more whether it had an object that no page before had
	 * @return why its token must not be followed, {@code null} when it may
	 */
	@Nullable public Failure follow(String token, boolean more) {
		boolean repeated = token.equals(this.last) || token.equals(this.landmark);
		this.last = token;
		if (this.passed++ == 0 || this.passed > this.power) {
			this.landmark = token;
			this.power *= 2;
			this.passed = 1;
		}
		this.fruitless = more ? 0 : this.fruitless + 1;
		if (repeated) {
			return failure("the server sent the same continue token again, so its pages would never end");
		}
		if (this.fruitless >= MAX_FRUITLESS_PAGES) {
			return failure("the server sent " + this.fruitless + " pages in a row without an object that is new, each "
					+ "with a token for another page");
		}
		return null;
	}

	private static Failure failure(String message) {
		return new Failure(null, Duration.ZERO, false, "EndlessList", message);
	}

}
