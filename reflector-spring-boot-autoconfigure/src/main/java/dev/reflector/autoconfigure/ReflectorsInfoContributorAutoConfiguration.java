package dev.reflector.autoconfigure;

import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReflectorsInfoContributor;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@link ReflectorsInfoContributor}. The contributor shows an
 * address, so it is off unless {@code management.info.reflectors.enabled} is set.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnEnabledInfoContributor(value = "reflectors", fallback = InfoContributorFallback.DISABLE)
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
public final class ReflectorsInfoContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReflectorsInfoContributor reflectorsInfoContributor(ObjectProvider<Reflector<?>> reflectors,
			BeanFactory beanFactory) {
		// finding the server may read files; without reflectors there is no server to
		// show. The connection details are looked up by type, so that those of this
		// context take precedence over those of a parent
		SingletonSupplier<String> server = SingletonSupplier
			.ofNullable(() -> ReflectorNaming.named(reflectors).findAny().isPresent()
					? url(beanFactory.getBeanProvider(ReflectorConnectionDetails.class).getIfAvailable()) : null);
		return new ReflectorsInfoContributor(() -> ReflectorNaming.named(reflectors), server::get);
	}

	private static @Nullable String url(@Nullable ReflectorConnectionDetails details) {
		ApiServer server = (details != null) ? details.getApiServer() : null;
		return (server != null) ? server.url().toString() : null;
	}

}
