package dev.reflector.client.internal.write;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LastAnswers}: what overlaps may be answered in any order.
 */
class LastAnswersTests {

	private static final Digest ONE = Digest.of("one");

	private static final Digest TWO = Digest.of("two");

	private final LastAnswers answers = new LastAnswers();

	private void applied(Digest body, long begun, String version) {
		this.answers.applied("u", "m", false, body, begun, version);
	}

	private String same(Digest body) {
		return this.answers.same("u", "m", false, body);
	}

	@Test
	void aVersionIsKnownToWritesThatBeginAfterItsAnswer() {
		long first = this.answers.begin();
		applied(ONE, first, "9");
		assertThat(this.answers.version("u", first)).isEmpty();
		assertThat(this.answers.version("u", this.answers.begin())).isEqualTo("9");
		assertThat(this.answers.version("other", this.answers.begin())).isEmpty();
	}

	@Test
	void anAnswerThatComesLateIsNotTheLastOne() {
		long first = this.answers.begin();
		long second = this.answers.begin();
		applied(TWO, second, "10");
		applied(ONE, first, "9");
		assertThat(this.answers.version("u")).isEqualTo("10");
		assertThat(same(ONE)).isNull();
		assertThat(same(TWO)).isEqualTo("10");
	}

	@Test
	void anAnswerOfAnotherManagerThatComesLateIsNotTheLastOne() {
		long first = this.answers.begin();
		long second = this.answers.begin();
		this.answers.applied("u", "other", false, TWO, second, "10");
		applied(ONE, first, "9");
		assertThat(same(ONE)).isNull();
	}

	@Test
	void versionsWithoutOrderOfOverlappingWritesAreNotKnown() {
		long first = this.answers.begin();
		long second = this.answers.begin();
		applied(TWO, second, "b");
		applied(ONE, first, "a");
		assertThat(this.answers.version("u")).isEmpty();
		assertThat(same(ONE)).isNull();
		assertThat(same(TWO)).isNull();
		applied(TWO, this.answers.begin(), "c");
		assertThat(same(TWO)).isEqualTo("c");
	}

	@Test
	void whatBeginsLaterIsTheLastOneWhateverItsVersion() {
		applied(ONE, this.answers.begin(), "10");
		// a server that was restored from a backup
		applied(TWO, this.answers.begin(), "9");
		assertThat(this.answers.version("u")).isEqualTo("9");
		assertThat(same(TWO)).isEqualTo("9");
		assertThat(same(ONE)).isNull();
		applied(ONE, this.answers.begin(), "x");
		assertThat(same(ONE)).isEqualTo("x");
	}

	@Test
	void ofADeletedObjectNothingIsKnown() {
		long first = this.answers.begin();
		this.answers.deleted("u");
		applied(ONE, first, "10");
		assertThat(this.answers.version("u")).isEmpty();
		assertThat(same(ONE)).isNull();
	}

	@Test
	void aFailureOfTheSameManagerForgetsWhatItHasSent() {
		applied(ONE, this.answers.begin(), "10");
		this.answers.forget("u", "other", false);
		assertThat(same(ONE)).isEqualTo("10");
		this.answers.forget("u", "m", false);
		assertThat(same(ONE)).isNull();
	}

}
