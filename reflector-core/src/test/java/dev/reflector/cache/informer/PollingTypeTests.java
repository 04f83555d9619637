package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;

import dev.reflector.ReflectorState;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.WatchNotSupportedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * E-40: a type that cannot be watched is listed again after each poll interval.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PollingTypeTests {

	private static final Duration INTERVAL = Duration.ofSeconds(12);

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private void notWatched(int times) {
		for (int i = 0; i < times; i++) {
			this.source.failWatch(new WatchNotSupportedException("the server lists it, but does not watch it"));
		}
	}

	private void awaitPolling() {
		await().until(() -> this.fixture.informer.state() == ReflectorState.POLLING
				&& this.fixture.time.waiting().contains(INTERVAL));
	}

	@Test
	void isListedAgainAndSaysSoOnce(CapturedOutput output) {
		notWatched(3);
		// as metrics-server does it
		this.source.answer("", Thing.of("a", "")).answer("", Thing.of("a", ""), Thing.of("b", "")).answer("");
		this.fixture.start(InformerFixture.listing().pollInterval(INTERVAL));
		awaitPolling();
		this.fixture.awaitMirror("a@");
		this.fixture.time.advance(INTERVAL);
		this.fixture.awaitMirror("a@", "b@");
		awaitPolling();
		this.fixture.time.advance(INTERVAL);
		this.fixture.awaitMirror();
		awaitPolling();
		assertThat(this.fixture.informer.status()).satisfies((status) -> {
			assertThat(status.contact().connected()).isTrue();
			assertThat(status.failingSince()).isNull();
			assertThat(status.lastError()).isNull();
			assertThat(status.synced()).isTrue();
		});
		assertThat(this.fixture.ends).isEmpty();
		assertThat(this.fixture.delays).isEmpty();
		await().untilAsserted(() -> assertThat(output.getOut())
			.containsOnlyOnce("the server cannot watch this type, so it is listed every 12.0 s")
			.containsOnlyOnce("listed 1 objects without a resource version in")
			.doesNotContain("'things': listed again", "begins with all objects"));
		await().untilAsserted(() -> assertThat(this.fixture.recorder.states).containsExactly(ReflectorState.STARTING,
				ReflectorState.LISTING, ReflectorState.WATCHING, ReflectorState.POLLING));
	}

	@Test
	void aFailedListIsAFailureLikeAnyOther(CapturedOutput output) {
		notWatched(2);
		this.source.answer("", Thing.of("a", ""))
			.failList(ScriptedSource.status(500, "InternalError"))
			.answer("", Thing.of("b", ""));
		this.fixture.start(InformerFixture.listing().pollInterval(INTERVAL));
		awaitPolling();
		this.fixture.time.advance(INTERVAL);
		this.fixture.passDelay(1);
		this.fixture.awaitMirror("b@");
		awaitPolling();
		assertThat(this.fixture.informer.status().failingSince()).isNull();
		await().untilAsserted(() -> assertThat(output.getOut()).contains("the mirror stays as it is")
			.contains(", without a resource version"));
	}

	@Test
	void aTypeThatCanBeWatchedLaterIsWatched() throws Exception {
		notWatched(2);
		this.source.answer("5", Thing.of("a", "4")).answer("7", Thing.of("a", "6"));
		this.fixture.start(InformerFixture.streaming().pollInterval(INTERVAL));
		awaitPolling();
		this.fixture.informer.relist();
		this.source.nextWatch().modified(Thing.of("a", "8"));
		this.fixture.awaitMirror("a@8");
		await().until(() -> this.fixture.informer.state() == ReflectorState.WATCHING);
		assertThat(this.fixture.listVersions()).isEqualTo(List.of("0", "5"));
	}

	@Test
	void objectsAreResyncedBetweenLists() {
		notWatched(4);
		this.source.answer("5", Thing.of("a", "4")).answer("5", Thing.of("a", "4"));
		this.fixture.start(InformerFixture.listing().pollInterval(INTERVAL).resyncPeriod(INTERVAL.plusSeconds(1)));
		awaitPolling();
		this.fixture.time.advance(INTERVAL);
		await().until(() -> this.source.lists.size() == 2);
		awaitPolling();
		this.fixture.time.advance(Duration.ofSeconds(1));
		await().until(() -> this.fixture.recorder.changes.contains("~a@4>a@4 resync"));
	}

}
