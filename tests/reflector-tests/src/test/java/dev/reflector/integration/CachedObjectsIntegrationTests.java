package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.Backup;
import dev.reflector.test.Fault;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a repeated full state: objects that the mirror has in the same version are not
 * read again.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CachedObjectsIntegrationTests extends WidgetScenario {

	private final Noting made = new Noting();

	private MirrorApplication application(String initialList, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("reflector.api-server.url=" + this.server.url(),
				"reflector.watch.initial-list=" + initialList, "reflector.list.page-size=2"));
		return MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(Noting.class, () -> this.made),
				all.toArray(String[]::new));
	}

	/**
	 * Pauses the reflector, and waits until it has. A watch that is just being opened
	 * would read objects that are written after the pause.
	 */
	private void pause(MirrorApplication application) {
		application.reflector.pause();
		await().until(() -> application.reflector.state() == ReflectorState.PAUSED && this.server.activeWatches() == 0);
	}

	static Stream<String> initialLists() {
		return LongForm.some(Stream.of("auto", "list"));
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void onlyChangedObjectsAreReadAgain(String initialList) {
		create("c");
		try (MirrorApplication application = application(initialList)) {
			application.awaitEqualTo(this.widgets);
			assertThat(this.made.objects).containsExactly("a@2", "b@3", "c@4");
			Widget a = application.widgets.get("default", "a");
			pause(application);
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
			this.widgets.delete("default", "c");
			create("c");
			this.server.compact();
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			assertThat(application.widgets.get("default", "a")).isSameAs(a);
			assertThat(application.widgets.get("default", "b").spec().size()).isEqualTo(5);
			assertThat(this.made.objects).containsExactly("a@2", "b@3", "c@4", "b@5", "c@7");
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	/** client-go takes all listed objects, also those in a known version. */
	@Test
	void inClientGoModeAllObjectsAreReadAgain() {
		try (MirrorApplication application = application("list", "reflector.compatibility=client-go")) {
			application.awaitEqualTo(this.widgets);
			application.reflector.relist();
			await().untilAsserted(() -> assertThat(this.made.objects).containsExactly("a@2", "b@3", "a@2", "b@3"));
		}
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void afterAServerHasGoneBackAllObjectsAreReadAgain(String initialList) {
		Backup backup = this.server.backup();
		try (MirrorApplication application = application(initialList)) {
			application.awaitEqualTo(this.widgets);
			// E-14: content that has changed, but not its version
			application.heard.resyncs = true;
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 5)));
			create("c");
			application.awaitEqualTo(this.widgets);
			pause(application);
			this.server.restore(backup);
			// version 4 once more, with other content
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 9)));
			application.reflector.resume();
			application.reflector.relist();
			await().untilAsserted(() -> assertThat(application.widgets.get("default", "a").spec().size()).isEqualTo(9));
			application.awaitEqualTo(this.widgets);
			create("d");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	/** Otherwise each object would be compared with itself. */
	@Test
	void aRelistThatIsAskedForDuringAListReadsAllObjectsAgain() {
		create("c");
		try (MirrorApplication application = application("list")) {
			application.awaitEqualTo(this.widgets);
			pause(application);
			this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 5)));
			this.server.compact();
			// not the question for the version, which may come before the list
			this.server.fail(WidgetScenario::isListOfObjects, 1, Fault.slow(Duration.ofMillis(500)));
			int before = lists().size();
			application.reflector.resume();
			await().until(() -> lists().size() > before);
			application.reflector.relist();
			await().untilAsserted(
					() -> assertThat(this.made.objects).filteredOn("a@2"::equals).as("read again").hasSize(2));
			application.awaitEqualTo(this.widgets);
		}
	}

	/**
	 * The mirror holds the objects of the outer source, which must not be the input of
	 * that source.
	 */
	@ParameterizedTest
	@MethodSource("initialLists")
	void aSourceAroundAnotherGetsTheObjectsOfTheServer(String initialList) {
		try (MirrorApplication application = MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(Coloured.class,
						() -> new Coloured(client())),
				"reflector.api-server.url=" + this.server.url(), "reflector.watch.initial-list=" + initialList,
				"reflector.backoff.initial=20ms")) {
			application.awaitEqualTo(this.widgets);
			for (int size = 2; size < 5; size++) {
				pause(application);
				this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", size)));
				this.server.compact();
				application.reflector.resume();
				application.awaitEqualTo(this.widgets);
			}
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(application.widgets.get("default", "a").spec()).isEqualTo(new Widget.Spec(1, "made of null"));
		}
	}

	private ListerWatcher<Widget> client() {
		return ApiServerClient.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
			.build()
			.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
					ResourceType.of("example.com/v1", "Widget", "widgets"), "", "");
	}

	/** Keeps only objects without a color, and gives them one. */
	private record Coloured(ListerWatcher<Widget> source) implements ListerWatcher<Widget> {

		@Override
		public Mono<ListPage<Widget>> list(ListOptions options) {
			return this.source.list(options)
				.map((page) -> new ListPage<>(page.items()
					.stream()
					.filter((widget) -> widget.spec().colour() == null)
					.map(this::make)
					.toList(), page.resourceVersion(), page.continueToken(), page.skipped()));
		}

		@Override
		public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
			return this.source.watch(options).mapNotNull(this::make);
		}

		private @Nullable WatchEvent<Widget> make(WatchEvent<Widget> event) {
			if (event instanceof WatchEvent.Added<Widget> added) {
				return (added.object().spec().colour() == null) ? new WatchEvent.Added<>(make(added.object())) : null;
			}
			return (event instanceof WatchEvent.Modified<Widget> modified)
					? new WatchEvent.Modified<>(make(modified.object())) : event;
		}

		private Widget make(Widget widget) {
			return new Widget(widget.metadata(),
					new Widget.Spec(widget.spec().size(), "made of " + widget.spec().colour()));
		}

	}

	/** Records the objects that are read, and does not change them. */
	private static final class Noting implements TransformFunction<Widget> {

		private final List<String> objects = new CopyOnWriteArrayList<>();

		@Override
		public Widget transform(Widget widget) {
			this.objects.add(widget.toString());
			return widget;
		}

	}

}
