package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeansRegistrar;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Binds the properties, so that wrong values fail the start, even without reflectors.
 * Warns of properties for a reflector that does not exist, of properties that do not
 * exist, and of loggers that print secrets. When no property is set, it binds nothing.
 */
public final class ReflectorSettingsCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorSettingsCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("reflector");

	private final Environment environment;

	private final ListableBeanFactory beanFactory;

	private final Supplier<Map<String, ReflectedResourceProperties>> resources;

	/**
	 * Creates the check.
	 * @param environment has the properties
	 * @param beanFactory has the reflectors
	 * @param resources binds the properties, and gives those of single reflectors
	 */
	public ReflectorSettingsCheck(Environment environment, ListableBeanFactory beanFactory,
			Supplier<Map<String, ReflectedResourceProperties>> resources) {
		this.environment = environment;
		this.beanFactory = beanFactory;
		this.resources = resources;
	}

	@Override
	public void afterSingletonsInstantiated() {
		RevealingLoggers.warn();
		if (ReflectorBeansRegistrar.isAnySet(this.environment)) {
			warnOfUnused(this.resources.get());
			MisspeltSettings.warn(this.environment, PREFIX, this.beanFactory);
		}
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
