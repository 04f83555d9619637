package dev.reflector.test;

import java.util.List;

import dev.reflector.test.fixture.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what becomes of objects whose owner is deleted.
 */
class GarbageCollectionTests {

	private static final String OWNERS = "/apis/example.com/v1/namespaces/default/owners/";

	private final EmbeddedApiServer server = server(true);

	private final ResourceCollection owned = this.server.resources("owned");

	@AfterEach
	void stop() {
		this.server.close();
	}

	private static EmbeddedApiServer server(boolean garbageCollection) {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Owner", "owners", true)
			.type("example.com/v1", "Owned", "owned", true)
			.garbageCollection(garbageCollection)
			.start();
	}

	private static String owner(EmbeddedApiServer server, String name) {
		return server.resources("owners")
			.create("{\"metadata\":{\"name\":\"" + name + "\"}}")
			.at("/metadata/uid")
			.asString();
	}

	private static void own(ResourceCollection collection, String name, String finalizer, String... owners) {
		StringBuilder references = new StringBuilder();
		for (int i = 0; i < owners.length; i += 2) {
			references.append(i > 0 ? "," : "")
				.append("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Owner\",\"blockOwnerDeletion\":true,\"name\":\"")
				.append(owners[i])
				.append("\",\"uid\":\"")
				.append(owners[i + 1])
				.append("\"}");
		}
		collection.create("{\"metadata\":{\"name\":\"" + name + "\",\"finalizers\":[" + finalizer
				+ "],\"ownerReferences\":[" + references + "]}}");
	}

	private int delete(EmbeddedApiServer from, String name, String policy) {
		return new TestClient(from)
			.send("DELETE", OWNERS + name, "application/json", "{\"propagationPolicy\":\"" + policy + "\"}")
			.status();
	}

	private List<String> names(ResourceCollection collection) {
		return collection.list().stream().map((object) -> object.at("/metadata/name").asString()).toList();
	}

	@Test
	void whatIsOwnedGoesWithItsLastOwner() {
		String one = owner(this.server, "one");
		String two = owner(this.server, "two");
		own(this.owned, "a", "", "one", one);
		own(this.owned, "both", "", "one", one, "two", two);
		own(this.owned, "other", "", "two", two);
		assertThat(delete(this.server, "one", "Background")).isEqualTo(200);
		assertThat(names(this.owned)).containsExactly("both", "other");
		assertThat(this.owned.get("default", "both").orElseThrow().at("/metadata/ownerReferences")).hasSize(1);
		this.server.resources("owners").delete("default", "two");
		assertThat(this.owned.size()).isZero();
	}

	@Test
	void anOwnerWaitsForWhatBlocksIt() {
		own(this.owned, "slow", "\"example.com/wait\"", "one", owner(this.server, "one"));
		assertThat(delete(this.server, "one", "Foreground")).isEqualTo(200);
		assertThat(names(this.server.resources("owners"))).containsExactly("one");
		JsonNode slow = this.owned.get("default", "slow").orElseThrow();
		assertThat(slow.at("/metadata/deletionTimestamp").isMissingNode()).isFalse();
		this.owned.mergePatch("default", "slow", """
				{"metadata": {"finalizers": null}}""");
		assertThat(this.owned.size()).isZero();
		assertThat(this.server.resources("owners").size()).isZero();
	}

	@Test
	void orphansStay() {
		own(this.owned, "a", "", "one", owner(this.server, "one"));
		assertThat(delete(this.server, "one", "Orphan")).isEqualTo(200);
		assertThat(this.server.resources("owners").size()).isZero();
		assertThat(this.owned.get("default", "a").orElseThrow().path("metadata").has("ownerReferences")).isFalse();
	}

	@Test
	void withoutItEverythingStays() {
		try (EmbeddedApiServer other = server(false)) {
			own(other.resources("owned"), "a", "", "one", owner(other, "one"));
			assertThat(delete(other, "one", "Background")).isEqualTo(200);
			assertThat(other.resources("owned").size()).isOne();
		}
	}

}
