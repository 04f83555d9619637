package dev.reflector.integration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a mirror against a real API server that serves {@code widgets.example.com/v1}.
 * Creates and deletes widgets in the namespace {@code default}, and a CRD that only these
 * tests use.
 * <p>
 * With {@code -Dreflector.it.disturb=<command>}, a shell runs the command while objects
 * are written, for example to restart the server.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RealServerIntegrationTests {

	private static final int OBJECTS = 200;

	private final String kubeconfig = System.getProperty("reflector.it.kubeconfig");

	private final String prefix = "it-" + Long.toHexString(System.nanoTime()) + "-";

	private final RealServer server = new RealServer(this.kubeconfig);

	@AfterEach
	void cleanUp() throws Exception {
		for (int i = 0; i < OBJECTS; i++) {
			this.server.send("DELETE", RealServer.WIDGETS + "/" + this.prefix + i, "");
		}
	}

	@ParameterizedTest
	@CsvSource({ "auto,arrival", "list,per-key" })
	void theMirrorEqualsTheServer(String initialList, String ordering) throws Exception {
		for (int i = 0; i < OBJECTS / 2; i++) {
			create(i);
		}
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.watch.initial-list=" + initialList,
				"reflector.list.page-size=20", "reflector.queue.ordering=" + ordering)) {
			this.server.awaitEqual(application);
			for (int i = OBJECTS / 2; i < OBJECTS; i++) {
				create(i);
				patch(i - OBJECTS / 2, "{\"spec\":{\"size\":" + (1000 + i) + "}}");
				if (i % 3 == 0) {
					this.server.send("DELETE", RealServer.WIDGETS + "/" + this.prefix + (i - OBJECTS / 4), "");
				}
			}
			this.server.awaitEqual(application);
			application.reflector.pause();
			for (int i = 0; i < OBJECTS; i += 7) {
				patch(i, "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");
			}
			application.reflector.resume();
			this.server.awaitEqual(application);
			application.reflector.relist();
			this.server.awaitEqual(application);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "list" })
	@EnabledIfSystemProperty(named = "reflector.it.disturb", matches = ".+",
			disabledReason = "nothing disturbs the server: name a command with -Dreflector.it.disturb=<command>")
	void theMirrorEqualsTheServerAfterDisturbances(String initialList) throws Exception {
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.watch.initial-list=" + initialList,
				"reflector.backoff.max=2s")) {
			this.server.awaitEqual(application);
			for (int round = 0; round < 3; round++) {
				Process disturbance = new ProcessBuilder("sh", "-c", System.getProperty("reflector.it.disturb"))
					.redirectErrorStream(true)
					.redirectOutput(ProcessBuilder.Redirect.DISCARD)
					.start();
				for (int write = 0; write < OBJECTS || disturbance.isAlive(); write++) {
					writeIfPossible(write);
				}
				assertThat(disturbance.waitFor()).as("exit code of the disturbance").isZero();
				this.server.awaitEqual(application);
			}
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	/** The server may be away. */
	private void writeIfPossible(int write) throws Exception {
		int number = (write * 31) % OBJECTS;
		try {
			switch (write % 3) {
				case 0 -> this.server.send("POST", RealServer.WIDGETS, RealServer.widget(this.prefix + number, number));
				case 1 -> this.server.send("PATCH", RealServer.WIDGETS + "/" + this.prefix + number,
						"{\"spec\":{\"size\":" + write + "}}");
				default ->
					this.server.send("DELETE", RealServer.WIDGETS + "/" + this.prefix + ((write * 17) % OBJECTS), "");
			}
		}
		catch (IOException ex) {
			assertThat(ex).as("the server is away, and not more than that").hasMessageNotContaining("certificate");
		}
	}

	@Test
	void aTypeThatIsTakenAwayAndComesBackIsMirroredAgain() throws Exception {
		String group = "it" + Long.toHexString(System.nanoTime()) + ".example.com";
		String definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets." + group;
		String gadgets = "/apis/" + group + "/v1/namespaces/default/gadgets";
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.backoff.max=1s",
				"reflector.resources.widgets.api-version=" + group + "/v1", "reflector.resources.widgets.kind=Gadget",
				"reflector.resources.widgets.plural=gadgets")) {
			await().until(() -> application.reflector.status().lastError() != null
					&& application.reflector.status().lastError().status() == 404);
			for (String name : List.of("first", "second")) {
				define(group);
				await().atMost(Duration.ofSeconds(60))
					.until(() -> this.server
						.send("POST", gadgets,
								"""
										{"apiVersion":"%s/v1","kind":"Gadget","metadata":{"name":"%s"},"spec":{"size":1}}"""
									.formatted(group, name))
						.statusCode() == 201);
				await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
					assertThat(application.mirror()).containsOnlyKeys("default/" + name);
					assertThat(application.heard.folded()).containsOnlyKeys("default/" + name);
				});
				assertThat(this.server.send("DELETE", definition, "").statusCode()).isEqualTo(200);
				await().atMost(Duration.ofSeconds(60))
					.until(() -> this.server.send("GET", definition, "").statusCode() == 404);
				// objects that were listed during the removal stay until the type is back
				await().atMost(Duration.ofSeconds(60))
					.until(() -> application.reflector.status().failingSince() != null
							&& application.reflector.status().lastError().status() == 404);
			}
			assertThat(application.heard.mistakes).isEmpty();
		}
		finally {
			this.server.send("DELETE", definition, "");
		}
	}

	private void define(String group) throws Exception {
		assertThat(
				this.server
					.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
							"""
									{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
									 "metadata": {"name": "gadgets.%1$s"},
									 "spec": {"group": "%1$s", "scope": "Namespaced",
									  "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
									  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
									   {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}"""
								.formatted(group))
					.statusCode())
			.isEqualTo(201);
	}

	private void create(int number) throws Exception {
		assertThat(this.server.send("POST", RealServer.WIDGETS, RealServer.widget(this.prefix + number, number))
			.statusCode()).isEqualTo(201);
	}

	private void patch(int number, String patch) throws Exception {
		assertThat(this.server.send("PATCH", RealServer.WIDGETS + "/" + this.prefix + number, patch).statusCode())
			.isIn(200, 404);
	}

}
