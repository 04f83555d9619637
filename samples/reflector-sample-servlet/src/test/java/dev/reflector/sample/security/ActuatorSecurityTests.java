package dev.reflector.sample.security;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.reflector.sample.servlet.ServletApplication;
import dev.reflector.test.context.AutoConfigureEmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The configuration that the guide shows for an application with Spring Security.
 */
@SpringBootTest(classes = ServletApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = "management.endpoint.reflectors.access=unrestricted")
@AutoConfigureEmbeddedApiServer
@DirtiesContext
@Import({ ActuatorSecurity.class, ActuatorSecurityTests.Application.class })
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActuatorSecurityTests {

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
		if (!user.isEmpty()) {
			String credentials = Base64.getEncoder()
				.encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII));
			request.header("Authorization", "Basic " + credentials);
		}
		return this.client.send(request.build(), BodyHandlers.discarding()).statusCode();
	}

	/** What is Spring Security's by default, with users. */
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
					User.withUsername("viewer").password("{noop}secret").roles("VIEWER").build(),
					User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build());
		}

	}

}
