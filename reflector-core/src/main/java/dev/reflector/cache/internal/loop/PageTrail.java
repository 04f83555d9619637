package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.source.ListPage;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the pages of a list never end. A continue token that comes again leads to
 * the same pages again. To find that, only the last token is remembered, and an earlier
 * one that is replaced at growing distances (Brent's algorithm).
 */
public final class PageTrail {

	/**
	 * How many pages in a row may be empty. A server that filters objects after it has
	 * cut pages may send some (W-16). With pages of 500 objects, so many stand for half a
	 * million objects in a row that do not match, more than a collection has.
	 */
	static final int MAX_EMPTY_PAGES = 1000;

	private int empty;

	private String last = "";

	private String landmark = "";

	private int passed;

	private int power = 1;

	/**
	 * Takes a page that is not the last one.
	 * @param page the page
	 * @return why its token must not be followed, {@code null} when it may
	 */
	@Nullable public Failure follow(ListPage<?> page) {
		String token = page.continueToken();
		boolean repeated = token.equals(this.last) || token.equals(this.landmark);
		this.last = token;
		if (this.passed++ == 0 || this.passed > this.power) {
			this.landmark = token;
			this.power *= 2;
			this.passed = 1;
		}
		this.empty = (page.items().isEmpty() && page.skipped().isEmpty()) ? this.empty + 1 : 0;
		if (repeated) {
			return failure("the server sent the same continue token again, so its pages would never end");
		}
		if (this.empty >= MAX_EMPTY_PAGES) {
			return failure("the server sent " + this.empty + " pages in a row without an object, each with a token "
					+ "for another page");
		}
		return null;
	}

	private static Failure failure(String message) {
		return new Failure(null, Duration.ZERO, false, "EndlessList", message);
	}

}
