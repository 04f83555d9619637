package dev.reflector.console;

import jakarta.servlet.Filter;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.leaderelection.LeaderElector;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of the console. The console is off unless
 * {@code reflector.console.enabled} is set. It needs neither the actuator nor meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty("reflector.console.enabled")
@ConditionalOnBooleanProperty(name = "reflector.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ReflectorConsoleProperties.class)
@RegisterReflectionForBinding({ ConsoleController.Overview.class, ConsoleController.TimelineView.class,
		ConsoleProblem.Body.class, FrameCursor.Frame.class, ObjectTable.Page.class, ObjectView.class,
		Operation.Outcome.class, Series.View.class })
@ImportRuntimeHints(ConsoleAssets.Hints.class)
public final class ReflectorConsoleAutoConfiguration {

	@Bean
	ConsoleInstrumentation reflectorConsoleInstrumentation(ObjectProvider<SanitizingFunction> functions,
			ObjectProvider<TimeSource> time) {
		return new ConsoleInstrumentation(new Masking(() -> functions.orderedStream().toList()), time::getObject);
	}

	@Bean
	@Lazy(false)
	Console reflectorConsole(ObjectProvider<Reflector<?>> reflectors, ConsoleInstrumentation instrumentation,
			ObjectProvider<LeaderElector> election, ReflectorConsoleProperties properties,
			ObjectProvider<ConsoleProtection> protection, Environment environment,
			ApplicationEventPublisher publisher) {
		return new Console(() -> ReflectorNaming.named(reflectors), instrumentation, election::getIfUnique,
				ConsoleAccess.of(environment, properties.writeOperations()), protection::getIfAvailable, publisher);
	}

	@Bean
	@Lazy(false)
	ConsoleController reflectorConsoleController(Console console, ObjectProvider<JsonMapper> mapper,
			ReflectorConsoleProperties properties, Environment environment) {
		return new ConsoleController(console, () -> mapper.getIfAvailable(JsonMapper::shared), properties.path(),
				environment.getProperty("spring.application.name", ""));
	}

	/** The stream of an application with Spring MVC. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(SseEmitter.class)
	static final class ServletStream {

		@Bean
		@Lazy(false)
		ServletStreamController reflectorConsoleStreamController(Console console) {
			return new ServletStreamController(console);
		}

	}

	/** The stream of an application with WebFlux. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static final class ReactiveStream {

		@Bean
		@Lazy(false)
		ReactiveStreamController reflectorConsoleStreamController(Console console) {
			return new ReactiveStreamController(console);
		}

	}

	/** Checks whether Spring Security for servlets protects the console. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ImportRuntimeHints(ServletConsoleProtection.Hints.class)
	static final class ServletSecurity {

		@Bean
		@Lazy
		ConsoleProtection reflectorConsoleProtection(
				@Qualifier("springSecurityFilterChain") ObjectProvider<Filter> filters,
				ReflectorConsoleProperties properties, Environment environment) {
			String servlet = StringUtils
				.trimTrailingCharacter(environment.getProperty("spring.mvc.servlet.path", "").trim(), '/');
			Filter filter = filters.getIfAvailable();
			return (filter != null) ? new ServletConsoleProtection(filter, servlet + properties.path()) : () -> true;
		}

	}

	/** Checks whether Spring Security for WebFlux protects the console. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(WebFilterChainProxy.class)
	static final class ReactiveSecurity {

		@Bean
		@Lazy
		ConsoleProtection reflectorConsoleProtection(ObjectProvider<WebFilterChainProxy> filters,
				ReflectorConsoleProperties properties) {
			WebFilterChainProxy proxy = filters.getIfAvailable();
			return (proxy != null) ? new ReactiveConsoleProtection(proxy, properties.path()) : () -> true;
		}

	}

}
