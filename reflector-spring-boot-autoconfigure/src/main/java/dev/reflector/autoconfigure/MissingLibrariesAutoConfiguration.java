package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that logs which libraries are missing, if the application lacks one
 * that reflectors need.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "reflector.enabled", matchIfMissing = true)
@Conditional(MissingLibrariesAutoConfiguration.OnMissingLibraries.class)
public final class MissingLibrariesAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(MissingLibrariesAutoConfiguration.class);

	private static final Map<String, String> LIBRARIES = Map.of(
			"org.springframework.web.reactive.function.client.WebClient", "org.springframework:spring-webflux",
			"tools.jackson.databind.json.JsonMapper", "tools.jackson.core:jackson-databind");

	@Bean
	static InitializingBean missingReflectorLibraries(ConfigurableBeanFactory beanFactory) {
		return () -> logger.warn("There are no reflectors, because these libraries are missing: {}. Do not "
				+ "exclude dependencies of the starter", missing(beanFactory.getBeanClassLoader()));
	}

	private static List<String> missing(@Nullable ClassLoader classLoader) {
		return LIBRARIES.entrySet()
			.stream()
			.filter((library) -> !ClassUtils.isPresent(library.getKey(), classLoader))
			.map(Map.Entry::getValue)
			.sorted()
			.toList();
	}

	/** Matches if any library is missing. */
	static final class OnMissingLibraries extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			List<String> missing = missing(context.getClassLoader());
			ConditionMessage.Builder message = ConditionMessage.forCondition("Libraries of reflectors");
			return missing.isEmpty() ? ConditionOutcome.noMatch(message.because("none is missing"))
					: ConditionOutcome.match(message.because("missing are " + missing));
		}

	}

}
