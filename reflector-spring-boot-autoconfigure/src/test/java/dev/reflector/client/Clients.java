package dev.reflector.client;

import java.net.URI;
import java.time.Duration;

import dev.reflector.ObjectMeta;
import dev.reflector.ResourceType;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.MetadataAccessor;
import dev.reflector.cache.TimeSource;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Clients and objects for tests.
 */
final class Clients {

	static final ResourceType WIDGETS = ResourceType.of("example.com/v1", "Widget", "widgets");

	static final Scheduler DECODERS = Schedulers.newParallel("decode", 2, true);

	static final ApiServerClient.Options OPTIONS = new ApiServerClient.Options(Duration.ofSeconds(30),
			Duration.ofSeconds(30), DataSize.ofMegabytes(16), "reflector-test");

	private Clients() {
	}

	static ApiServerClient client(URI url, ApiServerClient.Options options) {
		return client(new ApiServer(url, null, TokenSource.none(), "test"), options);
	}

	static ApiServerClient client(URI url, ApiServerClient.Options options, JsonMapper mapper) {
		return new ApiServerClient(WebClient.builder(), ClientHttpConnectorBuilder.reactor(),
				HttpClientSettings.defaults(), mapper, new ApiServer(url, null, TokenSource.none(), "test"), options,
				DECODERS);
	}

	static ApiServerClient client(URI url, ApiServerClient.Options options, TimeSource time) {
		return new ApiServerClient(WebClient.builder(), ClientHttpConnectorBuilder.reactor(),
				HttpClientSettings.defaults(), JsonMapper.builder().build(),
				new ApiServer(url, null, TokenSource.none(), "test"), options, DECODERS, time);
	}

	static ApiServerClient client(ApiServer server, ApiServerClient.Options options) {
		return Connector.REACTOR.client(server, options);
	}

	static ListerWatcher<Widget> widgets(ApiServerClient client) {
		return client.listerWatcher(Widget.class, MetadataAccessor.forType(Widget.class), WIDGETS, "", "");
	}

	static ListerWatcher<Widget> widgets(RawServer server) {
		return widgets(client(server.uri(), OPTIONS));
	}

	static ApiServerClient.Options idle(Duration idle) {
		return new ApiServerClient.Options(OPTIONS.timeouts().connect(), idle, OPTIONS.maxObjectSize(),
				OPTIONS.userAgent());
	}

	static ApiServerClient.Options timeouts(Duration response, Duration idle) {
		return new ApiServerClient.Options(OPTIONS.httpVersion(),
				new ApiServerClient.Timeouts(OPTIONS.timeouts().connect(), response, idle),
				OPTIONS.maxListConnections(), OPTIONS.maxObjectSize(), OPTIONS.userAgent());
	}

	static ApiServerClient.Options maxObjectSize(long bytes) {
		return new ApiServerClient.Options(OPTIONS.timeouts().connect(), OPTIONS.timeouts().idle(),
				DataSize.ofBytes(bytes), OPTIONS.userAgent());
	}

	static ListOptions list() {
		return new ListOptions(null, "", 0, "");
	}

	static WatchOptions watch() {
		return new WatchOptions(null, "1", Duration.ofMinutes(5), true, false);
	}

	static String json(String name, int replicas) {
		return """
				{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s","namespace":"ns",\
				"resourceVersion":"7","unknown":[1,{"a":"}]"}]},"spec":{"replicas":%d,"text":"\\"ä€😀\\\\"}}"""
			.formatted(name, replicas);
	}

	static String frame(String type, String object) {
		return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
	}

	record Widget(ObjectMeta metadata, @Nullable Spec spec) {

		Widget {
			if (spec != null && spec.replicas() == 666) {
				throw new IllegalStateException("no such number");
			}
		}

		record Spec(int replicas, @Nullable String text) {

		}

	}

	/** Not the note that the watch is open. */
	static boolean isFrame(WatchEvent<?> event) {
		return !(event instanceof WatchEvent.Opened);
	}

}
