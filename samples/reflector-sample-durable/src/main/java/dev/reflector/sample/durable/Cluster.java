package dev.reflector.sample.durable;

import dev.reflector.test.EmbeddedApiServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;

/**
 * An API server that serves widgets. It runs in a separate process, so that it continues
 * when the application is killed. It is not a part of the application.
 */
public class Cluster {

	private static final Logger logger = LoggerFactory.getLogger(Cluster.class);

	/**
	 * Starts the server.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		SpringApplication cluster = new SpringApplication(Cluster.class);
		cluster.setWebApplicationType(WebApplicationType.NONE);
		cluster.setKeepAlive(true);
		cluster.run(args);
	}

	@Bean
	EmbeddedApiServer apiServer() {
		EmbeddedApiServer server = start(8001);
		logger.info("Widgets are at {}/apis/example.com/v1/namespaces/default/widgets", server.url());
		return server;
	}

	static EmbeddedApiServer start(int port) {
		return EmbeddedApiServer.builder().port(port).type("example.com/v1", "Widget", "widgets", true).start();
	}

}
