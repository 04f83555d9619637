package dev.reflector.cache.informer;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The test cases of client-go for lists.
 */
@Timeout(60)
class ListConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	@Test
	void c004_aListThatIsAnsweredAfterTheStopIsIgnored() throws Exception {
		Sinks.One<ListPage<Thing>> answer = Sinks.one();
		List<WatchOptions> watches = new ArrayList<>();
		this.fixture.listerWatcher = new ListerWatcher<>() {

			@Override
			public Mono<ListPage<Thing>> list(ListOptions options) {
				return answer.asMono();
			}

			@Override
			public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
				watches.add(options);
				return Flux.never();
			}

		};
		this.fixture.start(InformerFixture.listing());
		await().until(() -> answer.currentSubscriberCount() == 1);
		this.fixture.stop();
		assertThat(answer.currentSubscriberCount()).isZero();
		answer.tryEmitValue(new ListPage<>(List.of(Thing.of("a", "1")), "1", "", List.of()));
		assertThat(watches).isEmpty();
		this.fixture.awaitMirror();
		assertThat(this.fixture.ends).isEmpty();
	}

	@Test
	void c015_c019_restartsGoOnWithTheSameMirror() throws Exception {
		this.source.answer("1");
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().added(Thing.of("foo", "2")).added(Thing.of("bar", "3"));
		this.fixture.awaitMirror("bar@3", "foo@2");
		this.fixture.stop();

		this.source.answer("3", Thing.of("foo", "2"), Thing.of("bar", "3"));
		this.fixture.informer.start();
		this.source.nextWatch().deleted(Thing.of("foo", "4")).added(Thing.of("qux", "5"));
		this.fixture.awaitMirror("bar@3", "qux@5");
		this.fixture.stop();
		assertThat(this.fixture.ends).isEmpty();

		this.source.failList(ScriptedSource.status(500, "InternalError"));
		this.fixture.informer.start();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.LIST_FAILED)));
		awaitError("scripted 500");
		this.fixture.awaitMirror("bar@3", "qux@5");
		this.fixture.stop();

		this.source.answer("5", Thing.of("bar", "3"), Thing.of("qux", "5"))
			.failWatch(new IllegalStateException("no watch"));
		this.fixture.informer.start();
		await().until(() -> this.fixture.ends.equals(List.of(RelistReason.LIST_FAILED, RelistReason.WATCH_FAILED)));
		awaitError("no watch");
		this.fixture.stop();

		this.source.answer("5", Thing.of("bar", "3"), Thing.of("qux", "5"));
		this.fixture.informer.start();
		this.source.nextWatch().added(Thing.of("baz", "6"));
		this.fixture.awaitMirror("bar@3", "baz@6", "qux@5");
		this.fixture.stop();
		this.source.answer("6", Thing.of("bar", "3"), Thing.of("qux", "5"), Thing.of("baz", "6"));
		this.fixture.informer.start();
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("6");
		this.fixture.awaitMirror("bar@3", "baz@6", "qux@5");
		assertThat(this.fixture.listVersions()).containsExactly("0", "3", "5", "5", "5", "6");
	}

	/**
	 * Waits for the error: the observer gets the end of a pass before the status has its
	 * error.
	 */
	private void awaitError(String message) {
		await().until(() -> {
			LastError error = this.fixture.informer.status().lastError();
			return error != null && error.message().equals(message);
		});
	}

	@Test
	void c030_aConfiguredPageSizeIsUsedForEveryPageOfEveryList() throws Exception {
		this.source.answer("10");
		this.fixture.start(InformerFixture.listing().pageSize(4));
		this.source.nextWatch().error(500, "InternalError");
		this.source.answerPage("10", "C1", page(0, 4)).answerPage("10", "C2", page(4, 4)).answer("10", page(8, 2));
		this.fixture.passDelay(1);
		this.source.nextWatch();
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 4, ""),
				new ListOptions(null, "10", 4, ""), new ListOptions(null, "", 4, "C1"),
				new ListOptions(null, "", 4, "C2"));
		await().until(() -> this.fixture.mirror().size() == 10);
	}

	private static Thing[] page(int from, int count) {
		Thing[] things = new Thing[count];
		for (int i = 0; i < count; i++) {
			things[i] = Thing.of("t" + (from + i), "1");
		}
		return things;
	}

	@Test
	void c031_c033_aRelistAsksForTheLastVersionWithoutALimit() throws Exception {
		this.source.answer("10", page(0, 4));
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().error(500, "InternalError");
		this.source.answer("11", page(0, 8));
		await().until(() -> this.fixture.mirror().size() == 4);
		this.fixture.passDelay(1);
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("11");
		await().until(() -> this.fixture.mirror().size() == 8);
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 500, ""),
				new ListOptions(null, "10", 0, ""));
	}

	@Test
	void c035_afterAnExpiredPageTheFullListRequestsTheVersionOfTheFirstPage() throws Exception {
		this.source.answer("10", page(0, 4));
		this.fixture.start(InformerFixture.listing().pageSize(4));
		this.source.nextWatch().error(500, "InternalError");
		this.source.answerPage("11", "C1", page(0, 4))
			.failList(ScriptedSource.status(410, "Expired"))
			.answer("12", page(0, 8));
		this.fixture.passDelay(1);
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("12");
		await().until(() -> this.fixture.mirror().size() == 8);
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 4, ""),
				new ListOptions(null, "10", 4, ""), new ListOptions(null, "", 4, "C1"),
				new ListOptions(null, "10", 0, ""));
	}

	@Test
	void x08_aLaterPageThatIsGoneCausesAConsistentList() throws Exception {
		this.source.answerPage("10", "C1", page(0, 4))
			.failList(ScriptedSource.status(410, "Gone"))
			.answer("12", page(0, 2));
		this.fixture.start(InformerFixture.listing().pageSize(4));
		assertThat(this.source.nextWatch().options.resourceVersion()).isEqualTo("12");
		assertThat(this.source.lists).containsExactly(new ListOptions(null, "0", 4, ""),
				new ListOptions(null, "", 4, "C1"), new ListOptions(null, "", 4, ""));
		await().until(() -> this.fixture.mirror().size() == 2);
		assertThat(this.fixture.delays).isEmpty();
	}

	@Test
	void c036_c037_c038_aVersionThatIsTooLargeInAnyFormIsDroppedAtOnce() throws Exception {
		this.source.answer("20");
		this.fixture.start(InformerFixture.listing());
		List<Status> forms = List.of(
				new Status(504, "Timeout", "", List.of(new Status.Cause("ResourceVersionTooLarge", "", "")), 1, true),
				new Status(504, "Timeout", "", List.of(new Status.Cause("", "Too large resource version", "")), 1,
						true),
				new Status(504, "Timeout", "Too large resource version: 40, current: 39", List.of(), 1, true));
		for (int i = 0; i < forms.size(); i++) {
			this.source.nextWatch().error(500, "InternalError");
			this.source.failList(new ApiException("too large", forms.get(i), Duration.ofSeconds(1)))
				.answer((i + 3) + "0");
			this.fixture.passDelay(i + 1);
		}
		this.source.nextWatch();
		assertThat(this.fixture.listVersions()).containsExactly("0", "20", "", "30", "", "40", "");
		assertThat(this.fixture.ends).containsOnly(RelistReason.WATCH_ERROR);
	}

	@Test
	void c049_anObjectInTheMirrorDoesNotKeepTheRestOfItsPageInMemory() throws Exception {
		List<WeakReference<Thing>> first = new ArrayList<>();
		for (int page = 0; page < 5; page++) {
			Thing[] things = page(page * 100, 100);
			first.add(new WeakReference<>(things[0]));
			this.source.answerPage("10", (page < 4) ? "C" + page : "", things);
		}
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		for (int i = 0; i < 500; i++) {
			if (i % 100 != 50) {
				watch.deleted(Thing.of("t" + i, "11"));
			}
		}
		watch.bookmark("12");
		this.fixture.awaitVersion("12");
		await().until(() -> this.fixture.mirror().size() == 5 && this.fixture.informer.status().queueDepth() == 0);
		await().until(() -> {
			System.gc();
			return first.stream().allMatch((reference) -> reference.get() == null);
		});
		this.fixture.awaitMirror("t150@1", "t250@1", "t350@1", "t450@1", "t50@1");
	}

	@Test
	void x12_aDroppedVersionStaysDroppedUntilAListSucceeds() throws Exception {
		this.source.answer("10");
		this.fixture.start(InformerFixture.listing());
		this.source.nextWatch().error(410, "Expired");
		this.source.failList(ScriptedSource.status(410, "Expired"))
			.failList(ScriptedSource.status(500, "InternalError"))
			.answer("30");
		this.fixture.passDelay(1);
		this.fixture.passDelay(2);
		this.source.nextWatch().error(410, "Expired");
		this.source.answer("40");
		this.fixture.passDelay(3);
		this.source.nextWatch();
		assertThat(this.fixture.listVersions()).containsExactly("0", "10", "", "", "30");
	}

}
