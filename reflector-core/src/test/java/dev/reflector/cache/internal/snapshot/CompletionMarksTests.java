package dev.reflector.cache.internal.snapshot;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.cache.config.SystemTimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the time since which a mirror is reported to be ahead of what is stored.
 */
class CompletionMarksTests {

	private final SystemTimeSource time = new SystemTimeSource();

	private final CompletionMarks<String> marks = new CompletionMarks<>(this.time);

	@AfterEach
	void close() {
		this.time.close();
	}

	private CompletionMarks<String>.Mark marked(String asked, String version) {
		this.marks.reached(asked, false);
		CompletionMarks<String>.Mark mark = this.marks.set(asked);
		mark.inMirror(version);
		mark.passes(CompletableFuture.completedFuture(null), List::of, version);
		return mark;
	}

	private void store() {
		CompletionMarks<String>.Mark newest = this.marks.takeNewest();
		assertThat(newest).isNotNull();
		this.marks.stored(newest);
	}

	/** The oldest mark is completed next, however far the handlers are behind. */
	@Test
	void theOldestMarkStaysWhenThereAreTooMany() {
		CompletableFuture<Void> passed = new CompletableFuture<>();
		CompletionMarks<String>.Mark oldest = set("1", passed);
		for (int i = 2; i < 500; i++) {
			set(Integer.toString(i), new CompletableFuture<>());
		}
		passed.complete(null);
		assertThat(this.marks.takeNewest()).isSameAs(oldest);
	}

	private CompletionMarks<String>.Mark set(String version, CompletableFuture<Void> passed) {
		this.marks.reached(version, false);
		CompletionMarks<String>.Mark mark = this.marks.set(version);
		mark.inMirror(version);
		mark.passes(passed, List::of, version);
		return mark;
	}

	/** The queue says so after the mark, with the last of what was before it. */
	@Test
	void aVersionThatIsReachedWithTheMarkIsCovered() {
		marked("4", "5");
		this.marks.reached("5", false);
		store();
		assertThat(this.marks.behindSince()).isNull();
	}

	@Test
	void aVersionThatIsReachedWhenItIsStoredAlreadyIsCovered() {
		marked("3", "5");
		this.marks.reached("4", false);
		store();
		assertThat(this.marks.behindSince()).isNotNull();
		this.marks.reached("5", false);
		assertThat(this.marks.behindSince()).isNull();
	}

	@Test
	void aVersionThatIsReachedWhileTheMarkIsStoredIsNotCovered() {
		marked("5", "5");
		CompletionMarks<String>.Mark newest = this.marks.takeNewest();
		assertThat(newest).isNotNull();
		this.marks.reached("7", false);
		this.marks.stored(newest);
		assertThat(this.marks.behindSince()).isNotNull();
	}

	@Test
	void aVersionAfterTheMarkIsNotCovered() {
		marked("4", "5");
		this.marks.reached("5", false);
		this.marks.reached("6", false);
		store();
		assertThat(this.marks.behindSince()).isNotNull();
		this.marks.reached("7", true);
		assertThat(this.marks.behindSince()).isNull();
	}

}
