package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.client.ResourceWriterBuilder;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteMode;
import dev.reflector.write.WriteObserver;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Makes the writer of an application.
 */
public final class ResourceWriters {

	private ResourceWriters() {
	}

	/**
	 * Makes the writer. If there is no API server, each call of the writer fails.
	 * @param connection the connection to the API server
	 * @param types the types that the scan has found, or {@code null} if it has found
	 * none
	 * @param environment supplies the name of the application, and resolves placeholders
	 * @param beanFactory the context; at each write, its mirrors are looked up
	 * @param observers receive a report of each write
	 * @param mode whether writes take effect
	 * @param timeout how long a call may take
	 * @return the writer
	 */
	public static ResourceWriter make(ApiServerConnection connection, @Nullable AppliedResourceTypes types,
			Environment environment, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<WriteObserver> observers, WriteMode mode, Duration timeout) {
		return connection.client().map((client) -> {
			ResourceWriterBuilder builder = client.writer()
				.application(AppliedResources.application(environment))
				.placeholders(environment::resolveRequiredPlaceholders)
				.mirrors(() -> mirrors(beanFactory))
				.awaited((mirror) -> !ReflectorFactory.hasOwnSource(beanFactory, mirror))
				.mode(mode)
				.timeout(timeout);
			if (types != null) {
				builder.types(types.load(beanFactory.getBeanClassLoader()));
			}
			observers.orderedStream().forEach(builder::observer);
			return builder.build();
		}).orElseGet(UnconnectedWriter::new);
	}

	/** Returns the mirrors of this context and its parents. */
	private static Map<SharedInformer<?>, Class<?>> mirrors(ConfigurableListableBeanFactory beanFactory) {
		Map<SharedInformer<?>, Class<?>> mirrors = new LinkedHashMap<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, SharedInformer.class, true,
				false)) {
			SharedInformer<?> informer = mirror(beanFactory, name);
			if (informer != null && ReflectorNaming.isNamed(informer)) {
				Class<?> type = NamedReflectors.mirrored(beanFactory, name);
				mirrors.put(informer, Objects.requireNonNullElse(type, Object.class));
			}
		}
		return mirrors;
	}

	/**
	 * Returns a mirror, or {@code null} if it was already destroyed. A bean may write
	 * while it is destroyed, after the mirrors.
	 */
	private static @Nullable SharedInformer<?> mirror(ConfigurableListableBeanFactory beanFactory, String name) {
		try {
			return beanFactory.getBean(name, SharedInformer.class);
		}
		catch (BeanCreationNotAllowedException ex) {
			return null;
		}
	}

}
