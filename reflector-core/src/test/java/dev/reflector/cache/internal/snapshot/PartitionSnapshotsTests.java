package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.fixture.ManualTime;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the end of the snapshots of slots.
 */
class PartitionSnapshotsTests {

	private final MemorySnapshots store = new MemorySnapshots();

	private final ManualTime time = new ManualTime();

	@Test
	void theEndWaitsForACallAsLongAsAnnouncingDoes() throws Exception {
		StoreThreads threads = StoreThreads.ofSlots("things", this.time);
		SnapshotOptions<Thing> options = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.announceTimeout(Duration.ofMinutes(1))
			.build();
		PartitionSnapshots<Thing> snapshots = new PartitionSnapshots<>(options, (slot) -> {
			throw new IllegalStateException("no slot is taken over");
		}, threads);
		this.store.hang();
		threads.commits().call(() -> this.store.open("things"));
		await().until(() -> this.store.waiting.get() == 1);
		this.time.advance(Duration.ofSeconds(59));
		CompletableFuture<Void> closed = CompletableFuture.runAsync(snapshots::close);
		// it looks at the time again and again
		assertThat(closed).failsWithin(Duration.ofMillis(200));
		this.time.advance(Duration.ofSeconds(1));
		closed.get(30, TimeUnit.SECONDS);
		this.store.answer();
	}

}
