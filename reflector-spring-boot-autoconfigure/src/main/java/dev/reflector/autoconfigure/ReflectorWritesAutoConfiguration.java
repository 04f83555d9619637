package dev.reflector.autoconfigure;

import dev.reflector.Experimental;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.registration.AppliedResourceTypes;
import dev.reflector.autoconfigure.internal.registration.AppliedResources;
import dev.reflector.autoconfigure.internal.registration.ResourceWriters;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteObserver;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@link ResourceWriter}. It applies to applications that
 * have types annotated with {@link dev.reflector.write.AppliedResource @AppliedResource}
 * or set {@code reflector.writes.mode}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnWrites
@EnableConfigurationProperties(ReflectorWritesProperties.class)
@Experimental
public final class ReflectorWritesAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ResourceWriter reflectorResourceWriter(ReflectorWritesProperties properties, ApiServerConnection connection,
			ObjectProvider<AppliedResourceTypes> types, Environment environment,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<WriteObserver> observers) {
		return ResourceWriters.make(connection, types.getIfAvailable(), environment, beanFactory, observers,
				properties.mode(), properties.timeout());
	}

	@Bean
	AppliedResources reflectorAppliedResources(ReflectorWritesProperties properties,
			ObjectProvider<AppliedResourceTypes> types, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new AppliedResources(types.getIfAvailable(), beanFactory.getBeanClassLoader(), environment,
				properties.mode());
	}

}
