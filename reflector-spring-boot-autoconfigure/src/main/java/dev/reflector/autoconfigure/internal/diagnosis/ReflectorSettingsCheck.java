package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeansRegistrar;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Binds the properties, so that wrong values fail the start, even without reflectors.
 * Warns of properties for a reflector that does not exist, of properties that do not
 * exist, and of loggers that print secrets. If no property below {@code reflector} is
 * set, this check binds nothing. While Spring Boot binds properties, this check notes
 * which properties below {@code reflector} the binder asks for.
 */
public final class ReflectorSettingsCheck
		implements SmartInitializingSingleton, ConfigurationPropertiesBindHandlerAdvisor {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorSettingsCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("reflector");

	private final Environment environment;

	private final ListableBeanFactory beanFactory;

	private final Supplier<Map<String, ReflectedResourceProperties>> resources;

	/** The properties that the binder has asked for, {@code null} after the check. */
	private volatile @Nullable Set<ConfigurationPropertyName> asked = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the check.
	 * @param environment the environment with the properties
	 * @param beanFactory the factory of the reflectors
	 * @param resources binds the properties, and returns the properties of each reflector
	 * by its name
	 */
	public ReflectorSettingsCheck(Environment environment, ListableBeanFactory beanFactory,
			Supplier<Map<String, ReflectedResourceProperties>> resources) {
		this.environment = environment;
		this.beanFactory = beanFactory;
		this.resources = resources;
	}

	@Override
	public BindHandler apply(BindHandler handler) {
		Set<ConfigurationPropertyName> asked = this.asked;
		return (asked == null) ? handler : new AbstractBindHandler(handler) {

			@Override
			public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
					BindContext context) {
				if (PREFIX.equals(name) || PREFIX.isAncestorOf(name)) {
					asked.add(name);
				}
				return super.onStart(name, target, context);
			}

		};
	}

	@Override
	public void afterSingletonsInstantiated() {
		RevealingLoggers.warn();
		if (ReflectorBeansRegistrar.isAnySet(this.environment)) {
			warnOfUnused(this.resources.get());
			Set<ConfigurationPropertyName> asked = this.asked;
			MisspeltSettings.warn(this.environment, PREFIX, this.beanFactory, (asked != null) ? asked : Set.of());
		}
		this.asked = null;
	}

	private void warnOfUnused(Map<String, ReflectedResourceProperties> resources) {
		if (resources.isEmpty() || NamedReflectors.hasMocks(this.beanFactory)) {
			return;
		}
		List<String> names = NamedReflectors.of(this.beanFactory).map(Reflector::name).sorted().toList();
		resources.forEach((key, resource) -> {
			if (names.stream().noneMatch((name) -> ReflectorNaming.isSame(key, name))) {
				logger.warn(
						"'reflector.resources.{}' has no effect: {}; {}", key, names.isEmpty()
								? "there are no reflectors" : "there is no reflector of that name, only " + names,
						remedy(resource));
			}
		});
	}

	private static String remedy(ReflectedResourceProperties resource) {
		if (resource.isComplete()) {
			return "the type was not set when the application was built";
		}
		String missing = (resource.apiVersion() != null) ? "'kind' is"
				: (resource.kind() != null) ? "'api-version' is" : "'api-version' and 'kind' are";
		return "to mirror a type without a class, " + missing + " missing";
	}

}
