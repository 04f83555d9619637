package dev.reflector.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import dev.reflector.cache.source.ApiException;
import dev.reflector.test.fixture.TestClient;
import dev.reflector.test.internal.api.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmbeddedApiServerTests {

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private EmbeddedApiServer server;

	private TestClient client;

	@BeforeEach
	void start() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("apps/v1", "Deployment", "deployments", true)
			.type("v1", "Namespace", "namespaces", false)
			.start();
		this.client = new TestClient(this.server);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void createsAndReads() {
		TestClient.Answer created = this.client.post(WIDGETS, widget("a", 1));
		assertThat(created.status()).isEqualTo(201);
		assertThat(created.resourceVersion()).isEqualTo("2");
		assertThat(created.at("/metadata/uid")).isNotEmpty();
		assertThat(created.at("/metadata/creationTimestamp")).isNotEmpty();
		assertThat(created.at("/metadata/generation")).isEqualTo("1");
		assertThat(created.at("/metadata/namespace")).isEqualTo("default");
		TestClient.Answer read = this.client.get(WIDGETS + "/a");
		assertThat(read.status()).isEqualTo(200);
		assertThat(read.json()).isEqualTo(created.json());
	}

	@Test
	void createRefusesAnExistingObject() {
		this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer again = this.client.post(WIDGETS, widget("a", 1));
		assertThat(again.status()).isEqualTo(409);
		assertThat(again.at("/reason")).isEqualTo("AlreadyExists");
		assertThat(again.at("/message")).isEqualTo("widgets.example.com \"a\" already exists");
	}

	@Test
	void createGeneratesNames() {
		String content = """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"generateName":"w-"}}""";
		assertThat(this.client.post(WIDGETS, content).at("/metadata/name")).matches("w-[a-z0-9]{5}");
	}

	@Test
	void createRefusesInvalidObjects() {
		assertThat(this.client.post(WIDGETS, "{\"apiVersion\":").status()).isEqualTo(400);
		assertThat(this.client.post(WIDGETS, "[]").status()).isEqualTo(400);
		assertThat(this.client.post(WIDGETS, "").status()).isEqualTo(400);
		assertThat(this.client.post(WIDGETS, "{}").status()).isEqualTo(400);
		assertThat(this.client.post(WIDGETS, widget("Not A Name", 1)).status()).isEqualTo(422);
		assertThat(this.client.post(WIDGETS, widget("", 1)).at("/reason")).isEqualTo("Invalid");
		assertThat(this.client.send("POST", WIDGETS, "application/yaml", "a: b").status()).isEqualTo(415);
		assertThat(this.client.post(WIDGETS.replace("default", "other"), """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"default"}}""")
			.status()).isEqualTo(400);
	}

	@Test
	void absentObjectsAreNotFound() {
		TestClient.Answer answer = this.client.get(WIDGETS + "/a");
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.at("/kind")).isEqualTo("Status");
		assertThat(answer.at("/reason")).isEqualTo("NotFound");
		assertThat(answer.at("/details/name")).isEqualTo("a");
		assertThat(answer.at("/details/group")).isEqualTo("example.com");
		assertThat(answer.at("/details/kind")).isEqualTo("widgets");
		assertThat(this.client.delete(WIDGETS + "/a").status()).isEqualTo(404);
		assertThat(this.client.put(WIDGETS + "/a", widget("a", 1)).status()).isEqualTo(404);
		assertThat(this.client.patch(WIDGETS + "/a", "merge-patch", "{}").status()).isEqualTo(404);
	}

	@Test
	void replaceKeepsIdentityAndCountsGenerations() {
		TestClient.Answer created = this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer replaced = this.client.put(WIDGETS + "/a",
				created.text().replace("\"size\":1", "\"size\":2"));
		assertThat(replaced.status()).isEqualTo(200);
		assertThat(replaced.at("/metadata/uid")).isEqualTo(created.at("/metadata/uid"));
		assertThat(replaced.at("/metadata/creationTimestamp")).isEqualTo(created.at("/metadata/creationTimestamp"));
		assertThat(replaced.at("/metadata/generation")).isEqualTo("2");
		assertThat(replaced.resourceVersion()).isEqualTo("3");
	}

	@Test
	void replaceRefusesStaleVersions() {
		this.client.post(WIDGETS, widget("a", 1));
		String stale = """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","resourceVersion":"1"}}""";
		TestClient.Answer answer = this.client.put(WIDGETS + "/a", stale);
		assertThat(answer.status()).isEqualTo(409);
		assertThat(answer.at("/reason")).isEqualTo("Conflict");
		assertThat(this.client.put(WIDGETS + "/a", stale.replace("\"1\"", "\"2\"")).status()).isEqualTo(200);
	}

	@Test
	void customResourcesAreNotReplacedWithoutAVersion() {
		this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer answer = this.client.put(WIDGETS + "/a", widget("a", 2));
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.at("/details/causes/0/field")).isEqualTo("metadata.resourceVersion");
	}

	@Test
	void aCollectionIsDeletedAsFarAsItIsSelected() {
		this.client.post(WIDGETS, widget("a", 1));
		this.client.post(WIDGETS, widget("b", 1));
		assertThat(this.client.delete(WIDGETS + "?fieldSelector=metadata.name=a").names()).containsExactly("a");
		assertThat(this.client.get(WIDGETS).names()).containsExactly("b");
	}

	@Test
	void writesThatChangeNothingAreNoWrites() {
		TestClient.Answer created = this.client.post(WIDGETS, widget("a", 1));
		assertThat(this.client.put(WIDGETS + "/a", created.text()).resourceVersion()).isEqualTo("2");
		assertThat(this.client.patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"size\":1}}").resourceVersion())
			.isEqualTo("2");
	}

	@Test
	void mergePatchFollowsTheRfc() {
		this.client.post(WIDGETS, """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},
				"spec":{"a":{"b":1,"c":2},"list":[1,2]}}""");
		TestClient.Answer patched = this.client.patch(WIDGETS + "/a", "merge-patch", """
				{"spec":{"a":{"b":null,"d":3},"list":[3],"new":{"x":null,"y":1}}}""");
		assertThat(patched.json().path("spec")).isEqualTo(Json.of("""
				{"a":{"c":2,"d":3},"list":[3],"new":{"y":1}}"""));
	}

	@Test
	void jsonPatchFollowsTheRfc() {
		this.client.post(WIDGETS, """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","labels":{"a/b":"c"}},
				"spec":{"a":{"b":1},"list":[1,2,3]}}""");
		TestClient.Answer patched = this.client.patch(WIDGETS + "/a", "json-patch", """
				[{"op":"test","path":"/metadata/labels/a~1b","value":"c"},{"op":"replace","path":"/spec/a/b","value":2},
				{"op":"add","path":"/spec/list/0","value":0},{"op":"add","path":"/spec/list/-","value":4},
				{"op":"remove","path":"/spec/list/2"},{"op":"copy","from":"/spec/a","path":"/spec/c"},
				{"op":"move","from":"/spec/a/b","path":"/spec/d"}]""");
		assertThat(patched.json().path("spec")).isEqualTo(Json.of("""
				{"a":{},"list":[0,1,3,4],"c":{"b":2},"d":2}"""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			[{"op":"test","path":"/spec/size","value":2}]              | 422
			[{"op":"replace","path":"/spec/missing","value":2}]        | 422
			[{"op":"remove","path":"/spec/size/0"}]                    | 422
			[{"op":"add","path":"/spec/size/x","value":1}]             | 422
			[{"op":"add","path":"size","value":1}]                     | 400
			[{"op":"fly","path":"/spec"}]                              | 400
			{"spec":{}}                                                | 400
			""")
	void aJsonPatchThatDoesNotApplyChangesNothing(String patch, int status) {
		this.client.post(WIDGETS, widget("a", 1));
		assertThat(this.client.patch(WIDGETS + "/a", "json-patch", patch).status()).isEqualTo(status);
		assertThat(this.client.get(WIDGETS + "/a").at("/spec/size")).isEqualTo("1");
	}

	@Test
	void aBuiltInTypeIsTheOneOfTheUrl() {
		assertThat(this.client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"green\"}}").status())
			.isEqualTo(201);
		assertThat(this.client.get("/api/v1/namespaces/green").at("/kind")).isEqualTo("Namespace");
		assertThat(this.client.post(WIDGETS, "{\"metadata\":{\"name\":\"a\"}}").status()).as("a custom one")
			.isEqualTo(400);
	}

	@Test
	void aWebSocketIsRefusedAtOnce() throws Exception {
		try (Socket socket = new Socket(this.server.url().getHost(), this.server.url().getPort())) {
			socket.setSoTimeout(10_000);
			socket.getOutputStream()
				.write(("GET " + WIDGETS + "?watch=true HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\n"
						+ "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
						+ "\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.startsWith("HTTP/1.1 200 ")
				.contains("this server has no WebSockets");
		}
	}

	@Test
	void otherPatchesAreUnsupported() {
		this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer answer = this.client.patch(WIDGETS + "/a", "apply-patch", "[]");
		assertThat(answer.status()).isEqualTo(415);
		assertThat(answer.at("/reason")).isEqualTo("UnsupportedMediaType");
	}

	@Test
	void statusSubresourceChangesNothingElse() {
		this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer patched = this.client.patch(WIDGETS + "/a/status", "merge-patch",
				"{\"spec\":{\"size\":5},\"status\":{\"ready\":true}}");
		assertThat(patched.at("/spec/size")).isEqualTo("1");
		assertThat(patched.at("/status/ready")).isEqualTo("true");
		assertThat(patched.at("/metadata/generation")).isEqualTo("1");
	}

	@Test
	void deleteAnswersWithStatus() {
		this.client.post(WIDGETS, widget("a", 1));
		TestClient.Answer deleted = this.client.delete(WIDGETS + "/a");
		assertThat(deleted.status()).isEqualTo(200);
		assertThat(deleted.at("/status")).isEqualTo("Success");
		assertThat(this.client.get(WIDGETS + "/a").status()).isEqualTo(404);
	}

	@Test
	void deleteChecksPreconditions() {
		this.client.post(WIDGETS, widget("a", 1));
		String options = "{\"preconditions\":{\"resourceVersion\":\"1\"}}";
		assertThat(this.client.send("DELETE", WIDGETS + "/a", "application/json", options).status()).isEqualTo(409);
	}

	@Test
	void finalizersHoldDeletionUp() {
		this.client.post(WIDGETS, """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","finalizers":["x/y"]}}""");
		assertThat(this.client.delete(WIDGETS + "/a").at("/metadata/deletionTimestamp")).isNotEmpty();
		assertThat(this.client.get(WIDGETS + "/a").status()).isEqualTo(200);
		this.client.patch(WIDGETS + "/a", "merge-patch", "{\"metadata\":{\"finalizers\":null}}");
		assertThat(this.client.get(WIDGETS + "/a").status()).isEqualTo(404);
	}

	@Test
	void unknownPathsAreNotFoundInPlainText() {
		for (String path : List.of("/apis/nowhere.com/v1/things", "/apis/example.com/v1/things", "/nowhere", "/",
				"/apis/example.com/v1/widgets/a", "/api/v1/namespaces/x/namespaces")) {
			TestClient.Answer answer = this.client.get(path);
			assertThat(answer.status()).as(path).isEqualTo(404);
			assertThat(answer.header("Content-Type")).startsWith("text/plain");
			assertThat(answer.text()).isEqualTo("404 page not found\n");
		}
	}

	@Test
	void wrongMethodsAreNotAllowed() {
		assertThat(this.client.put(WIDGETS, widget("a", 1)).status()).isEqualTo(400);
		assertThat(this.client.post(WIDGETS + "/a", widget("a", 1)).status()).isEqualTo(405);
		assertThat(this.client.delete(WIDGETS + "/a/status").status()).isEqualTo(405);
		assertThat(this.client.post("/apis/example.com/v1/widgets", widget("a", 1)).status()).isEqualTo(404);
	}

	@Test
	void aCustomResourceWithAnUnknownSubresourceIsNotFound() {
		this.client.post(WIDGETS, widget("a", 1));
		for (String subresource : List.of("/scale", "/something", "/something/deeper", "/scale?dryRun=All")) {
			for (String method : List.of("GET", "PUT", "PATCH", "POST", "DELETE")) {
				TestClient.Answer answer = unknown(method, WIDGETS + "/a" + subresource);
				assertThat(answer.at("/message")).isEqualTo("widgets.example.com \"a\" not found");
				assertThat(answer.at("/details/kind")).isEqualTo("widgets");
			}
		}
	}

	@Test
	void anUnknownSubresourceOfABuiltInTypeIsAnUnknownResource() {
		for (String method : List.of("GET", "PUT", "PATCH", "POST", "DELETE")) {
			TestClient.Answer answer = unknown(method, "/apis/apps/v1/namespaces/blue/deployments/a/scale");
			assertThat(answer.at("/message")).isEqualTo("the server could not find the requested resource");
			assertThat(answer.text()).contains("\"details\":{}");
		}
	}

	private TestClient.Answer unknown(String method, String path) {
		TestClient.Answer answer = this.client.send(this.client.request(path)
			.method(method, HttpRequest.BodyPublishers.ofString("{\"spec\":{\"replicas\":3}}"))
			.header("Content-Type", "application/merge-patch+json")
			.build());
		assertThat(answer.status()).as(method + " " + path).isEqualTo(404);
		assertThat(answer.at("/kind")).isEqualTo("Status");
		assertThat(answer.at("/reason")).isEqualTo("NotFound");
		return answer;
	}

	@Test
	void answersOnlyInJson() {
		TestClient.Answer answer = this.client
			.send(this.client.request(WIDGETS).header("Accept", "application/cbor").build());
		assertThat(answer.status()).isEqualTo(406);
	}

	@Test
	void objectsOutsideNamespaces() {
		String content = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"blue\"}}";
		assertThat(this.client.post("/api/v1/namespaces", content).status()).isEqualTo(201);
		assertThat(this.client.get("/api/v1/namespaces/blue").at("/metadata/name")).isEqualTo("blue");
		assertThat(this.client.patch("/api/v1/namespaces/blue/status", "merge-patch", "{\"status\":{\"x\":1}}")
			.at("/status/x")).isEqualTo("1");
	}

	@Test
	void programmaticWritesFollowTheSameRules() {
		ResourceCollection widgets = this.server.resources("widgets");
		widgets.create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 1)));
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> widgets.create("{\"metadata\":{\"name\":\"a\"}}"))
			.satisfies((ex) -> assertThat(ex.status().reason()).isEqualTo("AlreadyExists"));
		assertThat(widgets.apply("{\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":2}}").at("/spec/size").asInt())
			.isEqualTo(2);
		assertThat(widgets.mergePatch("default", "a", "{\"spec\":{\"size\":3}}").at("/spec/size").asInt()).isEqualTo(3);
		assertThat(widgets.get("default", "a")).isPresent();
		assertThat(widgets.list()).hasSize(1);
		assertThat(widgets.resourceVersion()).isEqualTo("4");
		widgets.delete("default", "a");
		assertThat(widgets.size()).isZero();
		assertThat(widgets.get("default", "a")).isEmpty();
		assertThat(this.server.resources("widgets.example.com")).hasToString("widgets.example.com");
		assertThatIllegalArgumentException().isThrownBy(() -> this.server.resources("gadgets"))
			.withMessageContaining("widgets.example.com");
	}

	@Test
	void restartOnTheSamePortKeepsTheObjects() {
		this.server.resources("widgets").create(widget("a", 1));
		int port = this.server.port();
		this.server.stop();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(WIDGETS));
		this.server.resources("widgets").create(widget("b", 1));
		this.server.start();
		assertThat(this.server.port()).isEqualTo(port);
		assertThat(this.client.get(WIDGETS).names()).containsExactly("a", "b");
	}

	@RepeatedTest(50)
	void thePortOfAStoppedServerStaysReserved() throws IOException {
		int port = this.server.port();
		this.server.stop();
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(port));
		this.server.start();
		assertThat(this.client.get(WIDGETS).status()).isEqualTo(200);
	}

	@Test
	void thePortOfAClosedServerIsFree() throws IOException {
		EmbeddedApiServer closed = EmbeddedApiServer.builder().start();
		int port = closed.port();
		closed.stop();
		closed.close();
		bind(port);
	}

	private static void bind(int port) throws IOException {
		try (ServerSocket other = new ServerSocket()) {
			// as the system does when it chooses a port
			other.setReuseAddress(false);
			other.bind(new InetSocketAddress("127.0.0.1", port));
		}
	}

	@Test
	void closeReleasesThreadsAndOpenWatches() {
		// contexts that are kept for other tests have servers too
		Set<Thread> others = serverThreads();
		EmbeddedApiServer closed = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start();
		TestClient.Stream watch = new TestClient(closed).watch(WIDGETS);
		assertThat(closed.activeWatches()).isOne();
		assertThat(others.containsAll(serverThreads())).isFalse();
		closed.close();
		closed.close();
		assertThat(closed.activeWatches()).isZero();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(watch::next);
		// a thread has done its work a moment before it is gone
		await().untilAsserted(() -> assertThat(serverThreads()).isSubsetOf(others));
		assertThatIllegalStateException().isThrownBy(closed::start);
	}

	private static Set<Thread> serverThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("embedded-api-server") && thread.isAlive())
			.collect(Collectors.toSet());
	}

	@Test
	void recordsRequests() {
		this.client.send(this.client.request(WIDGETS + "?limit=5&labelSelector=a%3Db").header("X-Test", "1").build());
		try (TestClient.Stream watch = this.client.watch(WIDGETS)) {
			assertThat(watch.status()).isEqualTo(200);
		}
		assertThat(this.server.requests()).hasSize(2);
		RecordedRequest list = this.server.requests(RecordedRequest::isList).get(0);
		assertThat(list.parameters()).containsEntry("limit", "5").containsEntry("labelSelector", "a=b");
		assertThat(list.header("x-test")).isEqualTo("1");
		assertThat(list.isAbout("widgets")).isTrue();
		assertThat(this.server.requests(RecordedRequest::isWatch)).hasSize(1);
		this.server.clearRequests();
		assertThat(this.server.requests()).isEmpty();
	}

	private static String widget(String name, int size) {
		return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"" + name
				+ "\"},\"spec\":{\"size\":" + size + "}}";
	}

	@Test
	void stoppingBreaksOffConnectionsThatAreJustBeingMade() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			byte[] request = "GET /apis/example.com/v1/widgets HTTP/1.1\r\nHost: localhost\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII);
			for (int i = 0; i < 50; i++) {
				try (Socket socket = new Socket("127.0.0.1", server.port())) {
					socket.setSoTimeout(30_000);
					socket.getOutputStream().write(request);
					LockSupport.parkNanos(i * 20_000);
					server.stop();
					assertThat(end(socket)).isTrue();
				}
				server.start();
			}
		}
	}

	private static boolean end(Socket socket) throws IOException {
		try {
			return socket.getInputStream().readAllBytes() != null;
		}
		catch (SocketTimeoutException ex) {
			return false;
		}
		catch (SocketException ex) {
			// reset
			return true;
		}
	}

}
