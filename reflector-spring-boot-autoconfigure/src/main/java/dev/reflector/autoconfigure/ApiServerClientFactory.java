package dev.reflector.autoconfigure;

import java.util.function.Function;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.Timeouts;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.DefaultClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes the client of the API server of what the application has for clients of HTTP.
 * Kept out of the auto-configuration, all of whose methods Spring looks at in every
 * application: these types are loaded with the first reflector, as far as we are asked.
 *
 * @param properties of the server
 * @param environment names the application, and observations
 * @param webClientBuilder that of the application
 * @param connectorBuilder of its connections
 * @param settings of its connections
 * @param jsonMapper reads the objects
 * @param observations of requests, where the builder is ours
 * @param observationConvention of requests, where the builder is ours
 * @param time of the clocks
 * @param decodeScheduler where objects are read
 */
record ApiServerClientFactory(ReflectorProperties.ApiServer properties, Environment environment,
		ObjectProvider<WebClient.Builder> webClientBuilder,
		ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
		ObjectProvider<JsonMapper> jsonMapper, ObjectProvider<ObservationRegistry> observations,
		ObjectProvider<ClientRequestObservationConvention> observationConvention, TimeSource time,
		ObjectProvider<Scheduler> decodeScheduler) implements Function<ApiServer, ApiServerClient> {

	@Override
	public ApiServerClient apply(ApiServer server) {
		Timeouts timeouts = new Timeouts(this.properties.connectTimeout(), this.properties.responseTimeout(),
				this.properties.idleTimeout(), this.properties.eventTimeout());
		ApiServerClient.Builder client = ApiServerClient.builder(server)
			.webClientBuilder(this.webClientBuilder.getIfAvailable(this::ownBuilder)
				.clone()
				.defaultHeader(HttpHeaders.USER_AGENT, userAgent()))
			.options(new ClientOptions(this.properties.httpVersion(), timeouts, this.properties.maxListConnections(),
					this.properties.maxObjectSize(), this.properties.compression(), this.properties.format()))
			.decodeScheduler(this.decodeScheduler.getObject())
			.timeSource(this.time);
		this.connectorBuilder.ifAvailable(client::connectorBuilder);
		this.settings.ifAvailable(client::connectorSettings);
		this.jsonMapper.ifAvailable(client::jsonMapper);
		return client.build();
	}

	/** Requests are observed as those of the builder that Spring Boot makes. */
	private WebClient.Builder ownBuilder() {
		WebClient.Builder builder = WebClient.builder()
			.observationConvention(this.observationConvention.getIfAvailable(this::named));
		this.observations.ifUnique(builder::observationRegistry);
		return builder;
	}

	private ClientRequestObservationConvention named() {
		return new DefaultClientRequestObservationConvention(this.environment
			.getProperty("management.observations.http.client.requests.name", "http.client.requests"));
	}

	/** The application first, as the name that operators of the server look for. */
	private String userAgent() {
		String library = product("reflector-spring-boot",
				ApiServerClientFactory.class.getPackage().getImplementationVersion());
		String application = product(this.environment.getProperty("spring.application.name"),
				this.environment.getProperty("spring.application.version"));
		return application.isEmpty() ? library : application + " " + library;
	}

	private static String product(@Nullable String name, @Nullable String version) {
		String product = token(name);
		String suffix = token(version);
		return (product.isEmpty() || suffix.isEmpty()) ? product : product + "/" + suffix;
	}

	/** What may stand in the header without quotes. */
	private static String token(@Nullable String text) {
		return (text != null) ? text.replaceAll("[^A-Za-z0-9._+-]", "") : "";
	}

}
