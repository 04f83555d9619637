package dev.reflector.integration;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ConsistencyReport;
import dev.reflector.ConsistencyReport.Difference;
import dev.reflector.ConsistencyReport.Difference.Kind;
import dev.reflector.ConsistencyReport.Result;
import dev.reflector.ConsistencyReport.Scope;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests the comparison of mirrors with the embedded server. Some mirrors are wrong on
 * purpose.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerificationIntegrationTests {

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String namespace, String name) {
		this.widgets
			.create(Map.of("metadata", Map.of("name", name, "namespace", namespace), "spec", Map.of("size", 1)));
	}

	private static ConsistencyReport verify(Reflector<?> reflector) throws Exception {
		return reflector.verify().toCompletableFuture().get(60, TimeUnit.SECONDS);
	}

	static Stream<Arguments> settings() {
		return LongForm.some(Stream.of(arguments("arrival", ""), arguments("per-key", ""),
				arguments("arrival", "n1,n2"), arguments("per-key", "n1,n2")));
	}

	@ParameterizedTest
	@MethodSource("settings")
	void aCorrectMirrorIsReportedAsEqual(String ordering, String namespaces) throws Exception {
		IntStream.range(0, 25).forEach((i) -> create("n" + (i % 2 + 1), "w" + i));
		try (MirrorApplication application = MirrorApplication.on(this.server, "reflector.queue.ordering=" + ordering,
				"reflector.list.page-size=4", "reflector.resources.widgets.namespaces=" + namespaces)) {
			application.awaitEqualTo(this.widgets);
			this.widgets.delete("n1", "w0");
			this.widgets.mergePatch("n2", "w1", Map.of("spec", Map.of("size", 2)));
			create("n2", "new");
			assertThat(verify(application.reflector).result()).as("while changes arrive").isEqualTo(Result.EQUAL);
			application.awaitEqualTo(this.widgets);
			this.server.clearRequests();
			ConsistencyReport report = verify(application.reflector);
			assertThat(report.result()).isEqualTo(Result.EQUAL);
			assertThat(report.scopes().stream().mapToLong(Scope::compared).sum()).isEqualTo(25);
			assertThat(report.scopes()).hasSize(namespaces.isEmpty() ? 1 : 2);
			assertThat(this.server.requests(RecordedRequest::isList)).hasSizeGreaterThan(6);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lostEventsAreFoundAndAListRepairsTheMirror(boolean versionsOnly) throws Exception {
		create("default", "a");
		create("default", "b");
		create("default", "c");
		try (Mirror mirror = new Mirror(this.server, (event) -> event instanceof WatchEvent.Deleted
				|| (event instanceof WatchEvent.Modified<Widget> modified && modified.object().name().equals("a")),
				versionsOnly)) {
			await().until(() -> mirror.informer.lister().size() == 3);
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 2)));
			this.widgets.delete("default", "b");
			create("default", "d");
			await().until(() -> mirror.informer.lister().size() == 4);
			ConsistencyReport report = verify(mirror.informer);
			assertThat(report.result()).isEqualTo(Result.DIFFERENT);
			Scope scope = report.scopes().get(0);
			assertThat(scope.resourceVersion()).isEqualTo(this.widgets.resourceVersion());
			assertThat(scope.compared()).isEqualTo(3);
			assertThat(scope.differences()).extracting(Difference::kind, (difference) -> difference.key().name())
				.containsExactlyInAnyOrder(tuple(Kind.VERSION, "a"), tuple(Kind.SURPLUS, "b"));
			assertThat(mirror.informer.lister().size()).isEqualTo(4);
			mirror.informer.relist();
			await().until(() -> mirror.informer.lister().size() == 3);
			assertThat(verify(mirror.informer).result()).isEqualTo(Result.EQUAL);
		}
	}

	@Test
	void versionThatTheServerHasForgottenCannotBeCompared() throws Exception {
		create("default", "a");
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			application.reflector.pause();
			await().until(() -> application.reflector.state() == ReflectorState.PAUSED);
			create("default", "b");
			this.server.compact();
			Scope scope = verify(application.reflector).scopes().get(0);
			assertThat(scope.result()).isEqualTo(Result.NOT_COMPARABLE);
			assertThat(scope.message()).contains("410");
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			assertThat(verify(application.reflector).result()).isEqualTo(Result.EQUAL);
		}
	}

	@Test
	void objectThatCannotBeReadIsNoDifference() throws Exception {
		create("default", "a");
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", "not a number")));
			await().until(() -> application.reflector.status().counts().errors() == 1);
			Scope scope = verify(application.reflector).scopes().get(0);
			assertThat(scope.result()).isEqualTo(Result.EQUAL);
			assertThat(scope.skipped()).isEqualTo(1);
			assertThat(scope.differences()).extracting(Difference::kind).containsExactly(Kind.SKIPPED);
		}
	}

	@Test
	void aFailureOfTheServerIsReportedAndChangesNothing() throws Exception {
		create("default", "a");
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			this.server.fail(RecordedRequest::isList, 1, Fault.status(403));
			assertThat(verify(application.reflector).scopes().get(0).message()).contains("403");
			assertThat(application.reflector.state()).isEqualTo(ReflectorState.WATCHING);
			assertThat(verify(application.reflector).result()).isEqualTo(Result.EQUAL);
		}
	}

	/** A reflector whose source loses events. */
	private static final class Mirror implements AutoCloseable {

		private final SharedInformer<Widget> informer;

		Mirror(EmbeddedApiServer server, Predicate<WatchEvent<Widget>> lost, boolean versionsOnly) {
			ResourceType type = ResourceType.of("example.com/v1", "Widget", "widgets");
			MetadataAccessor<Widget> accessor = MetadataAccessor.forType(Widget.class);
			ListerWatcher<Widget> http = ApiServerClient
				.builder(new ApiServer(server.url(), null, TokenSource.none(), "test"))
				.decodeScheduler(Schedulers.immediate())
				.build()
				.listerWatcher(Widget.class, accessor, type, "", "");
			this.informer = SharedInformer.builder("lossy", new Lossy(http, lost, versionsOnly), accessor)
				.resourceType(type)
				.time(new SystemTimeSource())
				.random(new Random(1))
				.threads(Mirror::execute)
				.build();
			this.informer.start();
		}

		private static void execute(Runnable task) {
			Thread thread = new Thread(task, "lossy");
			thread.setDaemon(true);
			thread.start();
		}

		@Override
		public void close() {
			this.informer.stop().toCompletableFuture().join();
		}

	}

	/** A source that loses events. */
	private record Lossy(ListerWatcher<Widget> http, Predicate<WatchEvent<Widget>> lost,
			boolean versionsOnly) implements ListerWatcher<Widget> {

		@Override
		public Mono<ListPage<Widget>> list(ListOptions options) {
			return this.http.list(options);
		}

		@Override
		public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
			return this.versionsOnly ? this.http.listVersions(options) : ListerWatcher.super.listVersions(options);
		}

		@Override
		public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
			return this.http.watch(options).filter((event) -> !this.lost.test(event));
		}

	}

}
