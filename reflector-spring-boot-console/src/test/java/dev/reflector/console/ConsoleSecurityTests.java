package dev.reflector.console;

import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

import com.example.console.ConsoleTestApplication;
import com.example.security.ConsoleSecurity;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console behind Spring Security: nothing without a user, and orders only with the
 * token that the page gets.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleSecurityTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anOperatorGivesOrdersWithTheTokenOfThePageAndAViewerNone(WebApplicationType web) throws Exception {
		Class<?> security = (web == WebApplicationType.SERVLET) ? ServletSecurity.class : ReactiveSecurity.class;
		try (RunningConsole console = RunningConsole.start(List.of(ConsoleTestApplication.class, security), web,
				(server) -> server, "--reflector.console.write-operations=true")) {
			for (String path : List.of("", "/", "/assets/console.js", "/api/reflectors", "/api/stream",
					"/api/reflectors/widgets/objects")) {
				assertThat(console.get("/reflectors" + path).statusCode()).as(path).isEqualTo(401);
			}
			HttpResponse<String> overview = console
				.send(user("operator", console.request("/reflectors/api/reflectors")));
			assertThat(overview.statusCode()).isEqualTo(200);
			JsonNode csrf = RunningConsole.JSON.readTree(overview.body()).path("csrf");
			String session = overview.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
			assertThat(order(console, "operator", session, "", "").statusCode()).isEqualTo(403);
			assertThat(order(console, "operator", session, csrf.path("header").asString(), "guessed").statusCode())
				.isEqualTo(403);
			assertThat(
					order(console, "operator", session, csrf.path("header").asString(), csrf.path("token").asString())
						.statusCode())
				.isEqualTo(200);
			if (web == WebApplicationType.SERVLET) {
				assertThatAViewerGivesNoOrders(console);
			}
			assertThatNoUserTakesTheStreamsOfAnother(console);
		}
	}

	private static void assertThatNoUserTakesTheStreamsOfAnother(RunningConsole console) throws Exception {
		List<InputStream> open = new ArrayList<>();
		try {
			for (int i = 0; i < OpenStreams.MOST_OF_ONE; i++) {
				HttpResponse<InputStream> stream = stream(console, "operator");
				open.add(stream.body());
				assertThat(stream.statusCode()).isEqualTo(200);
			}
			HttpResponse<InputStream> tooMany = stream(console, "operator");
			open.add(tooMany.body());
			assertThat(tooMany.statusCode()).isEqualTo(503);
			HttpResponse<InputStream> other = stream(console, "viewer");
			open.add(other.body());
			assertThat(other.statusCode()).isEqualTo(200);
		}
		finally {
			for (InputStream body : open) {
				body.close();
			}
		}
	}

	private static HttpResponse<InputStream> stream(RunningConsole console, String user) throws Exception {
		return console.client.send(user(user, console.request("/reflectors/api/stream")).build(),
				BodyHandlers.ofInputStream());
	}

	private static void assertThatAViewerGivesNoOrders(RunningConsole console) {
		HttpResponse<String> overview = console.send(user("viewer", console.request("/reflectors/api/reflectors")));
		assertThat(overview.statusCode()).isEqualTo(200);
		JsonNode csrf = RunningConsole.JSON.readTree(overview.body()).path("csrf");
		String session = overview.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
		assertThat(order(console, "viewer", session, csrf.path("header").asString(), csrf.path("token").asString())
			.statusCode()).isEqualTo(403);
	}

	private static HttpResponse<String> order(RunningConsole console, String user, String session, String header,
			String token) {
		HttpRequest.Builder request = user(user, console.request("/reflectors/api/reflectors/widgets/relist"))
			.header("Cookie", session)
			.header("X-Reflector-Console", "1")
			.POST(HttpRequest.BodyPublishers.noBody());
		if (!header.isEmpty()) {
			request.header(header, token);
		}
		return console.send(request);
	}

	private static HttpRequest.Builder user(String name, HttpRequest.Builder request) {
		return request.header("Authorization",
				"Basic " + Base64.getEncoder().encodeToString((name + ":secret").getBytes(StandardCharsets.US_ASCII)));
	}

	private static UserDetails user(String role) {
		return User.withUsername(role.toLowerCase(Locale.ROOT)).password("secret").roles(role).build();
	}

	/** Spring Security's own takes much time, with each request. */
	static class PlainPasswords implements PasswordEncoder {

		@Override
		public String encode(CharSequence password) {
			return password.toString();
		}

		@Override
		public boolean matches(CharSequence password, String encoded) {
			return password.toString().equals(encoded);
		}

	}

	/** The guide's code, with users. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	@Import({ ConsoleSecurity.class, PlainPasswords.class })
	static class ServletSecurity {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("VIEWER"), user("OPERATOR"));
		}

	}

	/** The defaults of Spring Security for WebFlux, with users. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	@Import(PlainPasswords.class)
	static class ReactiveSecurity {

		@Bean
		SecurityWebFilterChain everything(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("VIEWER"), user("OPERATOR"));
		}

	}

}
