package dev.reflector.autoconfigure;

import java.util.List;

import dev.reflector.Reflector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Lets wrong settings fail the start, also of an application without reflectors, and
 * warns of those for reflectors that there are not, and of names that there are not.
 * Where nothing is set, nothing is bound.
 */
final class ReflectorSettingsCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorSettingsCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("reflector");

	private final Environment environment;

	private final ListableBeanFactory beanFactory;

	ReflectorSettingsCheck(Environment environment, ListableBeanFactory beanFactory) {
		this.environment = environment;
		this.beanFactory = beanFactory;
	}

	/**
	 * Whether anything may be set.
	 * @param environment the environment
	 * @return {@code false} when nothing begins with {@code reflector.}
	 */
	static boolean isAnySet(Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			// some sources cannot tell what they have
			if (source.containsDescendantOf(PREFIX) != ConfigurationPropertyState.ABSENT) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (isAnySet(this.environment)) {
			warnOfUnused(this.beanFactory.getBean(ReflectorProperties.class));
			MisspeltSettings.warn(this.environment, PREFIX, this.beanFactory);
		}
	}

	private void warnOfUnused(ReflectorProperties properties) {
		if (properties.resources().isEmpty()) {
			return;
		}
		if (NamedReflectors.hasMocks(this.beanFactory)) {
			return;
		}
		List<String> names = NamedReflectors.of(this.beanFactory).map(Reflector::name).sorted().toList();
		properties.resources().forEach((key, resource) -> {
			if (names.stream().noneMatch((name) -> ReflectorNames.sameName(key, name))) {
				logger.warn("'reflector.resources.{}' has no effect: there is no reflector of that name, only {}; {}",
						key, names, remedy(resource));
			}
		});
	}

	private static String remedy(ReflectorProperties.Resource resource) {
		if (resource.isComplete()) {
			return "it was not there when the application was built";
		}
		String missing = (resource.apiVersion() != null) ? "'kind' is"
				: (resource.kind() != null) ? "'api-version' is" : "'api-version' and 'kind' are";
		return "to mirror a type without a class, " + missing + " missing";
	}

}
