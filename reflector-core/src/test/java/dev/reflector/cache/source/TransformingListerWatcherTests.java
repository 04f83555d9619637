package dev.reflector.cache.source;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListerWatcher#transformed}, with a mirror that already holds an
 * object.
 */
@ExtendWith(OutputCaptureExtension.class)
class TransformingListerWatcherTests {

	private final ScriptedSource source = new ScriptedSource();

	private static final Thing HELD = Thing.of("default", "held", "1", "transformed");

	private ListPage<Thing> list(TransformFunction<Thing> function) {
		CachedObjects<Thing> held = (key, uid, version) -> key.name().equals("held") ? HELD : null;
		return ListerWatcher.transformed(this.source, function, MetadataAccessor.forType(Thing.class))
			.list(new ListOptions(null, "", 0, ""))
			.contextWrite((context) -> CachedObjects.in(context, held))
			.blockOptional()
			.orElseThrow();
	}

	@Test
	void anObjectWithoutANameIsPassedToTheFunction() {
		this.source.answer("7", Thing.of("", "3"), Thing.of("other", "4"));
		ListPage<Thing> page = list((thing) -> Thing.of("named" + thing.name(), thing.version()));
		assertThat(page.items()).hasToString("[named@3, namedother@4]");
		assertThat(page.skipped()).isEmpty();
	}

	@Test
	void anObjectWithoutANameForWhichTheFunctionFailsIsSkippedAlone() {
		this.source.answer("7", Thing.of("", "3"), Thing.of("other", "4"));
		ListPage<Thing> page = list((thing) -> {
			if (thing.name().isEmpty()) {
				throw new IllegalArgumentException("no name can be found");
			}
			return thing;
		});
		assertThat(page.items()).hasToString("[other@4]");
		assertThat(page.skipped()).singleElement().satisfies((skipped) -> {
			assertThat(skipped.key()).isNull();
			assertThat(skipped.cause()).isEqualTo(SkippedObject.Cause.TRANSFORMATION);
		});
	}

	@Test
	void anErrorSkipsTheObjectAndItsClassIsLoggedAtDebug(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger(TransformingListerWatcher.class);
		logger.setLevel(Level.DEBUG);
		try {
			this.source.answer("7", Thing.of("bad", "3"), Thing.of("good", "4"));
			ListPage<Thing> page = list((thing) -> {
				if (thing.name().equals("bad")) {
					// as code in Kotlin that is not implemented
					throw new Error("no spec");
				}
				return thing;
			});
			assertThat(page.items()).hasToString("[good@4]");
			assertThat(page.skipped()).singleElement()
				.satisfies((skipped) -> assertThat(skipped.reason()).endsWith("failed with java.lang.Error"));
			assertThat(output).contains("The transformation has thrown java.lang.Error at " + getClass().getName())
				.doesNotContain("no spec")
				.contains(" for the object default/bad");
		}
		finally {
			logger.setLevel(null);
		}
	}

	@Test
	void anObjectThatTheMirrorHoldsIsNotTransformedAgain() {
		this.source.answer("7", HELD, Thing.of("default", "held", "1", "as the server has it"));
		ListPage<Thing> page = list((thing) -> Thing.of("default", thing.name(), thing.version(), "transformed anew"));
		assertThat(page.items()).extracting(Thing::payload).containsExactly("transformed", "transformed anew");
	}

}
