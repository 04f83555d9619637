package dev.reflector.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Holds the packages of all {@link ReflectedResourceScan @ReflectedResourceScan}
 * annotations until the scan.
 */
final class ReflectedResourceScanPackages {

	private static final String BEAN = ReflectedResourceScanPackages.class.getName();

	private static final String PACKAGES = BEAN + ".packages";

	private ReflectedResourceScanPackages() {
	}

	@SuppressWarnings("unchecked")
	static Set<String> get(BeanDefinitionRegistry registry) {
		if (!registry.containsBeanDefinition(BEAN)) {
			return Set.of();
		}
		return (Set<String>) Objects.requireNonNull(registry.getBeanDefinition(BEAN).getAttribute(PACKAGES));
	}

	private static void add(BeanDefinitionRegistry registry, Set<String> packages) {
		Set<String> all = new LinkedHashSet<>(get(registry));
		all.addAll(packages);
		RootBeanDefinition definition = new RootBeanDefinition(ReflectedResourceScanPackages.class,
				ReflectedResourceScanPackages::new);
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		definition.setAttribute(PACKAGES, all);
		// the result of the scan is baked in, its packages are not needed any more
		definition.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
		if (registry.containsBeanDefinition(BEAN)) {
			registry.removeBeanDefinition(BEAN);
		}
		registry.registerBeanDefinition(BEAN, definition);
	}

	/**
	 * Collects the packages of one annotation.
	 */
	static final class Registrar implements ImportBeanDefinitionRegistrar {

		private final Environment environment;

		Registrar(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			AnnotationAttributes attributes = AnnotationAttributes
				.fromMap(metadata.getAnnotationAttributes(ReflectedResourceScan.class.getName()));
			if (attributes == null || !this.environment.getProperty("reflector.enabled", Boolean.class, true)) {
				return;
			}
			Set<String> packages = new LinkedHashSet<>();
			Arrays.stream(attributes.getStringArray("basePackages"))
				.map(this.environment::resolvePlaceholders)
				.forEach(packages::add);
			Arrays.stream(attributes.getClassArray("basePackageClasses"))
				.map(ClassUtils::getPackageName)
				.forEach(packages::add);
			if (packages.isEmpty()) {
				packages.add(ClassUtils.getPackageName(metadata.getClassName()));
			}
			add(registry, packages);
		}

	}

}
