package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.client.internal.schema.NearestName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns of properties that are set but do not exist. A property exists if the binder asks
 * for it. An environment variable is reported only if it is similar to a property,
 * because Kubernetes also sets such variables for a service with the name
 * {@code reflector}. There is no second warning for properties of which
 * {@link IneffectiveSettings} warns.
 */
final class MisspeltSettings extends AbstractBindHandler {

	private static final Logger logger = LoggerFactory.getLogger(MisspeltSettings.class);

	private final Set<ConfigurationPropertyName> known;

	private MisspeltSettings(Set<ConfigurationPropertyName> asked) {
		this.known = new HashSet<>(asked);
	}

	/**
	 * Warns of properties that have no effect.
	 * @param environment the environment with the properties
	 * @param prefix prefix of the properties to check
	 * @param beans the context with the beans to which properties below the prefix are
	 * bound
	 * @param asked the properties that the binder has asked for; if the prefix of a
	 * property class is not among them, this method binds the class
	 */
	static void warn(Environment environment, ConfigurationPropertyName prefix, ListableBeanFactory beans,
			Set<ConfigurationPropertyName> asked) {
		MisspeltSettings settings = new MisspeltSettings(asked);
		for (String name : beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
			ConfigurationProperties properties = beans.findAnnotationOnBean(name, ConfigurationProperties.class, false);
			Class<?> type = beans.getType(name, false);
			if (properties != null && type != null && isWithin(prefix, properties.prefix())
					&& !settings.known.contains(ConfigurationPropertyName.of(properties.prefix()))) {
				Binder.get(environment).bind(properties.prefix(), Bindable.of(type), settings);
			}
		}
		Set<ConfigurationPropertyName> off = IneffectiveSettings.warn(environment, settings.known,
				MisspeltSettings.class.getClassLoader());
		Set<ConfigurationPropertyName> told = new HashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names) {
				boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				names.stream()
					.filter((name) -> prefix.isAncestorOf(name) && !settings.isKnown(name, variables))
					.filter((name) -> off.stream().noneMatch((feature) -> feature.isAncestorOf(name)))
					.filter(told::add)
					.forEach((name) -> settings.tell(name, variables));
			}
		}
	}

	private static boolean isWithin(ConfigurationPropertyName prefix, String name) {
		return name.equals(prefix.toString()) || name.startsWith(prefix + ".");
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		this.known.add(name);
		return target;
	}

	/**
	 * Whether a property exists. The name of an environment variable may have an
	 * underscore in place of a dash.
	 */
	private boolean isKnown(ConfigurationPropertyName name, boolean variable) {
		return this.known.contains(name) || isInList(name)
				|| (variable && this.known.stream().anyMatch((other) -> letters(other).equals(letters(name))));
	}

	/**
	 * Whether a property is an element of a list. The binder does not ask for all
	 * elements if a source of higher precedence replaces the list.
	 */
	private boolean isInList(ConfigurationPropertyName name) {
		ConfigurationPropertyName list = name.getParent();
		return isElement(name) && this.known.contains(list)
				&& this.known.stream().filter(list::isParentOf).allMatch(MisspeltSettings::isElement);
	}

	private static boolean isElement(ConfigurationPropertyName name) {
		return name.isNumericIndex(name.getNumberOfElements() - 1);
	}

	private static String letters(ConfigurationPropertyName name) {
		return ReflectorNaming.uniform(name.toString());
	}

	private void tell(ConfigurationPropertyName name, boolean variable) {
		ConfigurationPropertyName parent = name.getParent();
		int wrong = name.getNumberOfElements() - 1;
		while (!this.known.contains(parent)) {
			parent = parent.getParent();
			wrong--;
		}
		String element = name.getElement(wrong, Form.UNIFORM);
		ConfigurationPropertyName known = parent;
		List<String> candidates = this.known.stream()
			.filter(known::isParentOf)
			.map((child) -> child.getLastElement(Form.ORIGINAL))
			.sorted()
			.toList();
		String nearest = NearestName.of(candidates, element);
		if (nearest != null) {
			logger.warn("'{}' has no effect: there is no such property. Did you mean '{}'?", name,
					known.append(nearest).append(rest(name, wrong + 1)));
		}
		else if (!variable) {
			logger.warn("'{}' has no effect: there is no such property. The properties under '{}' are {}", name, known,
					candidates);
		}
	}

	private static ConfigurationPropertyName rest(ConfigurationPropertyName name, int from) {
		return (from < name.getNumberOfElements()) ? name.subName(from) : ConfigurationPropertyName.EMPTY;
	}

}
