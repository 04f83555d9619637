package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the identity of a server, that {@link WebClientListerWatcher} asks for.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerIdentityTests {

	private static final long SECONDS = 30;

	private final AtomicInteger requests = new AtomicInteger();

	private final CountDownLatch answered = new CountDownLatch(1);

	private volatile boolean failing = true;

	private volatile int code = 500;

	private RawServer server;

	private Mono<String> identity;

	@BeforeEach
	void start() throws IOException {
		this.server = new RawServer((request, connection) -> {
			this.requests.incrementAndGet();
			this.answered.await();
			connection.head(this.failing ? this.code : 200, "Connection: close", "Content-Type: application/json");
			connection.write(this.failing ? "{}" : "{\"metadata\":{\"uid\":\"one\"}}");
		});
		this.identity = identity(this.server.uri());
	}

	private static Mono<String> identity(URI server) {
		return Clients.builder(server)
			.build()
			.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class),
					ResourceType.of("example.com/v1", "Widget", "widgets"), "", "")
			.serverIdentity();
	}

	@AfterEach
	void stop() throws IOException {
		this.answered.countDown();
		this.server.close();
	}

	@Test
	void isAskedForOnceAndAgainAfterAFailure() {
		this.answered.countDown();
		assertThat(catchThrowable(this.identity::block)).isInstanceOf(ApiException.class);
		this.failing = false;
		int failed = this.requests.get();
		assertThat(this.identity.block()).isEqualTo(known());
		assertThat(this.identity.block()).isEqualTo(known());
		assertThat(this.requests).hasValue(failed + 1);
	}

	@Test
	void aRequestThatNeverEndsIsGivenUp() {
		AtomicInteger tokens = new AtomicInteger();
		ApiServer silent = new ApiServer(this.server.uri(), null, Clients.tokenWithoutEndAtFirst(tokens), "test");
		ApiServerClient client = Clients.client(silent,
				Clients.timeouts(Duration.ofMillis(100), Duration.ofMillis(100)));
		Mono<String> identity = Clients.widgets(client).serverIdentity();
		assertThat(catchThrowable(() -> identity.block(Duration.ofSeconds(SECONDS)))).rootCause()
			.isInstanceOf(TimeoutException.class)
			.hasMessageContaining("/api/v1/namespaces/kube-system has not ended within 400 ms");
		identity.onErrorComplete().subscribe();
		await().until(() -> tokens.get() > 1);
	}

	private String known() {
		return "uid:one url:" + this.server.uri();
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 401, 403, 404, 410 })
	void aRefusalIsNotRemembered(int code, CapturedOutput output) {
		this.answered.countDown();
		this.code = code;
		assertThat(this.identity.block()).isEqualTo("url:" + this.server.uri());
		assertThat(this.identity.block()).isEqualTo("url:" + this.server.uri());
		this.failing = false;
		assertThat(this.identity.block()).isEqualTo(known());
		// warns once, because a missing permission makes the URL the only identity
		assertThat(output.getAll().split("forbids to get the namespace 'kube-system'", -1))
			.hasSize((code == 403) ? 2 : 1);
	}

	@Test
	void anAnswerWithoutAUidIsNotRemembered() {
		this.answered.countDown();
		this.code = 200;
		assertThat(this.identity.block()).isEqualTo("url:" + this.server.uri());
		this.failing = false;
		assertThat(this.identity.block()).isEqualTo(known());
	}

	@Test
	void whatMayBeLeftOutOfAUrlMakesNoOtherServer() {
		this.answered.countDown();
		this.code = 403;
		assertThat(identity(URI.create(this.server.uri().toString().replace("http", "HTTP") + "/")).block())
			.isEqualTo("url:" + this.server.uri());
	}

	/**
	 * The failure comes while the second subscriber still handles its subscription, which
	 * ends only after the third subscriber has received the failure.
	 */
	@Test
	void aFailureNeverOvertakesTheSubscription() throws Exception {
		this.identity.subscribe(null, (ex) -> {
		});
		Late late = new Late();
		Thread second = new Thread(() -> this.identity.subscribe(late));
		second.start();
		assertThat(late.subscribing.await(SECONDS, TimeUnit.SECONDS)).isTrue();
		this.identity.subscribe(null, (ex) -> late.goOn.countDown());
		this.answered.countDown();
		assertThat(late.failed.await(SECONDS, TimeUnit.SECONDS)).isTrue();
		second.join();
		assertThat(late.overtaken).isFalse();
		assertThat(this.requests).hasValue(1);
	}

	/** A subscriber that takes its time. */
	private static final class Late extends BaseSubscriber<String> {

		private final CountDownLatch subscribing = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final CountDownLatch failed = new CountDownLatch(1);

		private volatile boolean subscribed;

		private volatile boolean overtaken;

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			this.subscribing.countDown();
			try {
				this.subscribed = this.goOn.await(SECONDS, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			subscription.request(1);
		}

		@Override
		protected void hookOnError(Throwable failure) {
			this.overtaken = !this.subscribed;
			this.failed.countDown();
		}

	}

}
