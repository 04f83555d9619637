package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * After a change that cannot be read or stored, a list restores the mirror.
 */
@Timeout(60)
class LossTests {

	private final InformerFixture informer = new InformerFixture();

	@AfterEach
	void close() throws Exception {
		this.informer.close();
	}

	/**
	 * Makes {@code key} throw for spoilt objects, or {@code uid} throw once when
	 * {@code spoilt} is set.
	 */
	private void spoil(AtomicBoolean spoilt, boolean key) {
		ResourceAccessor<Thing> plain = this.informer.accessor;
		this.informer.accessor = new ResourceAccessor<>() {

			@Override
			public ResourceKey key(Thing object) {
				if (key && object.payload().equals("spoilt")) {
					throw new UnsupportedOperationException("no key");
				}
				return plain.key(object);
			}

			@Override
			public String resourceVersion(Thing object) {
				return plain.resourceVersion(object);
			}

			@Override
			public String uid(Thing object) {
				if (!key && spoilt.getAndSet(false)) {
					throw new IllegalStateException("no uid");
				}
				return "";
			}

		};
	}

	@Test
	void e10_aDeletionThatCannotBeReadInAStreamedListCausesAList() throws Exception {
		this.informer.source.answer("5", Thing.of("b", "2"));
		this.informer.start(InformerFixture.streaming());
		this.informer.source.nextWatch()
			.added(Thing.of("a", "1"))
			.added(Thing.of("b", "2"))
			.send(new WatchEvent.Skipped<>("DELETED", new SkippedObject(null, "", "odd")));
		this.informer.source.nextWatch();
		this.informer.awaitMirror("b@2");
		assertThat(this.informer.source.lists).hasSize(1);
	}

	@Test
	void e16_thePageSizeIsKeptWhenAWorkingWatchExpires() throws Exception {
		this.informer.source.answer("1", Thing.of("a", "1"));
		this.informer.start(InformerFixture.listing().pageSize(2));
		ScriptedSource.Stream watch = this.informer.source.nextWatch().modified(Thing.of("a", "2"));
		this.informer.awaitMirror("a@2");
		watch.error(410, "Expired");
		this.informer.source.answer("9", Thing.of("a", "9"));
		this.informer.passDelay(1);
		this.informer.awaitMirror("a@9");
		assertThat(this.informer.source.lists).extracting(ListOptions::limit).containsExactly(2, 2);
	}

	@Test
	void e11_onlyTheObjectWhoseKeyThrowsIsSkipped() throws Exception {
		spoil(new AtomicBoolean(), true);
		this.informer.source.answer("1", Thing.of("a", "1"));
		this.informer.start(InformerFixture.listing());
		this.informer.source.nextWatch().modified(Thing.of("default", "b", "2", "spoilt")).added(Thing.of("c", "3"));
		this.informer.awaitMirror("a@1", "c@3");
		assertThat(this.informer.source.lists).hasSize(1);
	}

	@Test
	void e10_aChangeThatCouldNotBeStoredIsDeliveredAfterTheNextList() throws Exception {
		AtomicBoolean spoilt = new AtomicBoolean();
		spoil(spoilt, false);
		this.informer.source.answer("1", Thing.of("a", "1"));
		this.informer.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.informer.source.nextWatch();
		this.informer.awaitMirror("a@1");
		this.informer.source.answer("9", Thing.of("a", "2"));
		spoilt.set(true);
		watch.modified(Thing.of("a", "2"));
		this.informer.passDelay(1);
		this.informer.source.nextWatch();
		await().untilAsserted(() -> assertThat(this.informer.recorder.changes).hasSize(2));
		this.informer.awaitMirror("a@2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "+b@2", "~a@1>a@2", "-a@2" })
	void e10_theMirrorShowsNoChangeThatCannotBeDelivered(String change) throws Exception {
		boolean deletion = change.startsWith("-");
		this.informer.onVersionRead((thing) -> {
			if (thing.version().equals("2")) {
				Thing held = this.informer.informer.lister().get("default", thing.name());
				assertThat(deletion ? held == null : held == thing).as("the mirror shows the change already").isFalse();
			}
		});
		this.informer.source.answer("1", Thing.of("a", "1"));
		this.informer.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.informer.source.nextWatch();
		this.informer.recorder.awaitChanges("+a@1 initial");
		Thing thing = Thing.of(change.contains("b") ? "b" : "a", "2");
		watch.send(deletion ? new WatchEvent.Deleted<>(thing) : new WatchEvent.Modified<>(thing));
		this.informer.recorder.awaitChanges("+a@1 initial", change);
	}

	@Test
	void afterALossTheVersionOfTheNextListIsReached() throws Exception {
		AtomicBoolean spoilt = new AtomicBoolean();
		spoil(spoilt, false);
		this.informer.source.answerInNamespace("5", "a").answerInNamespace("5", "a");
		this.informer.start(InformerFixture.listing().build(), "n1", "n2");
		ScriptedSource.Stream watch = this.informer.source.nextWatch();
		this.informer.source.nextWatch();
		assertThat(this.informer.informer.lister().awaitResourceVersion("5", Duration.ofSeconds(30))).isTrue();
		spoilt.set(true);
		watch.modified(Thing.of(watch.options.namespace(), "a", "6", ""));
		await().until(() -> this.informer.informer.status().lastError() != null);
		this.informer.source.answerInNamespace("10", "a").answerInNamespace("12", "a");
		await().until(() -> {
			this.informer.time.advance(Duration.ofMinutes(1));
			return this.informer.source.lists.size() == 4;
		});
		assertThat(this.informer.informer.lister().awaitResourceVersion("10", Duration.ofSeconds(30))).isTrue();
	}

}
