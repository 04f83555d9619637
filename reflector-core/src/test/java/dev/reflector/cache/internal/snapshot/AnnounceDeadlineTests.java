package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests until when a batch of changes waits for the store.
 */
class AnnounceDeadlineTests {

	private static final Duration BOUND = Duration.ofSeconds(1);

	private final ManualTime time = new ManualTime();

	private final StoreThread thread = new StoreThread("things", "snapshot-io", this.time);

	private boolean ending;

	private final AnnounceDeadline deadline = new AnnounceDeadline(this.thread, () -> this.ending);

	private void acceptsAPartSlowly() {
		this.time.advance(Duration.ofMillis(900));
		assertThat(this.deadline.isOver(BOUND)).isFalse();
		this.thread.accepted();
	}

	@Test
	void eachPartThatIsAcceptedExtendsIt() {
		for (int part = 0; part < 5; part++) {
			acceptsAPartSlowly();
		}
		this.time.advance(BOUND);
		assertThat(this.deadline.isOver(BOUND)).isTrue();
	}

	@Test
	void theEndOfTheReflectorIsNotWaitedThrough() {
		this.ending = true;
		assertThat(this.deadline.isOver(BOUND)).isTrue();
	}

	@Test
	void whatIsReadDoesNotExtendIt() {
		this.time.advance(BOUND);
		this.thread.read();
		assertThat(this.deadline.isOver(BOUND)).isTrue();
	}

}
