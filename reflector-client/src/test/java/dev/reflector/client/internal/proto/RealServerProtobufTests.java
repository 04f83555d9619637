package dev.reflector.client.internal.proto;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Compares the objects of a real API server in protobuf with the same objects in JSON.
 * Only reads.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
class RealServerProtobufTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final ApiServer server = Kubeconfig.load(Path.of(System.getProperty("reflector.it.kubeconfig")), null);

	static Set<String> types() {
		return new TreeSet<>(MessageTable.get().types());
	}

	private <T> ListerWatcher<T> source(Class<T> type, ResourceType resourceType, ObjectFormat format) {
		ApiServerClient client = Clients.client(this.server, Clients.OPTIONS.withFormat(format));
		return client.listerWatcher(type, MetadataAccessor.forType(type), resourceType, "", "", false);
	}

	private static @Nullable ListPage<GenericResource> list(ListerWatcher<GenericResource> source) {
		try {
			return source.list(Clients.list()).block(LIMIT);
		}
		catch (TypeNotServedException ex) {
			return null;
		}
		catch (ApiException ex) {
			assertThat(ex.status().code()).isIn(403, 404);
			return null;
		}
	}

	private static Map<String, GenericResource> byVersion(Stream<GenericResource> objects) {
		return objects.collect(Collectors.toMap(
				(object) -> object.metadata().uid() + " " + object.metadata().resourceVersion(), Function.identity()));
	}

	@ParameterizedTest
	@MethodSource("types")
	void everyObjectIsTheSameInBothFormats(String name) {
		String[] parts = name.split(" ");
		ResourceType type = ResourceType.of(parts[0], parts[1], null);
		ListPage<GenericResource> json = list(source(GenericResource.class, type, ObjectFormat.JSON));
		assumeTrue(json != null && !json.items().isEmpty(), "the server has no such objects");
		Map<String, GenericResource> expected = byVersion(json.items().stream());
		ListerWatcher<GenericResource> source = source(GenericResource.class, type, ObjectFormat.PROTOBUF);
		ListPage<GenericResource> listed = list(source);
		assertThat(listed).isNotNull();
		assertThat(listed.skipped()).isEmpty();
		compare(expected, byVersion(listed.items().stream()));
		// a watch from "0" begins with all objects
		List<GenericResource> watched = source.watch(new WatchOptions(null, "0", Duration.ofSeconds(5), true, false))
			.ofType(WatchEvent.Added.class)
			.map((event) -> (GenericResource) event.object())
			.take(listed.items().size())
			.collectList()
			.blockOptional(LIMIT)
			.orElseThrow();
		compare(expected, byVersion(watched.stream()));
	}

	/**
	 * Compares objects of the same version only, since others may change between
	 * requests.
	 */
	private static void compare(Map<String, GenericResource> expected, Map<String, GenericResource> found) {
		assertThat(found.keySet()).containsAnyElementsOf(expected.keySet());
		found.forEach((version, object) -> {
			if (expected.containsKey(version)) {
				assertThat(object).isEqualTo(expected.get(version));
			}
		});
	}

	@Test
	void w59_metadataOfCustomResourcesComesInProtobuf() {
		ListerWatcher<Named> named = Clients.client(this.server, Clients.OPTIONS.withFormat(ObjectFormat.PROTOBUF))
			.listerWatcher(Named.class, MetadataAccessor.forType(Named.class), Clients.WIDGETS, "", "");
		ListPage<Named> page = named.list(Clients.list()).blockOptional(LIMIT).orElseThrow();
		assertThat(page.skipped()).isEmpty();
		assertThat(page.resourceVersion()).isNotEmpty();
		assertThat(page.items()).isEqualTo(source(Named.class, Clients.WIDGETS, ObjectFormat.JSON).list(Clients.list())
			.blockOptional(LIMIT)
			.orElseThrow()
			.items());
	}

	record Named(ObjectMeta metadata) {

	}

}
