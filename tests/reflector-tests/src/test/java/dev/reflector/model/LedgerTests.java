package dev.reflector.model;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that the ledger notices changes that must not happen.
 */
class LedgerTests {

	private final Ledger ledger = new Ledger(LedgerTests::emptyMirror, true);

	@SuppressWarnings("unchecked")
	private static Lister<Widget> emptyMirror() {
		return mock(Lister.class);
	}

	@Test
	void aDeletionThatComesTwice() {
		hear(Change.Type.ADDED, "1", null);
		hear(Change.Type.DELETED, "2", null);
		assertThat(this.ledger.mistakes()).isEmpty();
		hear(Change.Type.DELETED, "2", null);
		assertThat(this.ledger.mistakes()).isNotEmpty().allMatch((mistake) -> mistake.startsWith("DELETED red/a@2"));
	}

	@Test
	void anEventBackInTime() {
		hear(Change.Type.ADDED, "9", null);
		hear(Change.Type.UPDATED, "10", "9");
		assertThat(this.ledger.mistakes()).isEmpty();
		hear(Change.Type.UPDATED, "9", "10");
		assertThat(this.ledger.mistakes()).singleElement().asString().contains("goes back in time from 10");
	}

	@Test
	void aServerThatGoesBackMayDoSoOnce() {
		hear(Change.Type.ADDED, "9", null);
		this.ledger.mayGoBack(1);
		hear(Change.Type.UPDATED, "5", "9");
		assertThat(this.ledger.mistakes()).isEmpty();
		hear(Change.Type.UPDATED, "4", "5");
		assertThat(this.ledger.mistakes()).singleElement().asString().contains("goes back in time from 5");
	}

	@Test
	void anObjectMissingOnAListMayComeBackInTheSameVersion() {
		hear(Change.Type.ADDED, "9", null);
		hear(missing("9"));
		hear(Change.Type.ADDED, "9", null);
		assertThat(this.ledger.mistakes()).singleElement().asString().contains("goes back in time from 9");
		this.ledger.mayVanish();
		hear(missing("9"));
		hear(Change.Type.ADDED, "9", null);
		assertThat(this.ledger.mistakes()).hasSize(1);
		hear(missing("9"));
		hear(Change.Type.ADDED, "8", null);
		assertThat(this.ledger.mistakes()).hasSize(2);
	}

	@Test
	void anUpdateOfAnotherObject() {
		hear(Change.Type.ADDED, "1", null);
		hear(change(Change.Type.UPDATED, widget("2", "another"), widget("1")));
		assertThat(this.ledger.mistakes()).singleElement().asString().contains("is another object");
	}

	@Test
	void aDeletionOfAnotherObject() {
		hear(Change.Type.ADDED, "1", null);
		hear(change(Change.Type.DELETED, widget("2", "another"), widget("1")));
		assertThat(this.ledger.mistakes()).singleElement().asString().contains("is another object");
	}

	@Test
	void anObjectThatWasCreatedAgain() {
		hear(Change.Type.ADDED, "1", null);
		hear(Change.Type.DELETED, "2", null);
		hear(change(Change.Type.ADDED, widget("3", "another"), null));
		hear(change(Change.Type.UPDATED, widget("4", "another"), widget("3", "another")));
		assertThat(this.ledger.mistakes()).isEmpty();
	}

	private static Change<Widget> missing(String version) {
		return new Change<>(Change.Type.DELETED, ResourceKey.of("red", "a"), widget(version), widget(version), version,
				false, true, Change.Cause.LIST);
	}

	private void hear(Change<Widget> change) {
		this.ledger.onChange(change);
	}

	private void hear(Change.Type type, String version, String previous) {
		hear(change(type, widget(version), (previous != null) ? widget(previous) : null));
	}

	private static Change<Widget> change(Change.Type type, Widget object, @Nullable Widget previous) {
		return new Change<>(type, ResourceKey.of("red", "a"), object, previous, object.version(), false, false,
				Change.Cause.WATCH);
	}

	private static Widget widget(String version) {
		return widget(version, "one");
	}

	private static Widget widget(String version, String uid) {
		ObjectMeta named = ObjectMeta.of("red", "a");
		return new Widget(new ObjectMeta(named.name(), named.namespace(), uid, version, 1, named.labels(),
				named.annotations(), null, null, named.finalizers(), named.ownerReferences()), new Widget.Spec(1));
	}

}
