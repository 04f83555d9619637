package dev.reflector.cache.source;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.fixture.BusySharedThreads;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link PollingListerWatcher}.
 */
@Timeout(60)
class PollingListerWatcherTests {

	private static final Duration PERIOD = Duration.ofMillis(5);

	private final List<String> changes = new CopyOnWriteArrayList<>();

	private final AtomicInteger polls = new AtomicInteger();

	private volatile Callable<List<Book>> answer = List::of;

	private SharedInformer<Book> informer;

	@AfterEach
	void close() {
		if (this.informer != null) {
			this.informer.close();
		}
	}

	@Test
	void findsWhatWasAddedChangedAndDeleted() {
		this.answer = () -> List.of(new Book("a", "Emma"), new Book("b", "Dracula"));
		start(source());
		awaitChanges("+a Emma", "+b Dracula");
		this.answer = () -> List.of(new Book("b", "Dracula"), new Book("c", "Ulysses"), new Book("a", "Emma, again"));
		awaitChanges("+a Emma", "+b Dracula", "+c Ulysses", "~a Emma, again");
		this.answer = List::of;
		await().until(() -> this.changes.size() == 7);
		assertThat(this.informer.lister().size()).isZero();
		assertThat(this.changes.subList(4, 7)).containsExactlyInAnyOrder("-a Emma, again", "-b Dracula", "-c Ulysses");
		this.answer = () -> List.of(new Book("a", "Emma"));
		await().until(() -> this.changes.size() == 8);
		assertThat(this.changes.get(7)).isEqualTo("+a Emma");
	}

	@Test
	void equalObjectsDeliverNothingAndKeepTheirVersion() {
		this.answer = () -> List.of(new Book("a", "Emma"));
		PollingListerWatcher<Book> source = source();
		start(source);
		awaitChanges("+a Emma");
		String version = this.informer.status().lastSyncResourceVersion();
		int before = this.polls.get();
		this.informer.relist();
		await().until(() -> this.polls.get() > before + 5);
		assertThat(this.changes).containsExactly("+a Emma");
		assertThat(this.informer.status().lastSyncResourceVersion()).isEqualTo(version);
		assertThat(source.resourceVersion(this.informer.lister().list().get(0))).isEqualTo(version);
	}

	@Test
	void pollsWhileTheApplicationBlocksTheSharedThreads() throws Exception {
		this.answer = () -> List.of(new Book("a", "Emma"));
		try (BusySharedThreads busy = new BusySharedThreads()) {
			start(source());
			awaitChanges("+a Emma");
			assertThat(busy.isBusy()).isTrue();
		}
	}

	@Test
	void aPublisherIsPolled() {
		start(PollingListerWatcher.ofPublisher(PERIOD, () -> Flux.just(new Book("a", "Emma"), new Book("b", "Dracula")),
				Book::isbn));
		awaitChanges("+a Emma", "+b Dracula");
	}

	@Test
	void aPollThatFailsLeavesTheMirrorAndIsTriedAgain() {
		this.answer = () -> List.of(new Book("a", "Emma"));
		start(source());
		awaitChanges("+a Emma");
		this.answer = () -> {
			throw new IOException("the library is closed");
		};
		await().until(() -> this.informer.status().failingSince() != null);
		assertThat(this.informer.status().lastError().message()).contains("the library is closed");
		assertThat(this.informer.lister().size()).isOne();
		this.answer = () -> List.of(new Book("b", "Dracula"));
		awaitChanges("+a Emma", "-a Emma", "+b Dracula");
		await().until(() -> this.informer.status().failingSince() == null);
	}

	@Test
	void aSourceThatFailsFromTheStartIsNoEmptyCollection() {
		this.answer = () -> {
			throw new LinkageError("no driver");
		};
		start(source());
		await().until(() -> this.informer.status().lastError() != null);
		assertThat(this.informer.status().lastError().message()).contains("no driver");
		assertThat(this.informer.status().synced()).isFalse();
		this.answer = () -> List.of(new Book("a", "Emma"));
		awaitChanges("+a Emma");
	}

	@Test
	void aPollNeverOverlapsTheOneBefore() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		this.answer = () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			Thread.yield();
			running.decrementAndGet();
			return List.of(new Book("a", "Emma"));
		};
		PollingListerWatcher<Book> source = source();
		Flux.range(0, 50).flatMap((number) -> source.list(list(null)), 50).blockLast();
		assertThat(this.polls).hasValue(50);
		assertThat(most).hasValue(1);
	}

	@Test
	void aPollThatNeverEndsIsInterruptedAndHasFailed() throws InterruptedException {
		CountDownLatch interrupted = new CountDownLatch(1);
		this.answer = () -> {
			try {
				return new CountDownLatch(1).await(1, TimeUnit.HOURS) ? List.of() : List.of();
			}
			finally {
				interrupted.countDown();
			}
		};
		start(source().withTimeout(Duration.ofMillis(20)));
		await().until(() -> this.informer.status().lastError() != null);
		assertThat(this.informer.status().lastError().message()).contains("The poll has not ended after 20 ms");
		assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
		this.answer = () -> List.of(new Book("a", "Emma"));
		awaitChanges("+a Emma");
	}

	@Test
	void aPeriodMayBeLongerThanAWatch() {
		this.answer = () -> List.of(new Book("a", "Emma"));
		// if a poll ends just after its watch, the next watch has the result
		PollingListerWatcher<Book> source = source(Duration.ofMillis(500));
		String version = source.list(list(null)).map(ListPage::resourceVersion).block();
		this.answer = List::of;
		List<WatchEvent<Book>> events = new ArrayList<>();
		await().until(() -> {
			source.watch(watch(version, Duration.ofMillis(10))).collectList().block().forEach(events::add);
			return events.stream().anyMatch(WatchEvent.Deleted.class::isInstance);
		});
		assertThat(this.polls).hasValue(2);
	}

	@Test
	void timesMayBeLongerThanTimersCount() {
		this.answer = () -> List.of(new Book("a", "Emma"));
		PollingListerWatcher<Book> source = source(ChronoUnit.FOREVER.getDuration())
			.withTimeout(ChronoUnit.FOREVER.getDuration());
		String version = source.list(list(null)).map(ListPage::resourceVersion).block();
		assertThat(source.watch(watch(version, Duration.ofMillis(10))).collectList().block())
			.hasOnlyElementsOfType(WatchEvent.Opened.class);
	}

	@Test
	void aWatchContinuesFromItsVersion() {
		this.answer = () -> List.of(new Book("a", "Emma"), new Book("b", "Dracula"));
		PollingListerWatcher<Book> source = source();
		String version = source.list(list(null)).map(ListPage::resourceVersion).block();
		this.answer = () -> List.of(new Book("a", "Emma"), new Book("c", "Ulysses"));
		String later = source.list(list(null)).map(ListPage::resourceVersion).block();
		assertThat(seen(source, version, 4)).containsExactly("Opened", "Deleted b", "Added c", "Bookmark " + later);
		assertThat(seen(source, later, 1)).containsExactly("Opened");
	}

	@Test
	void aWatchContinuesAmongTheChangesOfOnePoll() {
		this.answer = () -> List.of(new Book("a", "Emma"), new Book("b", "Dracula"));
		PollingListerWatcher<Book> source = source(Duration.ofHours(1));
		String version = source.list(list(null)).map(ListPage::resourceVersion).block();
		Book changed = new Book("c", "Ulysses");
		this.answer = () -> List.of(new Book("d", "Faust"), changed, new Book("e", "Ivanhoe"));
		source.list(list(null)).block();
		this.answer = () -> List.of(new Book("d", "Faust, again"), changed, new Book("e", "Ivanhoe"));
		String later = source.list(list(null)).map(ListPage::resourceVersion).block();
		assertThat(seen(source, version, 7)).containsExactly("Opened", "Deleted a", "Deleted b", "Added c", "Added e",
				"Modified d", "Bookmark " + later);
		assertThat(seen(source, source.resourceVersion(changed), 4)).containsExactly("Opened", "Added e", "Modified d",
				"Bookmark " + later);
	}

	@Test
	void aWatchLosesNoChangeAfterAnEventThatWasReadWithALaterVersion() {
		PollingListerWatcher<Book> source = source(Duration.ofHours(1));
		Book deleted = new Book("a", "Emma");
		Book other = new Book("b", "Dracula");
		this.answer = () -> List.of(deleted, other);
		source.list(list(null)).block();
		this.answer = () -> List.of(other);
		String later = source.list(list(null)).map(ListPage::resourceVersion).block();
		// the version of "Added a", if a watch reads it only now
		assertThat(seen(source, source.resourceVersion(deleted), 4)).containsExactly("Opened", "Added b", "Deleted a",
				"Bookmark " + later);
		assertThat(source.watch(watch(later, Duration.ofMillis(10))).collectList().block())
			.hasOnlyElementsOfType(WatchEvent.Opened.class);
		this.answer = () -> List.of(other, deleted);
		String again = source.list(list(null)).map(ListPage::resourceVersion).block();
		assertThat(seen(source, source.resourceVersion(deleted), 4)).containsExactly("Opened", "Added b", "Added a",
				"Bookmark " + again);
	}

	@Test
	void aVersionOfAnotherProcessIsGone() {
		PollingListerWatcher<Book> source = source();
		source.list(list(null)).block();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> source.watch(watch("1000", Duration.ofSeconds(30))).blockLast())
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isTrue());
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> source.watch(new WatchOptions(null, "", Duration.ofSeconds(30), true, true)).blockLast());
	}

	@Test
	void deletionsAreRememberedWithABound() {
		this.answer = () -> books(10_001);
		PollingListerWatcher<Book> source = source();
		String version = source.list(list(null)).map(ListPage::resourceVersion).block();
		this.answer = List::of;
		source.list(list(null)).block();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> source.watch(watch(version, Duration.ofSeconds(30))).blockLast())
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isTrue());
	}

	@Test
	void objectsMayHaveNamespaces() {
		this.answer = () -> List.of(new Book("a", "Emma"), new Book("b", "Dracula"));
		PollingListerWatcher<Book> source = source().withNamespace((book) -> "shelf-" + book.title().charAt(0));
		assertThat(source.list(list("shelf-D")).block().items()).extracting(Book::isbn).containsExactly("b");
		assertThat(source.key(new Book("a", "Emma"))).hasToString("shelf-E/a");
	}

	@Test
	void aNamespaceIsNotSilentlyEmptyBecauseObjectsHaveNone() {
		String problem = "The poll has returned objects that are in no namespace, but the reflector mirrors the "
				+ "namespace 'shelf'. Set their namespaces with 'withNamespace'";
		PollingListerWatcher<Book> source = source(Duration.ofHours(1));
		String version = source.list(list("shelf")).map(ListPage::resourceVersion).block();
		this.answer = () -> List.of(new Book("a", "Emma"));
		assertThatIllegalStateException().isThrownBy(() -> source.list(list("shelf")).block())
			.withMessageStartingWith(problem);
		WatchOptions watch = new WatchOptions("shelf", version, Duration.ofSeconds(30), true, false);
		assertThatIllegalStateException().isThrownBy(() -> source.watch(watch).blockLast())
			.withMessageStartingWith(problem);
		assertThat(source.list(list(null)).block().items()).hasSize(1);
		assertThat(source.withNamespace(Book::title).list(list("shelf")).block().items()).isEmpty();
	}

	@Test
	void aNamespaceMayBecomeEmptyAlthoughOtherObjectsHaveNone() {
		this.answer = () -> List.of(new Book("a", "shelf"), new Book("b", ""));
		PollingListerWatcher<Book> source = source().withNamespace(Book::title);
		assertThat(source.list(list("shelf")).block().items()).extracting(Book::isbn).containsExactly("a");
		this.answer = () -> List.of(new Book("b", ""));
		assertThat(source.list(list("shelf")).block().items()).isEmpty();
	}

	@Test
	void watchesOfSeveralNamespacesShareAPoll() {
		CountDownLatch asked = new CountDownLatch(1);
		this.answer = () -> {
			asked.await();
			return List.of(new Book("a", "Emma"), new Book("b", "Dracula"));
		};
		PollingListerWatcher<Book> source = source(Duration.ofHours(1)).withNamespace(Book::title);
		List<CompletableFuture<WatchEvent<Book>>> added = Stream.of("Emma", "Dracula", "Ulysses")
			.map((namespace) -> source.watch(new WatchOptions(namespace, "1", Duration.ofHours(1), true, false))
				.skip(1)
				.next()
				.toFuture())
			.toList();
		asked.countDown();
		assertThat(added).extracting(CompletableFuture::join)
			.hasExactlyElementsOfTypes(WatchEvent.Added.class, WatchEvent.Added.class, WatchEvent.Bookmark.class);
		assertThat(this.polls).hasValue(1);
	}

	@Test
	void answersWithoutMeaningAreExplained() {
		assertThatIllegalStateException().isThrownBy(() -> poll(null))
			.withMessage("The poll has returned null. Without objects, it must return an empty collection");
		List<Book> withNull = new ArrayList<>();
		withNull.add(null);
		assertThatIllegalStateException().isThrownBy(() -> poll(withNull))
			.withMessage("The poll has returned a null among the objects");
		assertThatIllegalStateException()
			.isThrownBy(() -> poll(List.of(new Book("a", "Emma"), new Book("a", "Dracula"))))
			.withMessage("The poll has returned two different objects named 'a'");
		assertThat(poll(List.of(new Book("a", "Emma"), new Book("a", "Emma")))).hasSize(1);
		for (String nothing : new String[] { null, "" }) {
			assertThatIllegalStateException().isThrownBy(() -> poll(List.of(new Book(nothing, "Emma"))))
				.withMessage("The poll has returned an object of " + Book.class.getName() + " without a name");
		}
		PollingListerWatcher<Object> nameless = PollingListerWatcher.of(PERIOD, () -> List.of(new Object()),
				Object::toString);
		assertThatIllegalStateException().isThrownBy(() -> nameless.list(list(null)).block())
			.withMessageStartingWith("The class java.lang.Object has no 'equals', so changes cannot be found");
		assertThatIllegalArgumentException().isThrownBy(() -> source(Duration.ZERO))
			.withMessage("'period' must be positive, and is PT0S");
	}

	@Test
	void aTransformedObjectHasNoVersionAndChangesAreStillFound() {
		this.answer = () -> List.of(new Book("a", "Emma"));
		PollingListerWatcher<Book> source = source();
		start(ListerWatcher.transformed(source, (book) -> new Book(book.isbn(), book.title().toUpperCase()), source),
				source);
		awaitChanges("+a EMMA");
		this.answer = () -> List.of(new Book("a", "Dracula"));
		awaitChanges("+a EMMA", "~a DRACULA");
		this.answer = List::of;
		awaitChanges("+a EMMA", "~a DRACULA", "-a DRACULA");
	}

	@Test
	void aMirrorOfItCannotBeDurable() {
		PollingListerWatcher<Book> source = source();
		SnapshotCodec<Book> codec = new SnapshotCodec<>() {

			@Override
			public String shape() {
				return "";
			}

			@Override
			public byte[] write(Book object) {
				return new byte[0];
			}

			@Override
			public Book read(byte[] bytes) {
				return new Book("", "");
			}

		};
		assertThatIllegalStateException()
			.isThrownBy(() -> SharedInformer.builder("books", source, source)
				.snapshot(SnapshotOptions.builder(new MemorySnapshots(), codec).build())
				.build())
			.withMessageContaining("versions of its source end with the process");
	}

	private List<Book> poll(List<Book> books) {
		this.answer = () -> books;
		return source().list(list(null)).block().items();
	}

	private static List<Book> books(int count) {
		List<Book> books = new ArrayList<>();
		for (int number = 0; number < count; number++) {
			books.add(new Book(Integer.toString(number), "Emma"));
		}
		return books;
	}

	private static List<String> seen(PollingListerWatcher<Book> source, String version, int count) {
		return source.watch(watch(version, Duration.ofSeconds(30))).take(count).map((event) -> {
			String type = event.getClass().getSimpleName();
			if (event instanceof WatchEvent.Bookmark<Book> bookmark) {
				return type + " " + bookmark.resourceVersion();
			}
			if (event instanceof WatchEvent.Added<Book> added) {
				return type + " " + added.object().isbn();
			}
			if (event instanceof WatchEvent.Modified<Book> modified) {
				return type + " " + modified.object().isbn();
			}
			return (event instanceof WatchEvent.Deleted<Book> deleted) ? type + " " + deleted.object().isbn() : type;
		}).collectList().block();
	}

	private PollingListerWatcher<Book> source() {
		return source(PERIOD);
	}

	private PollingListerWatcher<Book> source(Duration period) {
		Callable<Collection<Book>> poll = () -> {
			this.polls.incrementAndGet();
			return this.answer.call();
		};
		return PollingListerWatcher.of(period, poll, Book::isbn);
	}

	private void start(PollingListerWatcher<Book> source) {
		start(source, source);
	}

	private void start(ListerWatcher<Book> source, ResourceAccessor<Book> accessor) {
		Duration soon = Duration.ofMillis(5);
		this.informer = SharedInformer.builder("books", source, accessor)
			.options(ReflectorOptions.builder()
				.backoff(new BackoffSettings(soon, soon, 2, 0, Duration.ofMinutes(2)))
				.build())
			.build();
		this.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onChange(Change<Book> change) {
				String sign = switch (change.type()) {
					case ADDED -> "+";
					case UPDATED -> "~";
					case DELETED -> "-";
				};
				PollingListerWatcherTests.this.changes
					.add(sign + change.object().isbn() + " " + change.object().title());
			}

		});
		this.informer.start();
		assertThat(this.informer.status().state()).isNotEqualTo(ReflectorState.STOPPED);
	}

	private void awaitChanges(String... expected) {
		await().untilAsserted(() -> assertThat(this.changes).containsExactlyInAnyOrder(expected));
	}

	private static ListOptions list(String namespace) {
		return new ListOptions(namespace, "", 0, "");
	}

	private static WatchOptions watch(String version, Duration timeout) {
		return new WatchOptions(null, version, timeout, true, false);
	}

	private record Book(String isbn, String title) {

	}

}
