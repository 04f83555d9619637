package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MarkedStatesTests {

	private final Mirror mirror = new Mirror();

	private final MarkedStates<String> marks = new MarkedStates<>(1, Duration.ofMillis(100), new ManualTime(),
			this.mirror);

	@Test
	void aVersionThatIsReportedAfterTheMarkThatCoversItIsNotBehind() throws Exception {
		this.mirror.reaches("6");
		this.marks.reached();
		this.marks.mark(true, () -> {
		});
		// the loop is further than the mirror was, and one batch has both
		this.mirror.reaches("8");
		this.mirror.passes(0, "8");
		this.marks.reached();
		assertThat(this.marks.behindSince()).isNotNull();
		assertThat(this.marks.commit(true, this.mirror)).isTrue();
		assertThat(this.marks.behindSince()).isNull();
	}

	@Test
	void whatFollowsAMarkIsBehindUntilItIsStored() throws Exception {
		this.mirror.reaches("6");
		this.marks.reached();
		this.marks.mark(true, () -> {
		});
		this.mirror.passes(0, "6");
		this.mirror.reaches("8");
		this.marks.reached();
		assertThat(this.marks.commit(true, this.mirror)).isTrue();
		assertThat(this.marks.behindSince()).isNotNull();
		this.marks.mark(true, () -> {
		});
		this.mirror.passes(1, "8");
		assertThat(this.marks.commit(true, this.mirror)).isTrue();
		assertThat(this.marks.behindSince()).isNull();
	}

	/** A mirror and its store. */
	private static final class Mirror implements MarkedStates.Source<String>, MarkedStates.Commit<String> {

		private final List<CompletionMarks<String>.Mark> sent = new ArrayList<>();

		private String version = "";

		private String stored = "";

		void reaches(String version) {
			this.version = version;
		}

		void passes(int mark, String version) {
			this.sent.get(mark).inMirror();
			this.sent.get(mark).passes(CompletableFuture.completedFuture(null), List::of, version);
		}

		@Override
		public String version(int scope) {
			return this.version;
		}

		@Override
		public boolean isStored(int scope, String version) {
			return version.equals(this.stored);
		}

		@Override
		public boolean isBehind(int scope) {
			return true;
		}

		@Override
		public void send(int scope, CompletionMarks<String>.Mark mark) {
			this.sent.add(mark);
		}

		@Override
		public Duration commit(int scope, String state) {
			this.stored = state;
			return Duration.ofMillis(1);
		}

	}

}
