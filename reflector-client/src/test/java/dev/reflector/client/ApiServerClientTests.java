package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.options.ClientOptions;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ApiServerClient}.
 */
class ApiServerClientTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final WebClient.Builder builder = WebClient.builder();

	@Test
	void anAllocatorOfTheApplicationReadsFromTheNetwork() throws IOException {
		AtomicInteger connections = new AtomicInteger();
		RecvByteBufAllocator own = () -> {
			connections.incrementAndGet();
			return new FixedRecvByteBufAllocator(4096).newHandle();
		};
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServerClient client = Clients.builder(server.uri())
				.connectorBuilder(ClientHttpConnectorBuilder.reactor()
					.withHttpClientCustomizer((http) -> http.option(ChannelOption.RECVBUF_ALLOCATOR, own)))
				.build();
			assertThat(Clients.widgets(client).list(Clients.list()).block(LIMIT)).isNotNull();
		}
		assertThat(connections).hasPositiveValue();
	}

	@Test
	void observesListsByTemplateAndWatchesNotAtAll() throws IOException {
		List<Observation.Context> contexts = new CopyOnWriteArrayList<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				contexts.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		this.builder.observationRegistry(registry);
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServerClient client = Clients.builder(server.uri()).webClientBuilder(this.builder).build();
			Clients.widgets(client).watch(Clients.watch()).filter(Clients::isFrame).blockLast(LIMIT);
			assertThat(contexts).isEmpty();
			Clients.widgets(client).list(Clients.list()).block(LIMIT);
			// the list may arrive before the observation has stopped
			await().until(() -> !contexts.isEmpty());
			assertThat(contexts).singleElement()
				.extracting((context) -> context.getLowCardinalityKeyValue("uri"))
				.isEqualTo(KeyValue.of("uri", "/apis/example.com/v1/widgets"));
		}
	}

	@Test
	void leavesTheBuilderAsItIsButKeepsItsFilters() throws IOException {
		List<URI> seen = new CopyOnWriteArrayList<>();
		this.builder.filter((request, next) -> {
			seen.add(request.url());
			return next.exchange(request);
		});
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			Clients.widgets(Clients.builder(server.uri()).webClientBuilder(this.builder).build())
				.list(Clients.list())
				.block(LIMIT);
			assertThat(seen).hasSize(1);
			this.builder.build().get().uri(server.uri()).retrieve().toBodilessEntity().block(LIMIT);
			assertThat(server.requests()).extracting((request) -> request.headers().get("accept"))
				.containsExactly("application/json", "*/*");
		}
	}

	@Test
	void readsTheServersJsonIndependentlyOfTheApplicationsJsonSettings() throws IOException {
		JsonMapper mapper = JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.UNWRAP_ROOT_VALUE)
			.build();
		String object = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"},\"spec\":{\"x\":1}}";
		try (RawServer server = RawServer.answering("{\"metadata\":{\"continue\":\"c\"},\"items\":[" + object + "]}")) {
			ListPage<Widget> page = Clients.widgets(Clients.builder(server.uri()).jsonMapper(mapper).build())
				.list(Clients.list())
				.block(LIMIT);
			assertThat(page.skipped()).isEmpty();
			assertThat(page.continueToken()).isEqualTo("c");
			assertThat(page.items()).singleElement()
				.satisfies((widget) -> assertThat(widget.metadata().resourceVersion()).isEqualTo("3"));
		}
		try (RawServer server = RawServer.answering(Clients.frame("ADDED", object))) {
			StepVerifier
				.create(Clients.widgets(Clients.builder(server.uri()).jsonMapper(mapper).build())
					.watch(Clients.watch())
					.filter(Clients::isFrame))
				.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Added.class))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void worksWithTheConnectorOfTheJdk() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			if (!request.target().contains("watch=true")) {
				connection.write("{\"items\":[" + Clients.json("a", 1) + "]}");
				return;
			}
			connection.write(Clients.frame("ADDED", Clients.json("a", 1)));
			connection.awaitClose();
		};
		try (RawServer server = new RawServer(script)) {
			ApiServer apiServer = new ApiServer(server.uri(), null, TokenSource.of("t"), "test");
			assertThat(jdk(apiServer, Clients.OPTIONS).list(Clients.list()).block(LIMIT).items()).hasSize(1);
			ListerWatcher<Widget> impatient = jdk(apiServer, Clients.timeouts(LIMIT, Duration.ofMillis(500)));
			// on a slow machine, the watch may complete before the frame
			await().until(() -> {
				var events = impatient.watch(Clients.watch()).filter(Clients::isFrame).collectList().block(LIMIT);
				return events.size() == 1;
			});
		}
	}

	private ListerWatcher<Widget> jdk(ApiServer server, ClientOptions options) {
		return Clients.widgets(
				Clients.builder(server).connectorBuilder(ClientHttpConnectorBuilder.jdk()).options(options).build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "s3cret\nX-Other: s3cret", "s3cret s3cret", "s3cret\u00e4" })
	void doesNotSendAnInvalidToken(String token) throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServer apiServer = new ApiServer(server.uri(), null, () -> token, "test");
			StepVerifier.create(Clients.widgets(Clients.client(apiServer, Clients.OPTIONS)).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(CredentialsException.class)
					.hasMessageContaining("the token is empty or has")
					.message()
					.doesNotContain("s3cret"))
				.verify(LIMIT);
			assertThat(server.requests()).isEmpty();
		}
	}

	@Test
	void repeatsARejectedRequestOnceWithOtherCredentials() throws IOException {
		AtomicInteger renewals = new AtomicInteger();
		TokenSource source = new TokenSource() {

			@Override
			public String token() {
				return "token-" + renewals;
			}

			@Override
			public boolean renew(@Nullable String rejected) {
				assertThat(rejected).isEqualTo("token-" + renewals.getAndIncrement());
				return true;
			}

		};
		try (RawServer server = new RawServer(
				(request, connection) -> connection.write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"))) {
			ApiServer apiServer = new ApiServer(server.uri(), null, source, "test");
			StepVerifier.create(Clients.widgets(Clients.client(apiServer, Clients.OPTIONS)).watch(Clients.watch()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(ApiException.class)
					.hasMessageContaining("was answered with 401"))
				.verify(LIMIT);
			assertThat(server.requests()).extracting((request) -> request.headers().get("authorization"))
				.containsExactly("Bearer token-0", "Bearer token-1");
		}
		assertThat(renewals).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "host:6443", "/path", "ftp://host", "https://me:s3cret@host", "https://host?s3cret",
			"https://host#s3cret", "https:///path" })
	void rejectsInvalidUrls(String url) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ApiServer(URI.create(url), null, TokenSource.none(), "origin"))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("origin").doesNotContain("s3cret"));
	}

	@Test
	void rejectsInvalidOptions() {
		Duration second = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> Clients.timeouts(Duration.ZERO, second, second));
		assertThatIllegalArgumentException().isThrownBy(() -> Clients.timeouts(second, second, second.negated()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Clients.timeouts(Duration.ofDays(1).plusNanos(1), second, second))
			.withMessage("'connect' must be 1d at most");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Clients.timeouts(second, second, Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessage("'idle' must be 365d at most");
		assertThatIllegalArgumentException().isThrownBy(() -> Clients.maxObjectSize(0));
		assertThatIllegalArgumentException().isThrownBy(() -> Clients.maxObjectSize(DataSize.ofGigabytes(2).toBytes()));
	}

}
