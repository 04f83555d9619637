package dev.reflector.autoconfigure.internal.registration;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

import dev.reflector.ReflectedResource;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Finds the types annotated with {@link ReflectedResource @ReflectedResource}, and
 * rejects types that cannot have instances and generic types. The same scan finds the
 * names of the types annotated with {@code @AppliedResource}.
 */
final class ReflectedResourceScanner {

	private static final Logger logger = LoggerFactory.getLogger(ReflectedResourceScanner.class);

	/**
	 * Name of the annotation of applied types. It is a text, because the scan must not
	 * load the annotation class.
	 */
	private static final String APPLIED = "dev.reflector.write.AppliedResource";

	private final Provider provider;

	private final ResourceLoader resourceLoader;

	ReflectedResourceScanner(Environment environment, ResourceLoader resourceLoader) {
		this.provider = new Provider(environment);
		this.provider.setResourceLoader(resourceLoader);
		this.provider.addIncludeFilter(new AnnotationTypeFilter(ReflectedResource.class, false));
		this.provider.addIncludeFilter((reader, factory) -> reader.getAnnotationMetadata().hasAnnotation(APPLIED));
		this.resourceLoader = resourceLoader;
	}

	/**
	 * Finds the types.
	 * @param packages the packages to scan
	 * @return the types, sorted by name
	 */
	Found scan(Collection<String> packages) {
		TreeSet<AnnotationMetadata> found = new TreeSet<>(Comparator.comparing(AnnotationMetadata::getClassName));
		for (String basePackage : packages) {
			for (BeanDefinition candidate : this.provider.findCandidateComponents(basePackage)) {
				found.add(((AnnotatedBeanDefinition) candidate).getMetadata());
			}
		}
		List<Class<?>> reflected = found.stream()
			.filter((type) -> type.hasAnnotation(ReflectedResource.class.getName()))
			.<Class<?>>map(this::load)
			.toList();
		List<String> applied = found.stream()
			.filter((type) -> type.hasAnnotation(APPLIED))
			.map(AnnotationMetadata::getClassName)
			.toList();
		logger.debug("Found {} types annotated with @ReflectedResource in {}", reflected.size(), packages);
		return new Found(reflected, applied);
	}

	private Class<?> load(AnnotationMetadata metadata) {
		String name = metadata.getClassName();
		if (!metadata.isConcrete()) {
			throw new ReflectorConfigurationException(
					name + " cannot be mirrored: it is " + (metadata.isInterface() ? "an interface" : "abstract"),
					"Annotate a record or a concrete class with @ReflectedResource instead.");
		}
		if (!metadata.isIndependent()) {
			throw new ReflectorConfigurationException(name + " cannot be mirrored: it is an inner class",
					"Make it a record, a static nested class or a top-level class.");
		}
		Class<?> type = ClassUtils.resolveClassName(name, this.resourceLoader.getClassLoader());
		if (type.getTypeParameters().length > 0) {
			String parameter = type.getTypeParameters()[0].getName();
			throw new ReflectorConfigurationException(
					name + " cannot be mirrored: it has the type parameter " + parameter
							+ ", so its objects cannot be read",
					"Replace " + parameter + " by a type, or annotate a class that extends " + type.getSimpleName()
							+ " with a type in place of " + parameter + ".");
		}
		return type;
	}

	/**
	 * The result of a scan.
	 *
	 * @param reflected the types that are mirrored
	 * @param applied names of the types annotated with {@code @AppliedResource}
	 */
	record Found(List<Class<?>> reflected, List<String> applied) {

	}

	/**
	 * A scanner that finds every annotated type, even an unsuitable type, so that the
	 * unsuitable type can be reported.
	 */
	private static final class Provider extends ClassPathScanningCandidateComponentProvider {

		private Provider(Environment environment) {
			super(false, environment);
		}

		@Override
		protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
			return true;
		}

	}

}
