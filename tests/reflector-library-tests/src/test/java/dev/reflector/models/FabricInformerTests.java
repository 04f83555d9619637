package dev.reflector.models;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The informer of fabric8's client with the embedded server, which it asks for a
 * WebSocket first.
 */
@LongFormOnly
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FabricInformerTests {

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	@Test
	void itFollowsTheEmbeddedServerAndItsWritesAreTaken() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder().type("v1", "ConfigMap", "configmaps", true).start();
				KubernetesClient client = new KubernetesClientBuilder()
					.withConfig(new ConfigBuilder().withMasterUrl(server.url().toString()).build())
					.build()) {
			ResourceCollection maps = server.resources("configmaps");
			create(maps, "one");
			SharedIndexInformer<ConfigMap> informer = client.configMaps().inNamespace("default").inform(new ToEvents());
			assertNext("ADDED one");
			create(maps, "two");
			assertNext("ADDED two");
			maps.mergePatch("default", "two", Map.of("data", Map.of("a", "2")));
			assertNext("UPDATED two {a=2}");
			client.configMaps().inNamespace("default").withName("one").delete();
			assertNext("DELETED one");
			server.closeWatches();
			create(maps, "three");
			assertNext("ADDED three");
			server.compact();
			server.closeWatches();
			maps.delete("default", "three");
			assertNext("DELETED three");
			client.configMaps().inNamespace("default").resource(map("four", "y")).serverSideApply();
			assertNext("ADDED four");
			client.configMaps()
				.inNamespace("default")
				.withName("four")
				.edit((four) -> new ConfigMapBuilder(four).addToData("x", "z").build());
			assertNext("UPDATED four {x=z}");
			assertThat(informer.getStore().list()).extracting((map) -> map.getMetadata().getName())
				.containsExactlyInAnyOrder("two", "four");
		}
	}

	private static void create(ResourceCollection maps, String name) {
		maps.create(Map.of("metadata", Map.of("name", name), "data", Map.of("a", "1")));
	}

	private static ConfigMap map(String name, String value) {
		return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().addToData("x", value).build();
	}

	private void assertNext(String expected) throws InterruptedException {
		assertThat(this.events.poll(60, TimeUnit.SECONDS)).isEqualTo(expected);
	}

	private final class ToEvents implements ResourceEventHandler<ConfigMap> {

		@Override
		public void onAdd(ConfigMap map) {
			add("ADDED " + map.getMetadata().getName());
		}

		@Override
		public void onUpdate(ConfigMap before, ConfigMap map) {
			add("UPDATED " + map.getMetadata().getName() + " " + map.getData());
		}

		@Override
		public void onDelete(ConfigMap map, boolean finalStateUnknown) {
			add("DELETED " + map.getMetadata().getName());
		}

		private void add(String event) {
			FabricInformerTests.this.events.add(event);
		}

	}

}
