package dev.reflector.integration;

import java.util.Map;
import java.util.Random;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server of widgets, without any.
 */
abstract class WidgetServer {

	EmbeddedApiServer server;

	ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = newServer();
		this.widgets = this.server.resources("widgets");
	}

	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).cbor(cbor()).start();
	}

	/** Whether the server offers CBOR. */
	boolean cbor() {
		return false;
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	final void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	/** Creates, deletes or changes one of some widgets. */
	final void writeAtRandom(Random random, int names) {
		writeAtRandom(this.widgets, random, names);
	}

	static void writeAtRandom(ResourceCollection widgets, Random random, int names) {
		String name = "w" + random.nextInt(names);
		if (widgets.get("default", name).isEmpty()) {
			widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1), "size", 1));
		}
		else if (random.nextInt(3) == 0) {
			widgets.delete("default", name);
		}
		else {
			int size = random.nextInt(1000);
			widgets.mergePatch("default", name, Map.of("spec", Map.of("size", size), "size", size));
		}
	}

}
