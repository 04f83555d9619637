package dev.reflector.autoconfigure.internal.connection;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.reflector.autoconfigure.connection.ApiServerProperties;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.Timeouts;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.DefaultClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes the client of the API server from the properties and from the application's beans
 * for HTTP clients. This code is not in an auto-configuration, because Spring inspects
 * all methods of an auto-configuration, and would load the types of these methods in
 * every application. This class is loaded only when the first reflector is made.
 *
 * @param properties properties of the server
 * @param environment supplies the name and version of the application, and the configured
 * name of observations
 * @param http beans for HTTP clients
 * @param jsonMapper reads the objects
 * @param time source of time
 * @param decodeScheduler runs the decoding of objects
 * @param customizer changes the builder of the client
 */
public record ApiServerClientFactory(ApiServerProperties properties, Environment environment, HttpBeans http,
		ObjectProvider<JsonMapper> jsonMapper, TimeSource time, ObjectProvider<Scheduler> decodeScheduler,
		Consumer<ApiServerClient.Builder> customizer) implements Function<ApiServer, ApiServerClient> {

	@Override
	public ApiServerClient apply(ApiServer server) {
		Timeouts timeouts = new Timeouts(this.properties.connectTimeout(), this.properties.responseTimeout(),
				this.properties.idleTimeout(), this.properties.eventTimeout());
		ApiServerClient.Builder client = ApiServerClient.builder(server)
			.webClientBuilder(webClientBuilder().clone().defaultHeader(HttpHeaders.USER_AGENT, userAgent()))
			.options(new ClientOptions(this.properties.httpVersion(), timeouts, this.properties.maxListConnections(),
					this.properties.maxObjectSize(), this.properties.compression(), this.properties.format()))
			.allowTokenOverHttp(this.properties.allowTokenOverHttp())
			.decodeScheduler(this.decodeScheduler.getObject())
			.timeSource(this.time);
		this.http.connectorBuilder().ifUnique(client::connectorBuilder);
		this.http.settings().ifUnique(client::connectorSettings);
		this.jsonMapper.ifUnique(client::jsonMapper);
		this.customizer.accept(client);
		return client.build();
	}

	/**
	 * Returns the application's builder. A builder with a qualifier is for certain
	 * requests only. For example, a builder with {@code @LoadBalanced} takes the host of
	 * the server for the name of a service. So the only builder without a qualifier is
	 * used, and the primary one if there are several without.
	 */
	private WebClient.Builder webClientBuilder() {
		ListableBeanFactory beans = this.http.beanFactory();
		List<String> general = Arrays
			.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, WebClient.Builder.class, true, false))
			.filter((name) -> !isQualified(beans, name))
			.toList();
		if (general.size() == 1) {
			return beans.getBean(general.get(0), WebClient.Builder.class);
		}
		return general.isEmpty() ? ownBuilder() : this.http.webClientBuilder().getIfUnique(this::ownBuilder);
	}

	/** Asks the context that defines the bean, because others do not know its method. */
	private static boolean isQualified(ListableBeanFactory beans, String name) {
		if (beans instanceof HierarchicalBeanFactory child && !child.containsLocalBean(name)
				&& child.getParentBeanFactory() instanceof ListableBeanFactory parent) {
			return isQualified(parent, name);
		}
		return beans.findAnnotationOnBean(name, Qualifier.class, false) != null;
	}

	/**
	 * Makes the builder for an application whose {@code WebClient.Builder} beans cannot
	 * be used. Like the builder of Spring Boot, this builder observes requests.
	 */
	private WebClient.Builder ownBuilder() {
		WebClient.Builder builder = WebClient.builder()
			.observationConvention(this.http.observationConvention().getIfUnique(this::named));
		this.http.observations().ifUnique(builder::observationRegistry);
		return builder;
	}

	private ClientRequestObservationConvention named() {
		return new DefaultClientRequestObservationConvention(this.environment
			.getProperty("management.observations.http.client.requests.name", "http.client.requests"));
	}

	/**
	 * Returns the user agent. The text begins with the name of the application, because
	 * operators of the server look for that name.
	 */
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

	/**
	 * Removes the characters that are not allowed in a product name of the header
	 * {@code User-Agent}.
	 */
	private static String token(@Nullable String text) {
		return (text != null) ? text.replaceAll("[^A-Za-z0-9._+-]", "") : "";
	}

	/**
	 * The application's beans from which HTTP clients are built. If there are several of
	 * a type, the primary one is used.
	 *
	 * @param beanFactory the factory of the beans
	 * @param webClientBuilder builder of clients
	 * @param connectorBuilder builder of the clients' connectors
	 * @param settings settings of the clients' connectors
	 * @param observations registry of observations, used if there is no builder of
	 * clients
	 * @param observationConvention names of observations, used if there is no builder of
	 * clients
	 */
	public record HttpBeans(ListableBeanFactory beanFactory, ObjectProvider<WebClient.Builder> webClientBuilder,
			ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<ClientRequestObservationConvention> observationConvention) {

	}

}
