package dev.reflector.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The actuator of an application, over HTTP.
 */
final class Actuator {

	/**
	 * Reactor Netty may stop reading a connection that is used again (its issue 4361).
	 */
	static final String ONE_REQUEST = "server.netty.max-keep-alive-requests=1";

	/** The properties of an application with this actuator. */
	static final String[] PROPERTIES = { "spring.main.web-application-type=reactive", "server.port=0",
			"server.shutdown=immediate", ONE_REQUEST, "management.endpoints.web.exposure.include=*",
			"management.endpoint.health.show-details=always" };

	private static final HttpClient http = HttpClient.newHttpClient();

	private final String url;

	Actuator(ConfigurableApplicationContext application) {
		this.url = "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port")
				+ "/actuator/";
	}

	/** Reads something. */
	Answer get(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.url + path)).build();
		try {
			HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** The health of the publisher of widgets. */
	Answer health() {
		return get("health/reflectorKafka/widgets");
	}

	/**
	 * An answer.
	 *
	 * @param code its code
	 * @param text its body
	 */
	record Answer(int code, String text) {

		JsonNode body() {
			return new JsonMapper().readTree(this.text);
		}

	}

}
