package dev.reflector.write.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.write.ResourceWriter;
import tools.jackson.databind.JsonNode;

import static org.awaitility.Awaitility.await;

/**
 * A server with websites on a socket, and a mirror of them that can be held back.
 */
final class Scene implements AutoCloseable {

	private static final Duration BRIEF = Duration.ofMillis(5);

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

	private static final ResourceType TYPE = ResourceType.of("example.com/v1", "Website", "websites");

	final EmbeddedApiServer server = EmbeddedApiServer.builder().definition(DEFINITION).start();

	final ResourceCollection sites = this.server.resources("websites");

	private final ApiServerClient client = ApiServerClient
		.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
		.build();

	final SharedInformer<Site> mirror = SharedInformer
		.builder("websites", this.client.listerWatcher(Site.class, MetadataAccessor.forType(Site.class), TYPE, "", ""),
				MetadataAccessor.forType(Site.class))
		.resourceType(TYPE)
		.options(ReflectorOptions.builder()
			.backoff(new BackoffSettings(BRIEF, BRIEF, 1, 0, Duration.ofMinutes(1)))
			.build())
		.build();

	Scene() {
		this.mirror.start();
		settle();
	}

	/** A writer that remembers nothing, as after a start. */
	ResourceWriter writer(String application) {
		return this.client.writer()
			.application(application)
			.mirror(Site.class, this.mirror)
			.timeout(Duration.ofSeconds(20))
			.build();
	}

	Optional<JsonNode> stored(String name) {
		return this.sites.get("default", name);
	}

	Optional<Site> mirrored(String name) {
		return Optional.ofNullable(this.mirror.lister().get("default", name));
	}

	Optional<Site> mirrored(ResourceKey key, String uid) {
		return mirrored(key.name()).filter((site) -> site.uid().equals(uid));
	}

	/** Answers the next write with a fault. */
	void failWrite(Fault fault) {
		this.server.fail(RecordedRequest::isWrite, 1, fault);
	}

	/**
	 * Loses the answer to the next write, and runs an action before the write is
	 * repeated.
	 */
	void loseAnswer(Runnable before) {
		failWrite(Fault.truncate(20));
		this.server.fail((request) -> {
			if (request.isWrite()) {
				before.run();
			}
			return false;
		}, 1, Fault.disconnect());
	}

	/** Makes the mirror open a watch with a fault. */
	void troubleMirror(Fault fault) {
		this.server.fail(RecordedRequest::isWatch, 1, fault);
		this.server.closeWatches();
	}

	void holdMirror() {
		this.mirror.pause();
		await().until(() -> this.mirror.status().state() == ReflectorState.PAUSED);
	}

	void releaseMirror() {
		this.mirror.resume();
	}

	boolean hasReached(String version) {
		return this.mirror.lister().hasReached("default", version);
	}

	boolean isUpToDate() {
		return this.mirror.hasSynced() && this.mirror.lister().hasReached(this.server.resourceVersion());
	}

	void settle() {
		await().pollInterval(Duration.ofMillis(2)).until(this::isUpToDate);
	}

	/** Requests of writes since this was asked last. */
	List<RecordedRequest> takeWrites() {
		List<RecordedRequest> writes = this.server.requests(RecordedRequest::isWrite);
		this.server.clearRequests();
		return writes;
	}

	void clear(Stream<String> names) {
		this.server.clearFaults();
		releaseMirror();
		names.filter((name) -> stored(name).isPresent()).forEach((name) -> {
			this.sites.mergePatch("default", name, "{\"metadata\": {\"finalizers\": null}}");
			if (stored(name).isPresent()) {
				this.sites.delete("default", name);
			}
		});
	}

	@Override
	public void close() {
		this.mirror.close();
		this.client.disconnect();
		this.server.close();
	}

}
