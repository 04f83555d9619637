package dev.reflector.autoconfigure.internal.registration;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RenamedSnapshots}.
 */
class RenamedSnapshotsTests {

	private final List<String> opened = new ArrayList<>();

	private final SnapshotStore store = new SnapshotStore() {

		@Override
		public Snapshot open(String reflector) {
			RenamedSnapshotsTests.this.opened.add(reflector);
			return mock(Snapshot.class);
		}

		@Override
		public String location() {
			return "here";
		}

		@Override
		public boolean isLocal() {
			return true;
		}

	};

	@Test
	void theFormerNameIsThatOfTheWholeAndOfEachSlot() {
		RenamedSnapshots renamed = new RenamedSnapshots(this.store, "gadgets", "widgets");
		renamed.open("gadgets");
		renamed.open("gadgets slot 3 of 64 by uid");
		assertThat(this.opened).containsExactly("widgets", "widgets slot 3 of 64 by uid");
		assertThat(renamed.location()).isEqualTo("here");
		assertThat(renamed.isLocal()).isTrue();
	}

}
