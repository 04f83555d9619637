package dev.reflector.autoconfigure.internal.registration;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Collects the packages that all
 * {@link dev.reflector.autoconfigure.ReflectedResourceScan @ReflectedResourceScan}
 * annotations name, until these packages are scanned.
 */
public final class ReflectedResourceScanPackages {

	private static final String BEAN = ReflectedResourceScanPackages.class.getName();

	private static final String PACKAGES = BEAN + ".packages";

	private ReflectedResourceScanPackages() {
	}

	/**
	 * Returns the packages to scan.
	 * @param registry the registry that holds the packages
	 * @return the packages, empty if there is no such annotation
	 */
	@SuppressWarnings("unchecked")
	public static Set<String> get(BeanDefinitionRegistry registry) {
		if (!registry.containsBeanDefinition(BEAN)) {
			return Set.of();
		}
		return (Set<String>) Objects.requireNonNull(registry.getBeanDefinition(BEAN).getAttribute(PACKAGES));
	}

	/**
	 * Adds packages to scan.
	 * @param registry the registry that holds the packages
	 * @param packages the packages
	 */
	public static void add(BeanDefinitionRegistry registry, Set<String> packages) {
		Set<String> all = new LinkedHashSet<>(get(registry));
		all.addAll(packages);
		RootBeanDefinition definition = new RootBeanDefinition(ReflectedResourceScanPackages.class,
				ReflectedResourceScanPackages::new);
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		definition.setAttribute(PACKAGES, all);
		// generated code contains the result of the scan, so it does not need the
		// packages
		definition.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
		if (registry.containsBeanDefinition(BEAN)) {
			registry.removeBeanDefinition(BEAN);
		}
		registry.registerBeanDefinition(BEAN, definition);
	}

}
