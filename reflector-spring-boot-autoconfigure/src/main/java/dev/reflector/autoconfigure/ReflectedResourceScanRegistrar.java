package dev.reflector.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

import dev.reflector.autoconfigure.internal.registration.ReflectedResourceScanPackages;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Collects the packages of one {@link ReflectedResourceScan @ReflectedResourceScan}.
 */
final class ReflectedResourceScanRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	ReflectedResourceScanRegistrar(Environment environment) {
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
		ReflectedResourceScanPackages.add(registry, packages);
	}

}
