package dev.reflector.test.context;

import java.util.Objects;

import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.test.EmbeddedApiServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Defines the embedded server, and the connection of the application to it.
 */
@Configuration(proxyBeanMethods = false)
class EmbeddedApiServerConfiguration {

	@Bean(destroyMethod = "close")
	@Primary
	EmbeddedApiServer embeddedApiServer(TestKitSettings settings, ObjectProvider<ReflectedResourceTypes> mirrored,
			ObjectProvider<EmbeddedApiServerBuilderCustomizer> customizers) {
		TestKitSettings.Server server = Objects.requireNonNull(settings.server());
		EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder()
			.historyWindow(server.historyWindow())
			.bookmarkInterval(server.bookmarkInterval())
			.watchList(server.watchList());
		if (server.tls()) {
			builder.tls();
		}
		ServedTypeCollector types = new ServedTypeCollector(server.types());
		mirrored.ifAvailable((reflected) -> reflected.list().forEach(types::derive));
		types.list().forEach((type) -> builder.type(type.apiVersion(), type.kind(), type.plural(), type.namespaced()));
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.start();
	}

	@Bean
	@Primary
	ReflectorConnectionDetails embeddedApiServerConnectionDetails(EmbeddedApiServer server) {
		return () -> {
			// reads URL and authority from a kubeconfig, as an application outside of
			// tests does
			ApiServer described = Kubeconfig.parse(server.kubeconfig(), "the embedded server", null)
				.withOrigin("embedded for this test");
			String token = server.token();
			// added separately, because the token of a kubeconfig is not sent without TLS
			return (token != null) ? described.withToken(TokenSource.of(token)).withSsl(described.ssl()) : described;
		};
	}

}
