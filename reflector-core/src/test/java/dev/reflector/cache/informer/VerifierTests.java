package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.reflector.ConsistencyReport;
import dev.reflector.ConsistencyReport.Difference;
import dev.reflector.ConsistencyReport.Difference.Kind;
import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Verifier} and {@link Verification}.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class VerifierTests {

	private final ManualTime time = new ManualTime();

	private final ScriptedSource source = new ScriptedSource();

	private final List<ConsistencyReport> observed = new CopyOnWriteArrayList<>();

	private final CountDownLatch handlers = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private volatile boolean noThreads;

	private SharedInformer<Thing> informer;

	@AfterEach
	void stop() throws Exception {
		this.handlers.countDown();
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.threads.shutdownNow();
	}

	private SharedInformer<Thing> create(Ordering ordering, int queueCapacity, String... namespaces) {
		ReflectorOptions options = ReflectorOptions.builder()
			.initialList(InitialList.LIST)
			.ordering(ordering)
			.queueCapacity(queueCapacity)
			.overflow(QueueSettings.Overflow.BLOCK)
			.build();
		ReflectorObserver observer = new ReflectorObserver() {
			@Override
			public void verified(ConsistencyReport report) {
				VerifierTests.this.observed.add(report);
			}
		};
		this.informer = SharedInformer.builder("things", this.source, MetadataAccessor.forType(Thing.class))
			.resourceType(ResourceType.of("example.com/v1", "Thing", "things"))
			.namespaces(List.of(namespaces))
			.options(options)
			.observer(observer)
			.time(this.time)
			.random(new Random(1))
			.threads(this::execute)
			.build();
		this.informer.addEventHandler(this::handle);
		return this.informer;
	}

	private void execute(Runnable task) {
		if (this.noThreads) {
			throw new RejectedExecutionException("none left");
		}
		this.threads.execute(task);
	}

	private void handle(Change<Thing> change) {
		if (change.object().payload().equals("block")) {
			try {
				this.handlers.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private ScriptedSource.Stream startWith(String version, Thing... things) throws InterruptedException {
		this.source.answer(version, things);
		create(Ordering.ARRIVAL, 100).start();
		return this.source.nextWatch();
	}

	private Scope verify() throws Exception {
		return report(this.informer.verify()).scopes().get(0);
	}

	private static ConsistencyReport report(CompletionStage<ConsistencyReport> stage) throws Exception {
		return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	@Test
	void c360_listsAtExactlyTheVersionOfTheMirrorAndFindsItEqual() throws Exception {
		startWith("7", Thing.of("foo", "1"), Thing.of("bar", "2"));
		this.source.answer("7", Thing.of("foo", "1"), Thing.of("bar", "2"));
		ConsistencyReport report = report(this.informer.verify());
		assertThat(report).isEqualTo(new ConsistencyReport("things", this.time.now(),
				List.of(new Scope(null, Result.EQUAL, "7", 2, 0, 0, 0, 0, List.of(), ""))));
		assertThat(report.result()).isEqualTo(Result.EQUAL);
		assertThat(this.source.lists).last()
			.isEqualTo(new ListOptions(null, "7", 500, "", ListOptions.ResourceVersionMatch.EXACT));
		assertThat(this.observed).containsExactly(report);
	}

	@Test
	void c365_anEmptyMirrorEqualsAnEmptyList() throws Exception {
		startWith("7");
		this.source.answer("7");
		assertThat(verify().result()).isEqualTo(Result.EQUAL);
	}

	@Test
	void c367_aMirrorWithoutAVersionIsNotComparable() throws Exception {
		create(Ordering.ARRIVAL, 100).start();
		await().until(() -> this.source.lists.size() == 1);
		assertThat(verify().message()).isEqualTo("the mirror has no version yet");
		assertThat(this.source.lists).hasSize(1);
	}

	@Test
	void c368_reportsDifferencesAndDoesNotChangeTheMirror(CapturedOutput output) throws Exception {
		startWith("7", Thing.of("same", "1"), Thing.of("surplus", "2"), Thing.of("old", "3"));
		this.source.answer("7", Thing.of("same", "1"), Thing.of("old", "5"), Thing.of("missing", "6"));
		assertThat(verify()).isEqualTo(new Scope(null, Result.DIFFERENT, "7", 3, 1, 1, 1, 0,
				List.of(new Difference(Kind.VERSION, new ResourceKey("default", "old"), "3", "5"),
						new Difference(Kind.MISSING, new ResourceKey("default", "missing"), null, "6"),
						new Difference(Kind.SURPLUS, new ResourceKey("default", "surplus"), "2", null)),
				""));
		assertThat(this.informer.lister().list()).extracting(Thing::toString)
			.containsExactlyInAnyOrder("same@1", "surplus@2", "old@3");
		assertThat(this.observed).singleElement().extracting(ConsistencyReport::result).isEqualTo(Result.DIFFERENT);
		assertThat(output).containsPattern("WARN.*'things': the mirror differs from the server at resource version 7: "
				+ "1 objects are missing, 1 exist only in the mirror, 1 have another version");
	}

	@Test
	void readsAllPages() throws Exception {
		startWith("7", Thing.of("a", "1"), Thing.of("b", "2"));
		this.source.answerPage("7", "C1", Thing.of("a", "1")).answerPage("7", "", Thing.of("b", "2"));
		assertThat(verify().result()).isEqualTo(Result.EQUAL);
		assertThat(this.source.lists).last().isEqualTo(new ListOptions(null, "", 500, "C1"));
	}

	@Test
	void listsOnlyTheFirstDifferencesButCountsAll() throws Exception {
		startWith("7");
		this.source.answer("7", IntStream.range(0, 150).mapToObj((i) -> Thing.of("t" + i, "1")).toArray(Thing[]::new));
		Scope scope = verify();
		assertThat(scope.missing()).isEqualTo(150);
		assertThat(scope.differences()).hasSize(ConsistencyReport.MAX_DIFFERENCES);
	}

	@Test
	void anObjectThatCouldNotBeReadIsReportedAsSkipped() throws Exception {
		ResourceKey bar = new ResourceKey("default", "bar");
		this.source.answerSkipping("7", new SkippedObject(bar, "2", "scripted"), Thing.of("foo", "1"));
		create(Ordering.ARRIVAL, 100).start();
		this.source.nextWatch();
		this.source.answer("7", Thing.of("foo", "1"), Thing.of("bar", "2"));
		Scope scope = verify();
		assertThat(scope.result()).isEqualTo(Result.EQUAL);
		assertThat(scope.skipped()).isEqualTo(1);
		assertThat(scope.differences()).containsExactly(new Difference(Kind.SKIPPED, bar, null, "2"));
		this.source.answer("7", Thing.of("foo", "1"), Thing.of("bar", "3"));
		assertThat(verify().missing()).as("another version than the one that was skipped").isEqualTo(1);
	}

	@Test
	void anObjectThatCannotBeReadIsSkippedEvenIfItIsNotStored() throws Exception {
		// not stored, like objects beyond the bound, because its name is too long
		ResourceKey bar = new ResourceKey("default", "b".repeat(300));
		SkippedObject skipped = new SkippedObject(bar, "2", "scripted");
		this.source.answerSkipping("7", skipped, Thing.of("foo", "1"));
		create(Ordering.ARRIVAL, 100).start();
		this.source.nextWatch();
		ResourceKey foo = new ResourceKey("default", "foo");
		List<ObjectVersion> versions = List.of(new ObjectVersion(foo, "1"), new ObjectVersion(bar, "2"));
		this.source.versions = Mono.just(new ListPage<>(versions, "7", "", List.of()));
		this.source.answerSkipping("7", skipped, Thing.of("foo", "1"));
		Scope scope = verify();
		assertThat(scope.result()).isEqualTo(Result.EQUAL);
		assertThat(scope.skipped()).isEqualTo(1);
		this.source.answerSkipping("7", skipped, Thing.of("foo", "3"));
		assertThat(verify().different()).isEqualTo(1);
	}

	@Test
	void waitsForTheChangesThatTheMirrorDoesNotShowYet() throws Exception {
		ScriptedSource.Stream watch;
		this.source.answer("1", Thing.of("foo", "1"));
		create(Ordering.ARRIVAL, 1).start();
		watch = this.source.nextWatch();
		// the handler holds one change, its queue one, the writer one, the queue behind
		// it one
		for (int i = 2; i <= 5; i++) {
			watch.modified(Thing.of("default", "foo", Integer.toString(i), "block"));
		}
		await().until(() -> this.informer.lastSyncResourceVersion().equals("5"));
		assertThat(this.informer.lister().get("default", "foo").version()).isNotEqualTo("5");
		this.source.answer("5", Thing.of("foo", "5"));
		CompletionStage<ConsistencyReport> report = this.informer.verify();
		this.handlers.countDown();
		assertThat(report(report).scopes().get(0))
			.isEqualTo(new Scope(null, Result.EQUAL, "5", 1, 0, 0, 0, 0, List.of(), ""));
	}

	@ParameterizedTest
	@EnumSource(Ordering.class)
	void eachNamespaceIsComparedAtItsOwnVersion(Ordering ordering) throws Exception {
		this.source.answerInNamespace("1", "x").answerInNamespace("1", "x");
		create(ordering, 100, "a", "b").start();
		List<ScriptedSource.Stream> watches = new ArrayList<>(
				List.of(this.source.nextWatch(), this.source.nextWatch()));
		ScriptedSource.Stream b = watches.stream()
			.filter((watch) -> "b".equals(watch.options.namespace()))
			.findFirst()
			.orElseThrow();
		b.added(Thing.of("b", "y", "9", ""));
		await().until(() -> this.informer.lister().size() == 3);
		this.source.answer("1", Thing.of("a", "x", "1", ""))
			.answer("9", Thing.of("b", "x", "1", ""), Thing.of("b", "y", "9", ""));
		assertThat(report(this.informer.verify()).scopes()).containsExactly(
				new Scope("a", Result.EQUAL, "1", 1, 0, 0, 0, 0, List.of(), ""),
				new Scope("b", Result.EQUAL, "9", 2, 0, 0, 0, 0, List.of(), ""));
		assertThat(this.source.lists).endsWith(
				new ListOptions("a", "1", 500, "", ListOptions.ResourceVersionMatch.EXACT),
				new ListOptions("b", "9", 500, "", ListOptions.ResourceVersionMatch.EXACT));
	}

	@Test
	void oneDifferentScopeMakesTheReportDifferent() {
		Scope equal = new Scope("a", Result.EQUAL, "1", 1, 0, 0, 0, 0, List.of(), "");
		Scope unknown = Scope.notComparable("b", "", "scripted");
		Scope different = new Scope("c", Result.DIFFERENT, "1", 1, 1, 0, 0, 0, List.of(), "");
		create(Ordering.ARRIVAL, 1);
		assertThat(new ConsistencyReport("r", this.time.now(), List.of(equal, unknown)).result())
			.isEqualTo(Result.NOT_COMPARABLE);
		assertThat(new ConsistencyReport("r", this.time.now(), List.of(equal, unknown, different)).result())
			.isEqualTo(Result.DIFFERENT);
	}

	@Test
	void retriesAtTheNewestVersionWhenTheVersionHasExpired() throws Exception {
		ScriptedSource.Stream watch = startWith("7", Thing.of("foo", "1"));
		this.source.failList(ScriptedSource.status(410, "Expired")).answer("8", Thing.of("foo", "1"));
		watch.bookmark("8");
		await().until(() -> this.informer.lastSyncResourceVersion().equals("8"));
		assertThat(verify().result()).isEqualTo(Result.EQUAL);
	}

	@Test
	void givesUpWhenEveryVersionHasExpired() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		for (int i = 0; i < 3; i++) {
			this.source.failList(ScriptedSource.status(410, "Expired"));
		}
		Scope scope = verify();
		assertThat(scope.result()).isEqualTo(Result.NOT_COMPARABLE);
		assertThat(scope.message()).contains("410");
		assertThat(this.source.lists).hasSize(4);
		assertThat(this.informer.lister().size()).isEqualTo(1);
	}

	@Test
	void anyOtherFailureIsNotRepeated() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		this.source.failList(ScriptedSource.status(403, "Forbidden"));
		assertThat(verify().message()).contains("403");
		assertThat(this.source.lists).hasSize(2);
		this.source.answerNothing();
		assertThat(verify().message()).contains("answered a list with nothing");
	}

	@Test
	void aSourceThatListsAtAnotherVersionIsDetected() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		this.source.answer("9", Thing.of("foo", "8"));
		Scope scope = verify();
		assertThat(scope.result()).isEqualTo(Result.NOT_COMPARABLE);
		assertThat(scope.message()).contains("asked for version 7").contains("'9'");
	}

	@Test
	void aSecondRequestJoinsTheRunningVerification() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		CompletionStage<ConsistencyReport> first = this.informer.verify();
		await().until(() -> this.source.lists.size() == 2);
		CompletionStage<ConsistencyReport> second = this.informer.verify();
		this.informer.stop();
		assertThat(report(first).scopes().get(0).message()).isEqualTo("the reflector has been stopped");
		assertThat(report(second)).isSameAs(report(first));
		assertThat(this.source.lists).hasSize(2);
	}

	@Test
	void endsBeforeTheReflectorHasStopped() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		CompletableFuture<ConsistencyReport> report = this.informer.verify().toCompletableFuture();
		await().until(() -> this.source.lists.size() == 2);
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("reflector-things-verify");
		assertThat(report(report).scopes().get(0).message()).isEqualTo("the reflector has been stopped");
	}

	@Test
	void aCallbackOfTheReportMayWaitForTheStopOfTheReflector() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		this.source.answer("7", Thing.of("foo", "1"));
		CompletionStage<Void> stopped = this.informer.verify()
			.thenAccept((report) -> this.informer.stop().toCompletableFuture().join());
		stopped.toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.informer.status().state()).isEqualTo(ReflectorState.STOPPED);
	}

	@Test
	void endsWithATimeoutWhenTheServerDoesNotAnswer() throws Exception {
		startWith("7", Thing.of("foo", "1"));
		CompletionStage<ConsistencyReport> report = this.informer.verify();
		await().until(() -> this.source.lists.size() == 2);
		CompletableFuture<ConsistencyReport> ended = report.toCompletableFuture();
		// repeated, because the verifier first looks at the clock after it has sent the
		// request
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(61));
			return ended.isDone();
		});
		assertThat(report(report).scopes().get(0).message()).isEqualTo("there was no answer within 60 s");
	}

	@Test
	void aStoppedReflectorAndARejectedTaskAreReported() throws Exception {
		create(Ordering.ARRIVAL, 100);
		assertThat(verify().message()).isEqualTo("the reflector does not run");
		assertThat(this.observed).hasSize(1);
		this.source.answer("7");
		this.informer.start();
		this.source.nextWatch();
		this.noThreads = true;
		assertThat(verify().message()).contains("RejectedExecutionException");
		assertThat(this.observed).hasSize(2);
		this.noThreads = false;
		this.source.answer("7");
		assertThat(verify().result()).isEqualTo(Result.EQUAL);
	}

}
