package dev.reflector.client;

import java.time.Duration;

import dev.reflector.ResourceType;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ResourceAccessor;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

/** Placeholder. */
public final class ApiServerClient {

	public ApiServerClient(WebClient.Builder builder, ClientHttpConnectorBuilder<?> connectorBuilder,
			HttpClientSettings settings, JsonMapper jsonMapper, ApiServer server, Options options,
			Scheduler decodeScheduler) {
	}

	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector) {
		return new ListerWatcher<>() {

			@Override
			public Mono<ListPage<T>> list(ListOptions options) {
				return Mono.never();
			}

			@Override
			public Flux<WatchEvent<T>> watch(WatchOptions options) {
				return Flux.never();
			}

		};
	}

	/**
	 * Placeholder.
	 *
	 * @param connectTimeout connect timeout
	 * @param idleTimeout idle timeout
	 * @param maxObjectSize largest object
	 * @param userAgent user agent
	 */
	public record Options(Duration connectTimeout, Duration idleTimeout, DataSize maxObjectSize, String userAgent) {

	}

}
