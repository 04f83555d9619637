package dev.reflector.autoconfigure;

import java.util.Locale;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that hides the token of the API server in endpoints that show the
 * configuration, even when they show all other values.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnClass(SanitizingFunction.class)
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
public final class ReflectorsSanitizingAutoConfiguration {

	@Bean
	SanitizingFunction reflectorTokenSanitizingFunction() {
		return SanitizingFunction.sanitizeValue().ifKeyMatches(ReflectorsSanitizingAutoConfiguration::isToken);
	}

	private static boolean isToken(String key) {
		// properties, environment variables and fields of beans spell the key differently
		return key.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT).equals("reflectorapiservertoken");
	}

}
