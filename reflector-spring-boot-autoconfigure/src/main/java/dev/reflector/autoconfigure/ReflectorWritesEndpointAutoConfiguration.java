package dev.reflector.autoconfigure;

import dev.reflector.Experimental;
import dev.reflector.actuate.write.ReflectorWritesEndpoint;
import dev.reflector.cache.config.TimeSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@link ReflectorWritesEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorWritesAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(ReflectorWritesEndpoint.class)
@ConditionalOnWrites
@Experimental
public final class ReflectorWritesEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReflectorWritesEndpoint reflectorWritesEndpoint(ReflectorWritesProperties properties, TimeSource time) {
		return new ReflectorWritesEndpoint(properties.mode(), time);
	}

}
