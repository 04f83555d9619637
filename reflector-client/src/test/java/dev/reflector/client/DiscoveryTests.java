package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.fixture.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the discovery of types by {@link WebClientListerWatcher}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiscoveryTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String GROUP_VERSION = "/apis/example.com/v1";

	private static final String WIDGETZ = GROUP_VERSION + "/widgetz";

	private static final String ITEMS = "{\"items\":[]}";

	private static final String VERSION = "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.0\"}";

	private static final String RESOURCES = """
			{"kind":"APIResourceList","groupVersion":"example.com/v1","resources":[
			{"name":"gadgets","kind":"Gadget"},{"name":"widgets/status","kind":"Widget"},
			{"name":"widgetreviews","kind":"Widget","verbs":["create"]},
			{"name":"widgetz","singularName":"","namespaced":true,"kind":"Widget","verbs":["list","watch"]},
			{"name":"widgetz/scale","kind":"Scale"}]}""";

	private static final String AGGREGATED = """
			{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/%s","metadata":{},"items":[
			{"versions":[{"version":"v1","freshness":"%s","resources":[
			{"resource":"widgetz","responseKind":{"group":"example.com","version":"v1","kind":"Widget"},
			"scope":"Namespaced","singularResource":"widget","verbs":["list","watch"],"subresources":[
			{"subresource":"status","responseKind":{"kind":"Widget"},"verbs":["get"]}]},
			{"resource":"hubs","responseKind":{"kind":"Hub"},"scope":"Cluster","verbs":["list"]}]}],
			"metadata":{"name":"example.com","creationTimestamp":null}}]}""";

	/** The successful responses by path; other paths are answered with 404. */
	private final Map<String, String> answers = new ConcurrentHashMap<>(
			Map.of(GROUP_VERSION, RESOURCES, WIDGETZ, ITEMS, "/version", VERSION));

	private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

	private final CountDownLatch overview = new CountDownLatch(1);

	private final ManualTime time = new ManualTime();

	private RawServer server;

	private ApiServerClient client;

	private ListerWatcher<Widget> widgets;

	@BeforeEach
	void start() throws IOException {
		this.overview.countDown();
		start(this.overview);
	}

	private void start(CountDownLatch overview) throws IOException {
		this.server = new RawServer((request, connection) -> {
			String path = request.target().replaceAll("\\?.*", "");
			if (path.equals("/apis")) {
				overview.await();
			}
			String answer = this.answers.get(path);
			int status = this.refusals.getOrDefault(path, (answer != null) ? 200 : 404);
			connection.head(status, "Connection: close",
					"Content-Type: " + ((status == 200) ? "application/json;as=anything" : "text/plain"));
			connection.write((status == 200) ? answer : "404 page not found\n");
		});
		this.client = Clients.builder(this.server.uri()).timeSource(this.time).build();
		this.widgets = widgets("example.com/v1", null);
	}

	private ListerWatcher<Widget> widgets(String apiVersion, @Nullable String plural) {
		return of(apiVersion, "Widget", plural);
	}

	private ListerWatcher<Widget> of(String apiVersion, String kind, @Nullable String plural) {
		return this.client.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
				ResourceType.of(apiVersion, kind, plural), "", "");
	}

	@AfterEach
	void stop() throws IOException {
		this.server.close();
	}

	private List<String> targets() {
		return this.server.requests().stream().map(RawServer.Request::target).toList();
	}

	private long asked(String path) {
		return targets().stream().filter(path::equals).count();
	}

	private Throwable failure(ListerWatcher<Widget> source) {
		return failure(source, null);
	}

	private Throwable failure(ListerWatcher<Widget> source, @Nullable String namespace) {
		return catchThrowable(() -> source.list(new ListOptions(namespace, "", 0, "")).block(LIMIT));
	}

	private static void list(ListerWatcher<Widget> source) {
		source.list(Clients.list()).block(LIMIT);
	}

	/** Waits until the next request is scheduled, and lets the time pass. */
	private Duration passDelay() {
		await().until(() -> !this.time.waiting().isEmpty());
		assertThat(this.time.waiting()).hasSize(1);
		Duration delay = this.time.waiting().get(0);
		this.time.advance(delay);
		return delay;
	}

	private static Mono<Void> awaited(ListerWatcher<Widget> source) {
		Mono<Void> served = source.awaitType().cache();
		served.subscribe();
		return served;
	}

	@Test
	void asksOnceForThePlural() {
		assertThat(this.widgets.plural()).isNull();
		list(this.widgets);
		assertThat(this.widgets.plural()).isEqualTo("widgetz");
		list(this.widgets);
		StepVerifier.create(this.widgets.watch(Clients.watch()).filter(Clients::isFrame))
			.thenConsumeWhile((event) -> true)
			.expectComplete()
			.verify(LIMIT);
		assertThat(targets()).startsWith("/apis", GROUP_VERSION, WIDGETZ, WIDGETZ).hasSize(5);
	}

	/** All callers share a request, so one without an end must not delay later ones. */
	@Test
	void givesUpARequestThatNeverEnds() {
		AtomicInteger tokens = new AtomicInteger();
		ApiServer silent = new ApiServer(this.server.uri(), null, Clients.tokenWithoutEndAtFirst(tokens), "test");
		this.client = Clients.client(silent, Clients.timeouts(Duration.ofMillis(100), Duration.ofMillis(100)));
		ListerWatcher<Widget> source = widgets("example.com/v1", null);
		assertThat(failure(source)).rootCause()
			.isInstanceOf(TimeoutException.class)
			.hasMessageContaining("API discovery has not ended within 400 ms");
		source.list(Clients.list()).onErrorComplete().subscribe();
		await().until(() -> tokens.get() > 1);
	}

	@Test
	void asksTheCoreGroup() {
		this.answers.putAll(Map.of("/api/v1", RESOURCES, "/api/v1/widgetz", ITEMS));
		list(widgets("v1", null));
		assertThat(targets()).containsExactly("/api", "/api/v1", "/api/v1/widgetz");
	}

	@ParameterizedTest
	@ValueSource(strings = { "v2", "v2beta1" })
	void takesEverythingAtOnceWhereTheServerOffersIt(String version) {
		this.answers.put("/apis", AGGREGATED.formatted(version, "Current"));
		this.answers.put(GROUP_VERSION + "/hubs", ITEMS);
		list(this.widgets);
		list(of("example.com/v1", "Hub", null));
		assertThat(targets()).containsExactly("/apis", WIDGETZ, GROUP_VERSION + "/hubs");
		assertThat(this.server.requests().get(0).headers().get("accept"))
			.isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
					+ "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");
	}

	@Test
	void doesNotRelyOnStaleGroups() {
		this.answers.put("/apis", AGGREGATED.formatted("v2", "Stale"));
		list(this.widgets);
		assertThat(targets()).containsExactly("/apis", GROUP_VERSION, WIDGETZ);
	}

	@Test
	void asksForOneApiVersionWhenThereAreOnlyListsOfGroups() {
		this.answers.put("/apis", "{\"kind\":\"APIGroupList\",\"groups\":[]}");
		list(this.widgets);
		failure(of("other.example.com/v1", "Thing", null));
		assertThat(targets()).containsExactly("/apis", GROUP_VERSION, WIDGETZ, "/apis/other.example.com/v1",
				"/apis/other.example.com");
	}

	@Test
	void doesNotAskWhenThePluralIsDeclared() {
		list(widgets("example.com/v1", "widgetz"));
		assertThat(targets()).containsExactly(WIDGETZ);
	}

	@Test
	void concurrentRequestsShareOneDiscovery() throws IOException {
		this.server.close();
		CountDownLatch overview = new CountDownLatch(1);
		start(overview);
		List<Mono<?>> lists = IntStream.range(0, 20)
			.<Mono<?>>mapToObj((number) -> widgets("example.com/v1", null).list(Clients.list()))
			.toList();
		Mono<Long> all = Flux.merge(lists).count().cache();
		all.subscribe();
		await().until(() -> asked("/apis") == 1);
		overview.countDown();
		assertThat(all.block(LIMIT)).isEqualTo(20);
		assertThat(asked("/apis")).isOne();
		assertThat(asked(GROUP_VERSION)).isOne();
		assertThat(asked(WIDGETZ)).isEqualTo(20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{\"resources\":[]}",
			"{\"resources\":[{\"name\":\"widgets/status\",\"kind\":\"Widget\"},{\"kind\":\"Widget\"},"
					+ "{\"name\":\"..\",\"kind\":\"Widget\"},{\"name\":7,\"kind\":{\"a\":[1]}},5]}" })
	void saysThatTheTypeIsNotServedAndWaitsForIt(String resources) {
		this.answers.remove(GROUP_VERSION);
		if (!resources.isEmpty()) {
			this.answers.put(GROUP_VERSION, resources);
		}
		assertThat(failure(this.widgets)).isInstanceOfSatisfying(TypeNotServedException.class, (failure) -> {
			assertThat(failure.status().code()).isEqualTo(404);
			assertThat(failure).hasMessageContaining("example.com/v1 Widget")
				.hasMessageContaining("CRD may not be installed");
		});
		assertThat(this.widgets.plural()).isNull();
		this.answers.put(GROUP_VERSION, RESOURCES);
		Mono<Void> served = awaited(this.widgets);
		passDelay();
		served.block(LIMIT);
		list(this.widgets);
		assertThat(this.widgets.plural()).isEqualTo("widgetz");
	}

	@ParameterizedTest
	@ValueSource(strings = { "run.sh", "Widgets", "widgets-",
			"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww" })
	void aPluralThatIsNoDnsLabelIsRefused(String plural) {
		this.answers.put(GROUP_VERSION, "{\"resources\":[{\"name\":\"" + plural + "\",\"kind\":\"Widget\"}]}");
		assertThat(failure(this.widgets)).isInstanceOf(TypeNotServedException.class)
			.hasMessageContainingAll("'" + plural + "'", "not a DNS label", "declare it as 'plural'");
		assertThat(this.widgets.plural()).isNull();
	}

	@Test
	void allWaitingSubscribersShareOneRequest() {
		this.answers.remove(GROUP_VERSION);
		list(widgets("example.com/v1", "widgetz"));
		Mono<Long> all = Flux
			.merge(IntStream.range(0, 20).mapToObj((number) -> widgets("example.com/v1", null).awaitType()).toList())
			.then(Mono.just(1L))
			.cache();
		all.subscribe();
		for (int looks = 1; looks <= 3; looks++) {
			passDelay();
			int asked = looks;
			await().until(() -> asked(GROUP_VERSION) == asked);
		}
		// the last request has been answered when the next one is scheduled
		await().until(() -> !this.time.waiting().isEmpty());
		this.answers.put(GROUP_VERSION, RESOURCES);
		passDelay();
		all.block(LIMIT);
		assertThat(asked(GROUP_VERSION)).isEqualTo(4);
		assertThat(this.time.waiting()).isEmpty();
	}

	@Test
	void pollsSoonAtFirstThenEveryFewSecondsAndOnlyWithSubscribers() {
		this.answers.remove(GROUP_VERSION);
		Disposable waiting = this.widgets.awaitType().subscribe();
		for (long millis : new long[] { 500, 1000, 2000, 4000, 5000, 5000 }) {
			assertThat(passDelay()).isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis * 5 / 4));
		}
		await().until(() -> asked(GROUP_VERSION) == 6 && !this.time.waiting().isEmpty());
		waiting.dispose();
		passDelay();
		assertThat(this.time.waiting()).isEmpty();
		assertThat(asked(GROUP_VERSION)).isEqualTo(6);
		// the delays start again with the next subscriber
		this.widgets.awaitType().subscribe();
		assertThat(passDelay()).isLessThan(Duration.ofSeconds(1));
		await().until(() -> asked(GROUP_VERSION) == 7);
	}

	@Test
	void manyApiVersionsAreLookedForTogether() {
		this.answers.put("/apis", AGGREGATED.formatted("v2", "Current"));
		list(this.widgets);
		List<ListerWatcher<Widget>> awaited = IntStream.range(0, 20)
			.mapToObj((number) -> of("group" + number + ".example.com/v1", "Thing", null))
			.toList();
		Mono<Void> all = Flux.merge(awaited.stream().map(ListerWatcher::awaitType).toList()).then().cache();
		all.subscribe();
		for (int looks = 1; looks <= 2; looks++) {
			passDelay();
			int asked = looks + 1;
			await().until(() -> asked("/apis") == asked);
		}
		assertThat(targets()).containsExactly("/apis", WIDGETZ, "/apis", "/apis");
	}

	@Test
	void aRemovedTypeIsAwaitedUnderAnyPlural() {
		list(this.widgets);
		this.answers.remove(GROUP_VERSION);
		this.answers.remove(WIDGETZ);
		assertThat(failure(this.widgets)).isInstanceOf(TypeNotServedException.class);
		assertThat(this.widgets.plural()).isNull();
		this.answers.put(GROUP_VERSION, RESOURCES.replace("widgetz", "widgetses"));
		this.answers.put(GROUP_VERSION + "/widgetses", ITEMS);
		Mono<Void> served = awaited(this.widgets);
		passDelay();
		served.block(LIMIT);
		list(this.widgets);
		assertThat(this.widgets.plural()).isEqualTo("widgetses");
	}

	@Test
	void aWrongDeclaredPluralIsDistinguishedFromAMissingType() {
		ListerWatcher<Widget> misspelt = widgets("example.com/v1", "widgets");
		assertThat(failure(misspelt)).isInstanceOf(TypeNotServedException.class)
			.hasMessageContaining("as 'widgets'")
			.hasMessageContaining("'widgetz'");
		assertThat(targets()).containsExactly(GROUP_VERSION + "/widgets", GROUP_VERSION);
		ListerWatcher<Widget> absent = of("other.example.com/v1", "Thing", "things");
		assertThat(failure(absent)).isInstanceOf(TypeNotServedException.class)
			.hasMessageContaining("no such API group and version");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "widgetz")
	void anotherVersionInWhichTheTypeIsServedIsNamed(@Nullable String plural) {
		this.answers.put("/apis/example.com", """
				{"kind":"APIGroup","name":"example.com","versions":[
				{"groupVersion":"example.com/v2","version":"v2"},{"groupVersion":"example.com/v1","version":"v1"},
				{"groupVersion":"example.com/v1beta1","version":"v1beta1"},{"version":"../x"},{"version":{}},7],
				"preferredVersion":{"groupVersion":"example.com/v2","version":"v2"}}""");
		this.answers.put("/apis/example.com/v1beta1",
				RESOURCES.replace("widgetz", "others").replace("Widget", "Other"));
		assertThat(failure(widgets("example.com/v1alpha1", plural))).isInstanceOf(TypeNotServedException.class)
			.hasMessage("the server does not serve example.com/v1alpha1 Widget: it serves this kind as example.com/v1; "
					+ "correct apiVersion, unless this version is yet to be added to its CRD");
		for (int i = 0; i < 3; i++) {
			failure(widgets("example.com/v1alpha" + i, plural));
		}
		assertThat(asked(GROUP_VERSION)).isOne();
	}

	@Test
	void theVersionOfTheCoreGroupIsNamed() {
		this.answers.put("/api/v1", RESOURCES);
		assertThat(failure(widgets("v2", null))).isInstanceOf(TypeNotServedException.class)
			.hasMessageContaining("it serves this kind as v1; ");
	}

	@Test
	void whereTheGroupDoesNotTellItsVersionsTheTypeIsJustNotServed() {
		for (int status : new int[] { 403, 503 }) {
			this.refusals.put("/apis/example.com", status);
			assertThat(failure(widgets("example.com/v1alpha1", null))).isInstanceOf(TypeNotServedException.class)
				.hasMessageContaining("no such API group and version");
		}
		this.refusals.clear();
		this.answers.put("/apis/example.com", "<html>");
		assertThat(failure(widgets("example.com/v1alpha1", null))).isInstanceOf(TypeNotServedException.class);
	}

	@Test
	void a404ForAServedTypeStaysA404() {
		this.answers.remove(WIDGETZ);
		assertThat(failure(this.widgets)).isInstanceOf(ApiException.class)
			.isNotInstanceOf(TypeNotServedException.class)
			.hasMessageContaining("GET " + WIDGETZ);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "hubs")
	void aNamespaceOfAClusterScopedTypeIsSaidToBeTheMistake(@Nullable String declared) {
		this.answers.put(GROUP_VERSION,
				"{\"resources\":[{\"name\":\"hubs\",\"kind\":\"Hub\",\"namespaced\":false,\"verbs\":[\"list\"]}]}");
		this.answers.put(GROUP_VERSION + "/hubs", ITEMS);
		ListerWatcher<Widget> hubs = of("example.com/v1", "Hub", declared);
		assertThat(failure(hubs, "shop")).isInstanceOf(ApiException.class)
			.isNotInstanceOf(TypeNotServedException.class)
			.hasMessageContaining("example.com/v1 Hub is cluster-scoped")
			.hasMessageContaining("'shop'");
		list(hubs);
	}

	@Test
	void anotherKindOfServerIsNotTakenForAnApiServerWithoutTheType() {
		this.answers.clear();
		assertThat(failure(this.widgets)).isInstanceOf(ApiException.class)
			.isNotInstanceOf(TypeNotServedException.class)
			.hasMessageContaining(this.server.uri().toString())
			.hasMessageContaining("reflector.api-server.url");
		this.answers.put("/version", "<html>");
		assertThat(failure(widgets("example.com/v1", "widgetz"))).isNotInstanceOf(TypeNotServedException.class);
		this.answers.put("/version", VERSION);
		assertThat(failure(this.widgets)).isInstanceOf(TypeNotServedException.class);
	}

	@ParameterizedTest
	@CsvSource({ "WidgetDto,Widget", "widget,Widget", "Widgetz,Widget", "Wid,Widget", "Wdget,Widget", "Thing," })
	void theKindThatMayBeMeantIsNamed(String kind, @Nullable String meant) {
		assertThat(failure(of("example.com/v1", kind, null))).isInstanceOf(TypeNotServedException.class)
			.hasMessage("the server does not serve example.com/v1 " + kind + ": it has no such kind; "
					+ ((meant != null) ? "did you mean 'Widget'? Else " : "")
					+ "its CRD may not be installed, or apiVersion or kind are misspelt (the kinds there are "
					+ "Gadget, Widget)");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"',
			value = { "exmple.com/v1,'example.com/v1'", "example/v1,'example.com/v1'", "other.io/v1,",
					"exmple.com/v3,'example.com/v1' or 'example.com/v2'", "app/v1,'apps/v1'", "apps,'apps/v1'", "v2,",
					"example.com/v3,'example.com/v1' or 'example.com/v2'" })
	void theApiVersionThatMayBeMeantIsNamed(String apiVersion, @Nullable String meant) {
		this.answers.put("/apis",
				"""
						{"kind":"APIGroupList","apiVersion":"v1","groups":[
						{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"x/v1"}},
						{"name":"example.com","versions":[{"groupVersion":"example.com/v2"},{"groupVersion":"example.com/v1"},
						{"groupVersion":"../x"},{"groupVersion":{}},7]},5]}""");
		for (String plural : new String[] { null, "nonsenses" }) {
			assertThat(failure(of(apiVersion, "Nonsense", plural))).isInstanceOf(TypeNotServedException.class)
				.hasMessage(
						"the server does not serve " + apiVersion + " Nonsense: it has no such API group and version; "
								+ ((meant != null) ? "did you mean " + meant + "? Else " : "")
								+ "its CRD may not be installed, or apiVersion or kind are misspelt");
		}
		assertThat(asked("/apis")).isOne();
	}

	@Test
	void theApiVersionThatMayBeMeantIsNamedWhereAllTypesAreKnown() {
		this.answers.put("/apis", AGGREGATED.formatted("v2", "Current"));
		assertThat(failure(of("exmple.com/v1", "Widget", null)))
			.hasMessageContaining("did you mean 'example.com/v1'? Else ");
	}

	@Test
	void saysNothingOfPluralsWhereNothingIsAllowed(CapturedOutput output) {
		this.refusals.putAll(Map.of("/apis", 401, GROUP_VERSION, 401, GROUP_VERSION + "/widgets", 401));
		assertThat(failure(this.widgets)).hasMessageContaining("GET " + GROUP_VERSION + "/widgets")
			.hasMessageContaining("(no credentials were sent: set 'reflector.api-server.token'");
		assertThat(output).doesNotContain("plurals that are not declared");
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void guessesThePluralWhereDiscoveryIsNotAllowed(int status, CapturedOutput output) {
		this.refusals.putAll(Map.of("/apis", status, GROUP_VERSION, status));
		this.answers.put(GROUP_VERSION + "/widgets", ITEMS);
		list(this.widgets);
		list(this.widgets);
		list(widgets("example.com/v1", null));
		assertThat(this.widgets.plural()).isEqualTo("widgets");
		assertThat(asked("/apis")).isOne();
		if (status == 403) {
			assertThat(output).containsOnlyOnce("plurals that are not declared are guessed")
				.contains("'widgets' for example.com/v1 Widget");
		}
	}

	@Test
	void forgetsThePluralThatWasGuessedWithRejectedCredentials() {
		String guess = GROUP_VERSION + "/widgets";
		this.refusals.putAll(Map.of("/apis", 401, GROUP_VERSION, 401, guess, 401));
		assertThat(failure(this.widgets)).isInstanceOf(ApiException.class);
		long guessed = asked(guess);
		assertThat(guessed).isPositive();
		this.refusals.clear();
		list(this.widgets);
		assertThat(this.widgets.plural()).isEqualTo("widgetz");
		assertThat(asked(guess)).isEqualTo(guessed);
	}

	@Test
	void waitsWithoutDiscoveryByAskingForTheTypeNowAndThen() {
		this.refusals.putAll(Map.of("/apis", 403, GROUP_VERSION, 403));
		assertThat(failure(this.widgets)).isInstanceOf(TypeNotServedException.class).hasMessageContaining("a guess");
		Mono<Void> worthAsking = awaited(this.widgets);
		assertThat(passDelay()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(7500));
		worthAsking.block(LIMIT);
		this.answers.put(GROUP_VERSION + "/widgets", ITEMS);
		list(this.widgets);
	}

	@Test
	void failsWithTheServer() {
		this.refusals.put(GROUP_VERSION, 503);
		assertThat(failure(this.widgets)).isInstanceOfSatisfying(ApiException.class,
				(failure) -> assertThat(failure.status().code()).isEqualTo(503));
		this.refusals.clear();
		list(this.widgets);
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html>", "{}", "[]", "null", "{\"resources\":5}", "{\"resources\":[" })
	void failsWhenTheResponseIsInvalid(String resources) {
		this.answers.putAll(Map.of("/apis", resources, GROUP_VERSION, resources));
		assertThat(failure(this.widgets)).isInstanceOf(MalformedResponseException.class)
			.hasMessageContaining("GET " + GROUP_VERSION + ": ")
			.hasMessageContaining("discovery");
	}

	@Test
	void readsNoMoreThanIsReasonable() {
		this.answers.put(GROUP_VERSION, "{\"resources\":" + "[".repeat(1000) + "]".repeat(1000) + "}");
		assertThat(failure(this.widgets)).isInstanceOf(MalformedResponseException.class)
			.hasMessageContaining("too deeply");
		this.answers.put(GROUP_VERSION, "{\"resources\":[" + "{},".repeat(50_001) + "{}]}");
		assertThat(failure(this.widgets)).isInstanceOf(MalformedResponseException.class)
			.hasMessageContaining("50000 types");
		this.answers.put(GROUP_VERSION, "{\"resources\":[]}" + " ".repeat(16 * 1024 * 1024));
		assertThat(failure(this.widgets)).isInstanceOf(MalformedResponseException.class)
			.hasMessageContaining("larger than");
	}

}
