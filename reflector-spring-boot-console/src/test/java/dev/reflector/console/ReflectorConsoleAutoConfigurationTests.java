package dev.reflector.console;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests under which conditions the console exists.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorConsoleAutoConfigurationTests {

	private static final AutoConfigurations CONSOLE = AutoConfigurations.of(ReflectorConsoleAutoConfiguration.class);

	private static final String ON = "reflector.console.enabled=true";

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(CONSOLE);

	@Test
	void isOffByDefault() {
		this.servlet.run((context) -> assertThat(context).doesNotHaveBean(ConsoleController.class)
			.doesNotHaveBean(ConsoleInstrumentation.class));
	}

	@Test
	void isThereInBothKindsOfWebApplications() {
		this.servlet.withPropertyValues(ON)
			.run((context) -> assertThat(context).hasSingleBean(ConsoleController.class));
		new ReactiveWebApplicationContextRunner().withConfiguration(CONSOLE)
			.withPropertyValues(ON)
			.run((context) -> assertThat(context).hasSingleBean(ConsoleController.class));
	}

	@Test
	void isNotThereWithoutAWebApplication() {
		new ApplicationContextRunner().withConfiguration(CONSOLE)
			.withPropertyValues(ON)
			.run((context) -> assertThat(context).doesNotHaveBean(Console.class));
	}

	@Test
	void isNotThereWithoutReflectors() {
		this.servlet.withPropertyValues(ON, "reflector.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Console.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "reflectors", "/reflectors/", "", "/a//b", "/a b", "/{x}", "/a/*" })
	void aPathThatMakesNoSenseIsToldSo(String path) {
		this.servlet.withPropertyValues(ON, "reflector.console.path=" + path)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'reflector.console.path' must begin with a slash"));
	}

	static Stream<Arguments> locks() {
		String most = "management.endpoints.access.max-permitted=";
		String endpoint = "management.endpoint.reflectors.access=";
		return Stream.of(arguments("", true, true), arguments(most + "read-only", true, false),
				arguments(most + "NONE", false, false), arguments(most + "unrestricted", true, true),
				arguments(endpoint + "read-only", true, false), arguments(endpoint + "none", false, false),
				arguments(endpoint + "unrestricted", true, true),
				arguments(endpoint + "unrestricted," + most + "read_only", true, false),
				arguments("management.endpoint.reflectors.enabled=false", false, false),
				// the default of other endpoints is none of the console's
				arguments("management.endpoints.access.default=none", true, true));
	}

	@ParameterizedTest
	@MethodSource("locks")
	void theActuatorIsAskedWhatIsAllowed(String settings, boolean reads, boolean writes, CapturedOutput output) {
		this.servlet.withPropertyValues(ON, "reflector.console.write-operations=true")
			.withPropertyValues(settings.isEmpty() ? new String[0] : settings.split(","))
			.run((context) -> assertThat(context.getBean(Console.class).access())
				.isEqualTo(new ConsoleAccess(reads, writes)));
		assertThat(output.getOut().contains("because of 'management.")).isEqualTo(!writes);
	}

	static Stream<Arguments> securities() {
		return Stream.of(arguments("servlet", null, true), arguments("servlet", ServletUsers.class, false),
				arguments("servlet", ServletElsewhere.class, true), arguments("servlet", ServletForAll.class, true),
				arguments("reactive", null, true), arguments("reactive", ReactiveUsers.class, false),
				arguments("reactive", ReactiveElsewhere.class, true),
				arguments("reactive", ReactiveForAll.class, true));
	}

	@ParameterizedTest
	@MethodSource("securities")
	void aConsoleThatIsOpenToEverybodyIsToldAtItsStart(String web, @Nullable Class<?> security, boolean open,
			CapturedOutput output) {
		AbstractApplicationContextRunner<?, ?, ?> runner = web.equals("servlet") ? this.servlet
				: new ReactiveWebApplicationContextRunner().withConfiguration(CONSOLE);
		runner = runner.withPropertyValues(ON);
		runner = (security != null) ? runner.withUserConfiguration(security) : runner;
		runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().contains("The console is not protected: no filter of Spring Security"))
			.isEqualTo(open);
		assertThat(output.getOut()).doesNotContain("trigger operations");
	}

	/** A user for everything. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class ServletUsers {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager();
		}

	}

	/** A user for the actuator alone. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class ServletElsewhere {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.securityMatcher("/actuator/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager();
		}

	}

	/** A filter chain that permits every request. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class ServletForAll {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager();
		}

	}

	/** A user for everything. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class ReactiveUsers {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.formLogin(Customizer.withDefaults())
				.build();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.empty();
		}

	}

	/** A user for the actuator alone. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class ReactiveElsewhere {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/**"))
				.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.empty();
		}

	}

	/** A filter chain that permits every request. */
	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class ReactiveForAll {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll()).build();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.empty();
		}

	}

}
