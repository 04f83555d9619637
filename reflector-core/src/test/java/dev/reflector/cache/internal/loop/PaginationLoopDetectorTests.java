package dev.reflector.cache.internal.loop;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PaginationLoopDetector}.
 */
class PaginationLoopDetectorTests {

	private final PaginationLoopDetector trail = new PaginationLoopDetector();

	private Failure follow(String token, String... items) {
		return this.trail.follow(token, items.length > 0);
	}

	@Test
	void pagesWithDifferentTokensAreFollowed() {
		for (int page = 0; page < 100_000; page++) {
			assertThat(follow("token " + page, "item")).isNull();
		}
	}

	@Test
	void aRepeatedTokenIsRefused() {
		assertThat(follow("a", "item")).isNull();
		assertThat(follow("b", "item")).isNull();
		assertThat(follow("b", "item")).isNotNull()
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("EndlessList"));
	}

	@Test
	void aCycleOfTokensIsRefused() {
		for (int circle = 1; circle <= 50; circle++) {
			for (int before = 0; before <= 20; before++) {
				PaginationLoopDetector trail = new PaginationLoopDetector();
				int page = 0;
				while (trail.follow("token " + ((page < before) ? -1 - page : (page - before) % circle),
						true) == null) {
					page++;
				}
				assertThat(page).as("%d tokens before a cycle of %d", before, circle)
					.isBetween(circle, 4 * (before + circle));
			}
		}
	}

	@Test
	void aLimitedNumberOfPagesWithoutANewObjectIsFollowed() {
		for (int round = 0; round < 3; round++) {
			for (int page = 1; page < PaginationLoopDetector.MAX_FRUITLESS_PAGES; page++) {
				assertThat(follow(round + "." + page)).isNull();
			}
			assertThat(follow("items " + round, "item")).isNull();
		}
		for (int page = 1; page < PaginationLoopDetector.MAX_FRUITLESS_PAGES; page++) {
			assertThat(follow("last " + page)).isNull();
		}
		assertThat(follow("one too many")).isNotNull()
			.satisfies((failure) -> assertThat(failure.message())
				.contains("1000 pages in a row without an object that is new"));
	}

}
