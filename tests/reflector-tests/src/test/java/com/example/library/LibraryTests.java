package com.example.library;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/sources.md} that polls, at work on a REST API.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class LibraryTests {

	private volatile int status = 200;

	private volatile String books = "[{\"isbn\": \"1\", \"title\": \"Emma\"}]";

	@Test
	void aRestApiIsMirrored(CapturedOutput output) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/books", this::answer);
		server.start();
		try (ConfigurableApplicationContext context = run(server.getAddress().getPort())) {
			@SuppressWarnings("unchecked")
			Lister<Book> lister = context.getBean(Lister.class);
			await().until(() -> output.getOut().contains("ResourceAddedEvent[books 1 @ 2]: Emma"));
			this.books = "[{\"isbn\": \"1\", \"title\": \"Emma\"}, {\"isbn\": \"2\", \"title\": \"Dracula\"}]";
			await().until(() -> output.getOut().contains("ResourceAddedEvent[books 2 @ 3]: Dracula"));
			this.status = 500;
			Reflector<?> reflector = context.getBean(Reflector.class);
			await().until(() -> reflector.status().failingSince() != null);
			assertThat(lister.size()).isEqualTo(2);
			this.books = "[{\"isbn\": \"2\", \"title\": \"Dracula, 2nd edition\"}]";
			this.status = 200;
			await().until(() -> output.getOut().contains("ResourceUpdatedEvent[books 2 @ 5]: Dracula, 2nd edition"));
			await().until(() -> output.getOut().contains("ResourceDeletedEvent[books 1 @ 4]: Emma"));
		}
		finally {
			server.stop(0);
		}
	}

	private void answer(HttpExchange exchange) throws IOException {
		byte[] body = this.books.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(this.status, body.length);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(body);
		}
	}

	private static ConfigurableApplicationContext run(int port) {
		return new SpringApplicationBuilder(LibraryApplication.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED, "reflector.api-server.required=false",
					"reflector.backoff.initial=20ms")
			.run("--library.url=http://127.0.0.1:" + port, "--library.period=10ms");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import(Library.class)
	static class LibraryApplication {

	}

}
