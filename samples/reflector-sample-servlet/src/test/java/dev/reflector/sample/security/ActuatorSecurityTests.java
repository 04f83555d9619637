package dev.reflector.sample.security;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.reflector.sample.servlet.ServletApplication;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.context.AutoConfigureEmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The configuration that the guide shows for an application with Spring Security.
 */
@SpringBootTest(classes = ServletApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoint.reflectors.access=unrestricted",
				"server.tomcat.threads.max=" + ActuatorSecurityTests.THREADS,
				"server.tomcat.threads.min-spare=" + ActuatorSecurityTests.THREADS,
				// requests that a test has left open do not delay the end
				"server.shutdown=immediate" })
@AutoConfigureEmbeddedApiServer
@DirtiesContext
@Import({ ActuatorSecurity.class, ActuatorSecurityTests.Application.class })
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActuatorSecurityTests {

	static final int THREADS = 4;

	private final HttpClient client = HttpClient.newHttpClient();

	private final URI root;

	ActuatorSecurityTests(@Value("${local.server.port}") int port) {
		this.root = URI.create("http://127.0.0.1:" + port);
	}

	@Test
	void probesNeedNoUser() throws Exception {
		assertThat(get("", "/actuator/health/readiness")).isEqualTo(200);
		assertThat(get("", "/actuator/health/liveness")).isEqualTo(200);
	}

	@Test
	void readingAndGivingOrdersNeedARole() throws Exception {
		assertThat(get("", "/actuator/reflectors")).isEqualTo(401);
		assertThat(get("viewer", "/actuator/reflectors")).isEqualTo(200);
		assertThat(order("", "/actuator/reflectors/widgets")).isEqualTo(401);
		assertThat(order("viewer", "/actuator/reflectors/widgets")).isEqualTo(403);
	}

	@Test
	void anOperatorGivesOrdersWithoutAToken() throws Exception {
		assertThat(order("operator", "/actuator/reflectors/widgets")).isEqualTo(200);
	}

	@Test
	void elsewhereATokenIsAskedFor() throws Exception {
		assertThat(get("operator", "/widgets")).isEqualTo(200);
		assertThat(order("operator", "/widgets")).isEqualTo(403);
	}

	/** With Spring MVC, no thread of the web server waits for a comparison. */
	@Test
	void comparisonsThatWaitHoldNoThreadOfTheWebServer(@Autowired EmbeddedApiServer server) throws Exception {
		assertThat(this.client.send(verify(), BodyHandlers.ofString()).body()).contains("\"result\":\"EQUAL\"");
		server.clearRequests();
		server.fail(RecordedRequest::isList, 1, Fault.silence());
		List<CompletableFuture<HttpResponse<String>>> orders = new ArrayList<>();
		for (int i = 0; i < 2 * THREADS; i++) {
			orders.add(this.client.sendAsync(verify(), BodyHandlers.ofString()));
		}
		await().atMost(60, TimeUnit.SECONDS).until(() -> !server.requests(RecordedRequest::isList).isEmpty());
		assertThat(get("", "/actuator/health/liveness")).isEqualTo(200);
		server.closeWatches();
		await().atMost(60, TimeUnit.SECONDS).until(() -> !server.requests(RecordedRequest::isWatch).isEmpty());
		assertThat(orders).noneMatch(CompletableFuture::isDone);
		assertThat(server.requests(RecordedRequest::isList)).hasSize(1);
		orders.forEach((order) -> order.cancel(true));
	}

	private HttpRequest verify() {
		return authorized("operator",
				HttpRequest.newBuilder(this.root.resolve("/actuator/reflectors/widgets"))
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"verify\"}")))
			.build();
	}

	private int get(String user, String path) throws IOException, InterruptedException {
		return status(user, HttpRequest.newBuilder(this.root.resolve(path)));
	}

	private int order(String user, String path) throws IOException, InterruptedException {
		return status(user,
				HttpRequest.newBuilder(this.root.resolve(path))
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"relist\"}")));
	}

	private int status(String user, HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(authorized(user, request).build(), BodyHandlers.discarding()).statusCode();
	}

	private static HttpRequest.Builder authorized(String user, HttpRequest.Builder request) {
		if (!user.isEmpty()) {
			String credentials = Base64.getEncoder()
				.encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII));
			request.header("Authorization", "Basic " + credentials);
		}
		return request;
	}

	/** The defaults of Spring Security, with users. */
	@TestConfiguration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Application {

		@Bean
		SecurityFilterChain everythingElse(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("viewer").password("secret").roles("VIEWER").build(),
					User.withUsername("operator").password("secret").roles("OPERATOR").build());
		}

		/** Spring Security's own takes much time, with each request. */
		@Bean
		PasswordEncoder plainPasswords() {
			return new PasswordEncoder() {

				@Override
				public String encode(CharSequence password) {
					return password.toString();
				}

				@Override
				public boolean matches(CharSequence password, String encoded) {
					return password.toString().equals(encoded);
				}

			};
		}

	}

}
