package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerHarness;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test cases of client-go for paging (C-348 to C-359), run with lists of a reflector.
 */
@Timeout(60)
class PagingConformanceTests {

	private static final ReflectorOptions TEN = InformerHarness.listing().pageSize(10).build();

	private static final Duration THROTTLED = Duration.ofSeconds(3);

	/** How long a page is incomplete when the loop reports it. */
	private static final Duration REMINDER = Duration.ofSeconds(10);

	private static List<String> additions(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "+" + PagedSource.thing(i)).toList();
	}

	@ParameterizedTest
	@CsvSource({ "0,1", "9,1", "10,1", "11,2", "21,3" })
	void c348_c349_readsPagesToTheEndAndTakesTheVersionOfTheFirst(int items, int pages) throws Exception {
		PagedSource source = new PagedSource(items);
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			loop.awaitSynced();
			InformerHarness.soon().until(() -> !source.watches.isEmpty());
			assertThat(source.lists).hasSize(pages);
			InformerHarness.soon().untilAsserted(() -> assertThat(loop.pages).containsExactly(pages));
			assertThat(loop.informer.lister().size()).isEqualTo(items);
			assertThat(source.watches.get(0).resourceVersion()).isEqualTo("10");
		}
	}

	@Test
	void c350_whenTheFullListHasExpiredTooTheListFails() throws Exception {
		PagedSource source = new PagedSource(21);
		// the second page, the full list, and the consistent one that R-25 asks for
		List.of(2, 3, 4).forEach((list) -> source.answers.put(list, expired()));
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			loop.awaitDelay();
			assertThat(source.lists).containsExactly(new ListOptions(null, "0", 10, ""),
					new ListOptions(null, "", 10, "10"), new ListOptions(null, "0", 0, ""),
					new ListOptions(null, "", 0, ""));
			assertThat(loop.informer.status().lastError().reason()).isEqualTo("Expired");
			assertThat(loop.informer.hasSynced()).isFalse();
			assertThat(loop.informer.lister().size()).isZero();
		}
	}

	@Test
	void c351_anExpiredPageCausesAFullListAndLaterListsArePaged() throws Exception {
		PagedSource source = new PagedSource(501);
		source.answers.put(2, expired());
		try (InformerHarness loop = InformerHarness.started(source, InformerHarness.listing().build())) {
			loop.awaitSynced();
			assertThat(loop.informer.lister().size()).isEqualTo(501);
			assertThat(source.lists).containsExactly(new ListOptions(null, "0", 500, ""),
					new ListOptions(null, "", 500, "500"), new ListOptions(null, "0", 0, ""));
			InformerHarness.soon().until(() -> source.watches.size() == 1);
			loop.informer.relist();
			InformerHarness.soon().until(() -> source.watches.size() == 2);
			assertThat(source.lists).endsWith(new ListOptions(null, "10", 500, ""),
					new ListOptions(null, "", 500, "500"));
		}
	}

	@Test
	void c352_laterPagesAreRequestedWithoutAVersion() throws Exception {
		PagedSource source = new PagedSource(11);
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			InformerHarness.soon().until(() -> source.watches.size() == 1);
			loop.informer.relist();
			InformerHarness.soon().until(() -> source.watches.size() == 2);
			assertThat(source.lists).endsWith(new ListOptions(null, "10", 10, ""), new ListOptions(null, "", 10, "10"));
			loop.awaitSynced();
			assertThat(loop.informer.lister().size()).isEqualTo(11);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 9, 10, 11, 21 })
	void c353_everyItemIsDeliveredOnceAndInOrder(int items) throws Exception {
		try (InformerHarness loop = InformerHarness.started(new PagedSource(items), TEN)) {
			loop.awaitSynced();
			InformerHarness.soon()
				.untilAsserted(() -> assertThat(loop.changes).containsExactlyElementsOf(additions(items)));
		}
	}

	@Test
	void c354_noItemIsDeliveredBeforeTheListIsComplete() throws Exception {
		PagedSource source = new PagedSource(21);
		Sinks.One<ListPage<Thing>> full = Sinks.one();
		source.answers.put(2, expired());
		source.answers.put(3, full.asMono());
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			InformerHarness.soon().until(() -> source.lists.size() == 3);
			assertThat(loop.changes).isEmpty();
			assertThat(loop.informer.lister().size()).isZero();
			full.tryEmitValue(source.page(source.lists.get(2))).orThrow();
			InformerHarness.soon()
				.untilAsserted(() -> assertThat(loop.changes).containsExactlyElementsOf(additions(21)));
		}
	}

	@Test
	void c355_aHandlerThatThrowsGetsAllOtherItems() throws Exception {
		InformerHarness loop = new InformerHarness(new PagedSource(51), TEN);
		loop.hook = (change) -> {
			if (change.object().name().equals("t02")) {
				throw new IllegalStateException("scripted");
			}
		};
		try (loop) {
			loop.informer.start();
			InformerHarness.soon().until(() -> loop.handlerFailures.get() == 1);
			InformerHarness.soon()
				.untilAsserted(() -> assertThat(loop.changes).containsExactlyElementsOf(additions(51)));
			loop.awaitSynced();
		}
	}

	@Test
	void c356_aStoppedListRequestsNoMorePages() throws Exception {
		PagedSource source = new PagedSource(51);
		Sinks.One<ListPage<Thing>> second = Sinks.one();
		source.answers.put(2, second.asMono());
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			InformerHarness.soon().until(() -> source.lists.size() == 2);
			loop.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
			second.tryEmitValue(source.page(source.lists.get(1)));
			assertThat(source.lists).hasSize(2);
			assertThat(loop.changes).isEmpty();
			assertThat(loop.informer.status().lastError()).isNull();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1,1", "41,1", "41,2", "41,5" })
	void c357_noPageIsRequestedAfterAFailedOne(int items, int failing) throws Exception {
		PagedSource source = new PagedSource(items);
		source.answers.put(failing, Mono.error(ScriptedSource.status(500, "InternalError")));
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			loop.awaitDelay();
			assertThat(source.lists).hasSize(failing);
			assertThat(loop.informer.lister().size()).isZero();
		}
	}

	@Test
	void aThrottledPageIsRequestedAgainAndTheListContinues() throws Exception {
		PagedSource source = new PagedSource(21);
		List.of(2, 3).forEach((list) -> source.answers.put(list, throttled()));
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			passThrottling(loop, source, 2);
			passThrottling(loop, source, 3);
			loop.awaitSynced();
			ListOptions second = new ListOptions(null, "", 10, "10");
			assertThat(source.lists).containsExactly(new ListOptions(null, "0", 10, ""), second, second, second,
					new ListOptions(null, "", 10, "20"));
			assertThat(loop.informer.lister().size()).isEqualTo(21);
			// the observer is called a little after the mirror has the list
			InformerHarness.soon().untilAsserted(() -> assertThat(loop.pages).containsExactly(3));
			assertThat(loop.delays).isEmpty();
		}
	}

	@Test
	void aListFailsWhenAPageMustWaitForLong() throws Exception {
		PagedSource source = new PagedSource(21);
		Duration wait = Duration.ofMinutes(5);
		source.answers.put(2, Mono.error(new ApiException("busy", Status.ofHttp(503, ""), wait)));
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			assertThat(loop.awaitDelay()).isEqualTo(wait);
			assertThat(source.lists).hasSize(2);
		}
	}

	@Test
	void aListFailsWhenOnePageIsThrottledTooOften() throws Exception {
		PagedSource source = new PagedSource(21);
		IntStream.rangeClosed(2, 12).forEach((list) -> source.answers.put(list, throttled()));
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			for (int list = 2; list < 12; list++) {
				passThrottling(loop, source, list);
			}
			assertThat(loop.awaitDelay()).isEqualTo(THROTTLED);
			assertThat(source.lists).hasSize(12);
			loop.passDelay(THROTTLED);
			loop.awaitSynced();
			assertThat(source.lists.get(12)).isEqualTo(new ListOptions(null, "0", 10, ""));
		}
	}

	@Test
	void aReminderThatIsDueWhenAPageIsRefusedDoesNotEndTheWait() throws Exception {
		PagedSource source = new PagedSource(21);
		InformerHarness loop = new InformerHarness(source, TEN);
		source.answers.put(2, throttled().doAfterTerminate(() -> loop.time.advance(REMINDER)));
		try (loop) {
			loop.informer.start();
			passThrottling(loop, source, 2);
			loop.awaitSynced();
			assertThat(source.lists).hasSize(4);
		}
	}

	/** Waits until a page was refused, and lets the time pass that the server has set. */
	private static void passThrottling(InformerHarness loop, PagedSource source, int lists) {
		InformerHarness.soon()
			.until(() -> source.lists.size() == lists && loop.time.waiting().equals(List.of(THROTTLED)));
		assertThat(loop.informer.status().failingSince()).isNull();
		loop.time.advance(THROTTLED);
	}

	private static Mono<ListPage<Thing>> throttled() {
		return Mono.error(new ApiException("busy", Status.ofHttp(429, ""), THROTTLED));
	}

	@Test
	void c358_c359_noPageIsReadAhead() throws Exception {
		PagedSource source = new PagedSource(41);
		Sinks.One<ListPage<Thing>> second = Sinks.one();
		source.answers.put(2, second.asMono());
		try (InformerHarness loop = InformerHarness.started(source, TEN)) {
			InformerHarness.soon().until(() -> second.currentSubscriberCount() == 1);
			assertThat(source.lists).hasSize(2);
			second.tryEmitValue(source.page(source.lists.get(1))).orThrow();
			loop.awaitSynced();
			assertThat(source.lists).hasSize(5);
		}
	}

	private static Mono<ListPage<Thing>> expired() {
		return Mono.error(ScriptedSource.status(410, "Expired"));
	}

	/**
	 * Serves a collection in pages. The first page has the version of the list, later
	 * pages have another one.
	 */
	private static final class PagedSource implements ListerWatcher<Thing> {

		final List<ListOptions> lists = new CopyOnWriteArrayList<>();

		final List<WatchOptions> watches = new CopyOnWriteArrayList<>();

		/** Answers in place of a page, by the number of the request. */
		final Map<Integer, Mono<ListPage<Thing>>> answers = new ConcurrentHashMap<>();

		private final int items;

		PagedSource(int items) {
			this.items = items;
		}

		static Thing thing(int number) {
			return Thing.of("t%02d".formatted(number), "1");
		}

		@Override
		public Mono<ListPage<Thing>> list(ListOptions options) {
			this.lists.add(options);
			Mono<ListPage<Thing>> answer = this.answers.get(this.lists.size());
			return (answer != null) ? answer : Mono.just(page(options));
		}

		ListPage<Thing> page(ListOptions options) {
			boolean first = options.continueToken().isEmpty();
			int from = first ? 0 : Integer.parseInt(options.continueToken());
			int to = (options.limit() == 0) ? this.items : Math.min(this.items, from + options.limit());
			return new ListPage<>(IntStream.range(from, to).mapToObj(PagedSource::thing).toList(), first ? "10" : "99",
					(to < this.items) ? Integer.toString(to) : "", List.of());
		}

		@Override
		public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
			this.watches.add(options);
			return Flux.never();
		}

	}

}
