package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.reflector.Lister;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.MirrorProgress;
import dev.reflector.cache.internal.store.VersionTracker;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the versions that a mirror has reached, and for waiting until it has.
 */
@Timeout(60)
class ReadYourWritesTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private TestInformer things = TestInformer.with(TestInformer.options());

	private Lister<Thing> lister = this.things.informer.lister();

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private void use(ReflectorOptions options, String... namespaces) throws Exception {
		this.things.close();
		this.things = TestInformer.with(options, namespaces);
		this.lister = this.things.informer.lister();
	}

	private int waiting() {
		return ((Indexer<Thing>) this.lister).waiting();
	}

	@ParameterizedTest
	@EnumSource
	void e28_listsEventsAndBookmarksAdvanceTheReachedVersion(Ordering ordering) throws Exception {
		use(TestInformer.options(ordering, 100));
		assertThat(this.lister.hasReached("1")).isFalse();
		ScriptedSource.Stream watch = this.things.startWith("9", Thing.of("a", "5"));
		assertThat(this.lister.awaitResourceVersion("9", LONG)).isTrue();
		assertThat(this.lister.hasReached("8")).isTrue();
		assertThat(this.lister.hasReached("10")).isFalse();
		watch.added(Thing.of("b", "10"));
		assertThat(this.lister.awaitResourceVersion("10", LONG)).isTrue();
		assertThat(this.lister.get("default", "b")).isNotNull();
		watch.deleted(Thing.of("b", "11"));
		assertThat(this.lister.awaitResourceVersion("11", LONG)).isTrue();
		assertThat(this.lister.get("default", "b")).isNull();
		watch.deleted(Thing.of("unknown", "12"));
		assertThat(this.lister.awaitResourceVersion("12", LONG)).isTrue();
		watch.bookmark("100");
		assertThat(this.lister.awaitResourceVersion("99", LONG)).isTrue();
		watch.send(new WatchEvent.Skipped<>("MODIFIED",
				new SkippedObject(ResourceKey.of("default", "odd"), "101", "not readable")));
		assertThat(this.lister.awaitResourceVersion("101", LONG)).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void e28_aReachedVersionIncludesAllEarlierChanges(Ordering ordering) throws Exception {
		use(TestInformer.options(ordering, 10_000));
		ScriptedSource.Stream watch = this.things.startWith("1");
		for (int i = 2; i < 2000; i++) {
			watch.modified(Thing.of("t" + (i % 7), "" + i));
			if (i % 100 == 0) {
				assertThat(this.lister.awaitResourceVersion("" + i, LONG)).isTrue();
				int version = i;
				for (int back = 0; back < 7; back++) {
					Thing thing = this.lister.get("default", "t" + ((version - back) % 7));
					assertThat(thing).isNotNull();
					assertThat(Integer.parseInt(thing.version())).isGreaterThanOrEqualTo(version - back);
				}
			}
		}
	}

	@Test
	void r75_versionsOfAStateInNoOrderAreNotReached() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("0");
		watch.added(Thing.of("a", "9"));
		await().until(() -> this.lister.size() == 1);
		assertThat(this.lister.hasReached("9")).isFalse();
		watch.added(Thing.of("b", "4")).modified(Thing.of("b", "10"));
		assertThat(this.lister.awaitResourceVersion("9", LONG)).isTrue();
	}

	@Test
	void w69_versionsWithoutAnOrderAreReachedWhenTheyHaveBeenSeen() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("x1");
		assertThat(this.lister.awaitResourceVersion("x1", LONG)).isTrue();
		CompletableFuture<Void> reached = this.lister.reached("x2").toFuture();
		watch.added(Thing.of("a", "x2")).added(Thing.of("b", "x3"));
		reached.get(30, TimeUnit.SECONDS);
		assertThat(this.lister.awaitResourceVersion("x3", LONG)).isTrue();
		assertThat(this.lister.hasReached("x2")).isTrue();
		assertThat(this.lister.hasReached("x4")).isFalse();
		assertThat(this.lister.hasReached("1")).isFalse();
	}

	@Test
	void w69_onlyTheLastVersionsWithoutAnOrderAreRemembered() {
		VersionTracker trail = new VersionTracker();
		MirrorProgress progress = new MirrorProgress(List.of());
		for (int i = 0; i < 3000; i++) {
			trail.note("", "x" + i);
			assertThat(trail.mark(0)).isTrue();
			progress.advance(trail.take());
		}
		assertThat(progress.hasReached("", "x2999")).isTrue();
		assertThat(progress.hasReached("", "x2000")).isTrue();
		assertThat(progress.hasReached("", "x1999")).isFalse();
	}

	@Test
	void e28_allNamespacesMustHaveReachedTheVersionUnlessOneIsNamed() throws Exception {
		use(TestInformer.options(), "n1", "n2");
		this.things.source.answerInNamespace("5", "a").answerInNamespace("5", "a");
		this.things.informer.start();
		ScriptedSource.Stream watch = this.things.source.nextWatch();
		ScriptedSource.Stream other = this.things.source.nextWatch();
		String namespace = watch.options.namespace();
		assertThat(this.lister.awaitResourceVersion("5", LONG)).isTrue();
		watch.added(Thing.of(namespace, "b", "7", ""));
		assertThat(this.lister.awaitResourceVersion(namespace, "7", LONG)).isTrue();
		assertThat(this.lister.hasReached("7")).isFalse();
		assertThat(this.lister.hasReached(other.options.namespace(), "7")).isFalse();
		other.bookmark("8");
		assertThat(this.lister.awaitResourceVersion("7", LONG)).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> this.lister.hasReached("n3", "1"));
	}

	@Test
	void e14_theReachedVersionGoesBackWithTheServer() throws Exception {
		ScriptedSource.Stream watch = this.things.startWith("100", Thing.of("a", "100"));
		assertThat(this.lister.awaitResourceVersion("100", LONG)).isTrue();
		this.things.source.answer("8", Thing.of("a", "8"));
		watch.bookmark("7");
		await().until(() -> this.things.informer.state() == ReflectorState.BACKING_OFF);
		this.things.time.advance(Duration.ofMinutes(1));
		this.things.source.nextWatch().added(Thing.of("b", "9"));
		// a mirror that is still at 100 has reached 9 as well
		await().until(() -> !this.lister.hasReached("100"));
		assertThat(this.lister.awaitResourceVersion("9", LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.things.mirror()).containsExactly("a@8", "b@9"));
	}

	@Test
	void aWaitEndsAfterItsTimeout() throws Exception {
		this.things.startWith("1");
		assertThat(this.lister.awaitResourceVersion("1", LONG)).isTrue();
		assertThat(this.lister.awaitResourceVersion("1", Duration.ZERO)).isTrue();
		assertThat(this.lister.awaitResourceVersion("2", Duration.ZERO)).isFalse();
		assertThat(this.lister.awaitResourceVersion("2", Duration.ofMillis(1))).isFalse();
		assertThat(this.lister.awaitResourceVersion("2", Duration.ofSeconds(-1))).isFalse();
		Disposable waiting = this.lister.reached("2").subscribe();
		assertThat(waiting()).isOne();
		waiting.dispose();
		assertThat(waiting()).isZero();
		assertThatIllegalArgumentException().isThrownBy(() -> this.lister.hasReached(""));
		assertThatIllegalArgumentException().isThrownBy(() -> this.lister.reached(""));
	}

	@Test
	void aWaitDoesNotBlockTheMirrorAndASlowHandlerDoesNotBlockAWait() throws Exception {
		Semaphore permits = new Semaphore(0);
		this.things.informer.addEventHandler((change) -> permits.acquireUninterruptibly());
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		Semaphore blocker = new Semaphore(0);
		Disposable waiting = this.lister.reached("2").doOnTerminate(blocker::acquireUninterruptibly).subscribe();
		watch.added(Thing.of("b", "2")).added(Thing.of("c", "3"));
		assertThat(this.lister.awaitResourceVersion("3", LONG)).isTrue();
		blocker.release();
		waiting.dispose();
		permits.release(10);
	}

}
