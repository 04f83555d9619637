package dev.reflector.sample.console;

import java.time.Duration;
import java.util.stream.Stream;

import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.test.EmbeddedApiServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Runs an embedded API server with some widgets and deployments that change all the time,
 * unless the console is configured to use another server.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedCluster.NoServerNamed.class)
@EnableConfigurationProperties(ChurnProperties.class)
class EmbeddedCluster {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedCluster.class);

	/**
	 * The definition of widgets. It has a schema, so that a type that does not fit is
	 * reported.
	 */
	private static final String WIDGETS = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "widgets.example.com"},
			 "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
			   "type": "object", "properties": {
			    "spec": {"type": "object", "properties": {
			     "size": {"type": "integer"}, "colour": {"type": "string"}}},
			    "status": {"type": "object", "properties": {"ready": {"type": "integer"}}}}}}}]}}
			""";

	@Bean
	EmbeddedApiServer embeddedApiServer() {
		EmbeddedApiServer server = EmbeddedApiServer.builder()
			.definition(WIDGETS)
			.type("apps/v1", "Deployment", "deployments", true)
			.bookmarkInterval(Duration.ofSeconds(2))
			.start();
		logger.info("No API server is configured: mirroring an embedded one. Try: kubectl --server={} get widgets",
				server.url());
		return server;
	}

	@Bean
	ReflectorConnectionDetails embeddedConnectionDetails(EmbeddedApiServer server) {
		ApiServer apiServer = new ApiServer(server.url(), null, TokenSource.none(), "the embedded server");
		return () -> apiServer;
	}

	@Bean
	WidgetFactory widgetFactory(EmbeddedApiServer server) {
		return new WidgetFactory(server.resources("widgets"));
	}

	@Bean
	Churn churn(EmbeddedApiServer server, WidgetFactory widgets, ChurnProperties properties) {
		return new Churn(server.resources("deployments"), widgets, properties);
	}

	@Bean
	SlowListener slowListener() {
		return new SlowListener();
	}

	@Bean
	FaultPanel faultPanel(EmbeddedApiServer server, SlowListener listener) {
		return new FaultPanel(server, listener);
	}

	/** Matches if neither a URL nor a kubeconfig is configured. */
	static class NoServerNamed implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Stream.of("reflector.api-server.url", "reflector.api-server.kubeconfig")
				.map(context.getEnvironment()::getProperty)
				.noneMatch(StringUtils::hasText);
		}

	}

}
