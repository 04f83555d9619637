package dev.reflector.client;

import java.time.Duration;
import java.util.Objects;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.sharding.membership.MemberStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * An answer with 200 whose objects are all fine and never end, for mirrors with a limit.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndlessListTests {

	@ParameterizedTest
	@CsvSource({ "LIST, OBJECTS", "LIST, BYTES", "LIST, UNREADABLE", "STREAM, OBJECTS", "STREAM, BYTES",
			"STREAM, UNREADABLE", "STREAM, UNREADABLE BYTES" })
	void isEndedByTheLimitOfTheMirror(InitialList initialList, String limit) throws Exception {
		RawServer.Script endless = (request, connection) -> {
			boolean stream = request.target().contains("watch=");
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write(stream ? "" : "{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"items\":[");
			for (int i = 0;; i++) {
				String object = limit.startsWith("UNREADABLE") ? "{\"metadata\":{\"name\":\"w" + i + "\"},\"spec\":[]}"
						: Clients.json("w" + i, i % 100);
				connection.write(stream ? "{\"type\":\"ADDED\",\"object\":" + object + "}\n" : object + ",");
			}
		};
		boolean bytes = limit.endsWith("BYTES");
		ReflectorOptions.Builder options = ReflectorOptions.builder().initialList(initialList);
		options = bytes ? options.maxSize(100_000) : options.maxObjects(1_000);
		try (RawServer server = new RawServer(endless);
				SharedInformer<Widget> informer = SharedInformer
					.builder("widgets", Clients.widgets(server), MetadataAccessor.forType(Widget.class))
					.resourceType(Clients.WIDGETS)
					.options(options.build())
					.build()) {
			informer.start();
			await().until(() -> informer.state() == ReflectorState.BACKING_OFF);
			assertThat(Objects.requireNonNull(informer.status().lastError()).toString())
				.contains(bytes ? "MirrorTooLarge" : "TooManyObjects")
				.contains(bytes ? "more than 100000 bytes, and 'reflector.resources.widgets.max-size' is 100000B"
						: "more than 1000 objects, and 'reflector.resources.widgets.max-objects' is 1000");
			assertThat(informer.lister().size()).isZero();
			assertThat(informer.hasSynced()).isFalse();
		}
	}

	/** The Leases of the replicas that share the objects, whatever the limits are. */
	@Test
	void ofLeasesIsEnded() throws Exception {
		RawServer.Script endless = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write("{\"kind\":\"LeaseList\",\"apiVersion\":\"coordination.k8s.io/v1\",\"items\":[");
			String leases = "{\"metadata\":{\"name\":\"shop.b\",\"namespace\":\"default\"}},".repeat(100);
			while (true) {
				connection.write(leases);
			}
		};
		try (RawServer server = new RawServer(endless)) {
			MemberStore store = Clients.client(server.uri(), Clients.OPTIONS).shardMembers("default", "shop", "a");
			assertThatException().isThrownBy(() -> store.list().block(Duration.ofSeconds(30)))
				.withMessageContaining("there are more than 10000 Leases with the same label");
		}
	}

}
