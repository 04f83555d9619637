package dev.reflector.cache;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListerWatcher#transformed}, with a mirror that holds something.
 */
class TransformingListerWatcherTests {

	private final ScriptedSource source = new ScriptedSource();

	private static final Thing HELD = Thing.of("default", "held", "1", "transformed");

	private ListPage<Thing> list(TransformFunction<Thing> function) {
		HeldObjects<Thing> held = (key, uid, version) -> key.name().equals("held") ? HELD : null;
		return ListerWatcher.transformed(this.source, function, MetadataAccessor.forType(Thing.class))
			.list(new ListOptions(null, "", 0, ""))
			.contextWrite((context) -> HeldObjects.in(context, held))
			.blockOptional()
			.orElseThrow();
	}

	@Test
	void anObjectWithoutAKeyIsForTheFunction() {
		this.source.answer("7", Thing.of("", "3"), Thing.of("other", "4"));
		ListPage<Thing> page = list((thing) -> Thing.of("named" + thing.name(), thing.version()));
		assertThat(page.items()).hasToString("[named@3, namedother@4]");
		assertThat(page.skipped()).isEmpty();
	}

	@Test
	void whatTheMirrorHoldsIsNotTransformedTwice() {
		this.source.answer("7", HELD, Thing.of("default", "held", "1", "as the server has it"));
		ListPage<Thing> page = list((thing) -> Thing.of("default", thing.name(), thing.version(), "transformed anew"));
		assertThat(page.items()).extracting(Thing::payload).containsExactly("transformed", "transformed anew");
	}

}
