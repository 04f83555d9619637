package dev.reflector.cache.internal.loop;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Notices that the pages of a list never end. There are two signs of this: a continue
 * token is repeated, and so leads to the same pages again, or many pages in a row contain
 * nothing new. To find a repeated token, only two tokens are remembered: the last one,
 * and an earlier one that is replaced at growing distances (Brent's algorithm).
 */
public final class PaginationLoopDetector {

	/**
	 * How many pages in a row may contain nothing new. A server that filters objects
	 * after it has split a list may send empty pages (W-16). With pages of 500 objects,
	 * this equals 500,000 objects in a row without a match, more than a collection has.
	 */
	static final int MAX_FRUITLESS_PAGES = 1000;

	private int fruitless;

	private String last = "";

	private String landmark = "";

	private int passed;

	private int power = 1;

	/**
	 * Checks a page that is not the last one.
	 * @param token the continue token of the page
	 * @param more whether the page contains an object that no earlier page contained
	 * @return why the token must not be followed, or {@code null} if it may be followed
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
