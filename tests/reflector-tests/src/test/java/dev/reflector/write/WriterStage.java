package dev.reflector.write;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.reflector.ResourceType;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.ResourceWriterBuilder;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.awaitility.Awaitility.await;

/**
 * A server with websites, a mirror of them, and a writer.
 */
final class WriterStage implements AutoCloseable {

	static final Predicate<RecordedRequest> WRITES = RecordedRequest::isWrite;

	private static final String DEFINITION = """
			{"spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Website", "plural": "websites"},
			 "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			  "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			   "spec": {"type": "object", "properties": {
			    "host": {"type": "string"}, "replicas": {"type": "integer"},
			    "aliases": {"type": "array", "items": {"type": "string"}},
			    "options": {"type": "object", "additionalProperties": {"type": "string"}}}},
			   "status": {"type": "object", "properties": {
			    "phase": {"type": "string"}, "observedGeneration": {"type": "integer"}}}}}}}]}}""";

	final EmbeddedApiServer server = EmbeddedApiServer.builder().definition(DEFINITION).start();

	final ResourceCollection sites = this.server.resources("websites");

	final List<WriteReport> reports = new CopyOnWriteArrayList<>();

	private final ApiServerClient client = ApiServerClient
		.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
		.build();

	final SharedInformer<Website> mirror = mirror("websites");

	final ResourceWriter writer = writer((builder) -> builder);

	WriterStage() {
		this.mirror.start();
	}

	/** Returns a mirror of the websites that is not started. */
	SharedInformer<Website> mirror(String name) {
		return SharedInformer
			.builder(name,
					this.client.listerWatcher(Website.class, MetadataAccessor.forType(Website.class),
							ResourceType.of("example.com/v1", "Website", null), "", ""),
					MetadataAccessor.forType(Website.class))
			.resourceType(ResourceType.of("example.com/v1", "Website", null))
			.build();
	}

	ResourceWriter writer(UnaryOperator<ResourceWriterBuilder> customizer) {
		return writer(this.client, customizer);
	}

	/** Returns a writer of an application that has configured its JSON mapper. */
	ResourceWriter writer(JsonMapper mapper, UnaryOperator<ResourceWriterBuilder> customizer) {
		return writer(ApiServerClient.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
			.jsonMapper(mapper)
			.build(), customizer);
	}

	private ResourceWriter writer(ApiServerClient client, UnaryOperator<ResourceWriterBuilder> customizer) {
		return customizer
			.apply(client.writer()
				.application("shop")
				.mirror(Website.class, this.mirror)
				.observer(this.reports::add)
				.timeout(Duration.ofSeconds(20)))
			.build();
	}

	ResourceWriter writerWithoutMirror() {
		return this.client.writer().application("shop").timeout(Duration.ofSeconds(20)).build();
	}

	/** Returns a website that another manager has created, as it is mirrored. */
	Website created(String name) {
		this.sites.managedBy("kubectl").create("""
				{"metadata": {"name": "%s"}, "spec": {"host": "%s.example.com"}}""".formatted(name, name));
		return mirrored(name);
	}

	/** Returns a website as soon as the mirror has reached the state of the server. */
	Website mirrored(String name) {
		awaitMirror();
		return this.mirror.lister().get("default", name);
	}

	void awaitMirror() {
		String version = this.server.resourceVersion();
		await().until(() -> this.mirror.hasSynced() && this.mirror.lister().hasReached(version));
	}

	JsonNode stored(String name) {
		return this.sites.get("default", name).orElseThrow();
	}

	List<RecordedRequest> writes() {
		return this.server.requests(WRITES);
	}

	@Override
	public void close() {
		this.mirror.close();
		this.client.disconnect();
		this.server.close();
	}

}
