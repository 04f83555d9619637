package dev.reflector.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.BusySharedThreads;
import dev.reflector.fixture.FakeReflector;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.actuate.audit.listener.AuditListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ReflectorsEndpoint} over HTTP with full access.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.reactor.netty.shutdown-quiet-period=100ms",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"server.netty.max-keep-alive-requests=1", "management.endpoints.web.exposure.include=*", "KUBECONFIG=",
				"user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=",
				"management.endpoint.reflectors.access=unrestricted" })
@AutoConfigureWebTestClient(timeout = "60s")
class ReflectorsEndpointWebIntegrationTests {

	private static final String DEPLOYMENTS = """
			{"name":"deployments",
			"resource":{"group":"apps","version":"v1","kind":"Deployment","plural":"deployments","namespaces":["default"],
			"labelSelector":"","fieldSelector":""},"state":"WATCHING","awaitedType":null,
			"lastSyncResourceVersion":"9007199254740993123","standby":false,"synced":true,"connected":false,"size":3,"skipped":2,"skippedObjects":[],
			"queueDepth":7,
			"counts":{"lists":11,"watches":12,"relists":13,"added":14,"updated":15,"deleted":16,"bookmarks":17,"errors":18},
			"lastListAt":"2026-11-21T09:59:30Z","lastEventAt":"2026-11-21T09:59:55Z",
			"lastProgressAt":"2026-11-21T09:59:55Z","failingSince":"2026-11-21T10:00:00Z","nextAttemptAt":null,
			"lastError":{"at":"2026-11-21T09:58:30Z","status":403,"reason":"Forbidden","message":"pods is forbidden"},
			"deliveryStopped":null,"busyListener":null,"snapshot":null,"shard":null,"scopes":[]}""";

	@LocalServerPort
	private int port;

	@Autowired
	private WebTestClient client;

	@Autowired
	private Reflector<Object> reflector;

	@Autowired
	private Application application;

	@Test
	void showsAllReflectors() {
		this.client.get()
			.uri("/actuator/reflectors")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"reflectors\":{\"deployments\":" + DEPLOYMENTS + "}}", JsonCompareMode.STRICT);
	}

	@Test
	void showsOneReflector() {
		this.client.get()
			.uri("/actuator/reflectors/deployments")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json(DEPLOYMENTS, JsonCompareMode.STRICT);
	}

	@Test
	void answers404ToUnknownReflector() {
		this.client.get().uri("/actuator/reflectors/unknown").exchange().expectStatus().isNotFound().expectBody();
		post("unknown", "{\"action\":\"relist\"}").isNotFound().expectBody();
	}

	@Test
	void acts() {
		this.client.post()
			.uri("/actuator/reflectors/deployments")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"action\":\"relist\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json(DEPLOYMENTS, JsonCompareMode.STRICT);
		assertThat(((FakeReflector<Object>) this.reflector).actions()).contains("relist");
		assertThat(this.application.audit.find(null, null, "REFLECTOR_OPERATION")).extracting(AuditEvent::getData)
			.contains(Map.of("reflector", "deployments", "action", "relist", "outcome", "ACCEPTED"));
	}

	@Test
	void verifies() {
		post("deployments", "{\"action\":\"verify\"}").isOk().expectBody().json("""
				{"name":"deployments","result":"DIFFERENT","at":"2026-11-21T10:00:00Z","scopes":[{"namespace":"default",
				"result":"DIFFERENT","resourceVersion":"12","compared":3,"missing":1,"surplus":0,"different":0,
				"skipped":0,"message":"","differences":[{"kind":"MISSING","key":"default/web","mirrorVersion":null,
				"serverVersion":"11"}]}]}
				""", JsonCompareMode.STRICT);
		post("unknown", "{\"action\":\"verify\"}").isNotFound().expectBody();
	}

	@Test
	void answers400ToUnknownOrMissingAction() {
		post("deployments", "{\"action\":\"explode\"}").isBadRequest().expectBody();
		post("deployments", "{}").isBadRequest().expectBody();
	}

	@Test
	void answers409WhenNothingCameOfAnOrder() {
		FakeReflector<Object> fake = (FakeReflector<Object>) this.reflector;
		ReflectorStatus before = fake.status();
		try {
			fake.become(
					FakeReflector.status(ReflectorState.STOPPED, true, FakeReflector.NOW, FakeReflector.forbidden()));
			post("deployments", "{\"action\":\"pause\"}").isEqualTo(409)
				.expectBody()
				.json(DEPLOYMENTS.replace("WATCHING", "STOPPED"), JsonCompareMode.STRICT);
			assertThat(this.application.audit.find(null, null, "REFLECTOR_OPERATION")).extracting(AuditEvent::getData)
				.contains(Map.of("reflector", "deployments", "action", "pause", "outcome", "IGNORED"));
		}
		finally {
			fake.become(before);
		}
	}

	@Test
	void saysWhyASnapshotCannotBeReset() {
		post("deployments", "{\"action\":\"reset-snapshot\"}").isEqualTo(409)
			.expectBody()
			.json("{\"message\":\"the reflector 'deployments' has no snapshot\"}", JsonCompareMode.STRICT);
	}

	@Test
	void comparisonsThatWaitHoldNoThreadAndNeedNoneOfTheSharedOnes() throws Exception {
		FakeReflector<Object> fake = (FakeReflector<Object>) this.reflector;
		CompletableFuture<ConsistencyReport> comparison = new CompletableFuture<>();
		fake.comparing(comparison);
		int before = fake.actions().size();
		List<CompletableFuture<HttpStatusCode>> orders = new ArrayList<>();
		try (BusySharedThreads busy = new BusySharedThreads()) {
			WebClient client = WebClient.create("http://127.0.0.1:" + this.port);
			for (int i = 0; i < 40; i++) {
				orders.add(client.post()
					.uri("/actuator/reflectors/deployments")
					.contentType(MediaType.APPLICATION_JSON)
					.bodyValue("{\"action\":\"verify\"}")
					.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode()))
					.toFuture());
			}
			await().until(() -> fake.actions().size() == before + 40);
			// other orders are still taken
			post("deployments", "{\"action\":\"resync\"}").isOk().expectBody();
			assertThat(orders).noneMatch(CompletableFuture::isDone);
			comparison.complete(new ConsistencyReport("deployments", FakeReflector.NOW, List.of()));
			for (CompletableFuture<HttpStatusCode> order : orders) {
				assertThat(order.get(60, TimeUnit.SECONDS)).isEqualTo(HttpStatus.OK);
			}
			assertThat(busy.isBusy()).isTrue();
		}
		finally {
			fake.comparing(null);
			orders.forEach((order) -> order.cancel(true));
		}
	}

	private StatusAssertions post(String name, String body) {
		return this.client.post()
			.uri("/actuator/reflectors/{name}", name)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectStatus();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		// as a bean it would make the actuator require Spring Security
		private final InMemoryAuditEventRepository audit = new InMemoryAuditEventRepository();

		@Bean
		AuditListener auditListener() {
			return new AuditListener(this.audit);
		}

		@Bean
		Reflector<Object> deployments() {
			return new FakeReflector<>("deployments",
					FakeReflector.status(ReflectorState.WATCHING, true, FakeReflector.NOW, FakeReflector.forbidden()));
		}

	}

}
