package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.reflector.event.DeliveryPolicy.OnError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Warns of properties that exist but have no effect in this application. Either their
 * module is missing, or their feature is not switched on, or another property makes them
 * irrelevant. There is no warning if the feature of the properties is switched off
 * explicitly.
 */
final class IneffectiveSettings {

	private static final Logger logger = LoggerFactory.getLogger(IneffectiveSettings.class);

	private static final List<Feature> FEATURES = List.of(
			new Feature("reflector.leader-election", "reflector.leader-election.enabled", null),
			new Feature("reflector.sharding", "reflector.sharding.enabled", null),
			new Feature("reflector.snapshot.jdbc", "reflector.snapshot.enabled",
					new Module("reflector-snapshot-jdbc", "dev.reflector.snapshot.jdbc.JdbcSnapshotAutoConfiguration")),
			new Feature("reflector.console", "reflector.console.enabled",
					new Module("reflector-spring-boot-console",
							"dev.reflector.console.ReflectorConsoleAutoConfiguration")),
			new Feature("reflector.publish.kafka", null,
					new Module("reflector-kafka", "dev.reflector.kafka.KafkaPublisherAutoConfiguration")),
			new Feature("reflector.test", null,
					new Module("reflector-spring-boot-test", "dev.reflector.test.context.ReflectorProbe")));

	private static final Set<OnError> REPEATING = Set.of(OnError.RETRY, OnError.RETRY_THEN_STOP);

	private static final String RETRY = "reflector.events.retry";

	private static final String URL = "reflector.api-server.url";

	private static final List<String> OF_KUBECONFIG = List.of("reflector.api-server.context",
			"reflector.api-server.kubeconfig");

	private static final Feature SNAPSHOT = new Feature("reflector.snapshot", "reflector.snapshot.enabled", null);

	private static final String WRITES = "reflector.writes";

	private static final String STRICT = "reflector.startup.strict";

	private static final String WAIT = "reflector.startup.wait-for-sync";

	private static final String ON_ERROR = "reflector.events.on-error";

	private final Environment environment;

	private final @Nullable ClassLoader classLoader;

	private IneffectiveSettings(Environment environment, @Nullable ClassLoader classLoader) {
		this.environment = environment;
		this.classLoader = classLoader;
	}

	/**
	 * Warns of properties that have no effect.
	 * @param environment the environment with the properties
	 * @param known the properties that were bound
	 * @param classLoader loads the classes of the modules
	 * @return prefixes of properties that exist but are not bound
	 */
	static Set<ConfigurationPropertyName> warn(Environment environment, Set<ConfigurationPropertyName> known,
			@Nullable ClassLoader classLoader) {
		IneffectiveSettings settings = new IneffectiveSettings(environment, classLoader);
		Set<ConfigurationPropertyName> unbound = new HashSet<>();
		FEATURES.forEach(settings::check);
		FEATURES.stream()
			.map((feature) -> ConfigurationPropertyName.of(feature.prefix()))
			.filter((prefix) -> !known.contains(prefix))
			.forEach(unbound::add);
		if (!known.contains(ConfigurationPropertyName.of(WRITES))) {
			settings.writes();
			unbound.add(ConfigurationPropertyName.of(WRITES));
		}
		settings.snapshot();
		settings.retries();
		settings.strict();
		OF_KUBECONFIG.forEach(settings::kubeconfig);
		return unbound;
	}

	private void check(Feature feature) {
		String property = feature.property();
		Module module = feature.module();
		Module missing = (module != null && !ClassUtils.isPresent(module.type(), this.classLoader)) ? module : null;
		boolean decided = property != null && this.environment.containsProperty(property);
		boolean on = property == null || this.environment.getProperty(property, Boolean.class, false);
		boolean meant = !on && decided;
		if ((missing == null && on) || meant || !isAnySet(feature.prefix())) {
			return;
		}
		if (missing != null) {
			logger.warn(
					"Properties under '{}' have no effect, because their module is missing. Add "
							+ "'dev.reflector:{}' to the dependencies of the application",
					feature.prefix(), missing.artifact());
		}
		else {
			logger.warn("Properties under '{}' have no effect, because '{}' is not set. Set it to true to use "
					+ "them, or to false to silence this warning", feature.prefix(), property);
		}
	}

	/**
	 * Checks the properties of snapshots. If a property of the snapshot store is set,
	 * does nothing, because the check of the store already covers the case.
	 */
	private void snapshot() {
		if (!isAnySet("reflector.snapshot.jdbc")) {
			check(SNAPSHOT);
		}
	}

	private void writes() {
		if (isAnySet(WRITES) && !this.environment.containsProperty(WRITES + ".mode")) {
			logger.warn("Properties under '{}' have no effect in this context, because no type is annotated with "
					+ "@AppliedResource. To have a writer without such a type, set '{}.mode'", WRITES, WRITES);
		}
	}

	private void strict() {
		Binder binder = Binder.get(this.environment);
		if (binder.bind(STRICT, Boolean.class).orElse(false) && !binder.bind(WAIT, Boolean.class).orElse(true)) {
			logger.warn("'{}' has no effect: '{}' is false. Remove one of them", STRICT, WAIT);
		}
	}

	private void retries() {
		OnError onError = Binder.get(this.environment).bind(ON_ERROR, OnError.class).orElse(OnError.LOG);
		if (!REPEATING.contains(onError) && isAnySet(RETRY)) {
			logger.warn(
					"Properties under '{}' have no effect, because '{}' is '{}'. Set it to 'retry' or "
							+ "'retry-then-stop' to use them",
					RETRY, ON_ERROR, onError.name().toLowerCase(Locale.ROOT));
		}
	}

	private void kubeconfig(String property) {
		if (StringUtils.hasText(this.environment.getProperty(property))
				&& StringUtils.hasText(this.environment.getProperty(URL))) {
			logger.warn("'{}' has no effect: '{}' is set, so no kubeconfig is read. Remove one of them", property, URL);
		}
	}

	private boolean isAnySet(String prefix) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(prefix);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
				return true;
			}
		}
		return false;
	}

	/**
	 * A feature with its own properties.
	 *
	 * @param prefix prefix of the properties
	 * @param property the property that switches the feature on, or {@code null} if its
	 * module is enough
	 * @param module the module of the feature, or {@code null} if the feature needs no
	 * module
	 */
	private record Feature(String prefix, @Nullable String property, @Nullable Module module) {

	}

	/**
	 * A module of this library.
	 *
	 * @param artifact name of the artifact
	 * @param type name of a class of the module
	 */
	private record Module(String artifact, String type) {

	}

}
