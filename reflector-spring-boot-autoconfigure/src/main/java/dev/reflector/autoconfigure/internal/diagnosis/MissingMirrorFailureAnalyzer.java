package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ReflectedResource;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.autoconfigure.internal.registration.ReflectedResourceScanPackages;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceEventStream;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Explains why there is no {@link Lister}, reflector or stream of a type. Runs before
 * Spring Boot's analyzer for missing beans.
 */
@Order(0)
final class MissingMirrorFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final Set<Class<?>> MIRRORS = Set.of(Lister.class, Reflector.class, SharedInformer.class,
			ResourceEventStream.class);

	private final BeanFactory beanFactory;

	MissingMirrorFailureAnalyzer(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType missing = cause.getResolvableType();
		Class<?> type = (missing != null && MIRRORS.contains(missing.toClass())) ? missing.getGeneric().resolve()
				: null;
		if (missing == null || type == null || cause instanceof NoUniqueBeanDefinitionException) {
			return null;
		}
		String subject = ((description != null) ? description : "The application") + " required a bean of type '"
				+ missing + "', and there is none";
		List<String> others = names(missing);
		if (!others.isEmpty()) {
			return new FailureAnalysis(subject + " with that qualifier. Without it there are: " + others,
					"Use the name of a reflector or of one of these beans as the qualifier.", cause);
		}
		if (!this.beanFactory.containsBean(ReflectorLifecycle.BEAN_NAME)) {
			return new FailureAnalysis(subject + ": reflectors are not auto-configured.",
					"Set 'reflector.enabled' to true if it is false, and do not exclude the auto-configuration or the "
							+ "libraries that it needs (spring-webflux and jackson-databind). In a test of one layer, such as "
							+ "@WebMvcTest, add @AutoConfigureReflectors and @AutoConfigureEmbeddedApiServer, or a "
							+ "@MockitoBean of the type.",
					cause);
		}
		if (type.isAnnotationPresent(ReflectedResource.class)) {
			return new FailureAnalysis(
					subject + ": " + type.getName() + " is annotated with @ReflectedResource, but it is in none of the "
							+ "scanned packages: " + packages(),
					"Move it to one of these packages, or add its package to @ReflectedResourceScan.", cause);
		}
		return new FailureAnalysis(subject + ": " + type.getName() + " is not mirrored.",
				isOfTheJdk(type)
						? "Use a type that is mirrored: your own class that is annotated with @ReflectedResource"
								+ mirrored() + "."
						: "Annotate " + type.getName() + " with @ReflectedResource, or register it with a bean of "
								+ "type ReflectedResourceRegistration.",
				cause);
	}

	private static boolean isOfTheJdk(Class<?> type) {
		return type.isPrimitive() || type.isArray() || type.getName().startsWith("java.");
	}

	/**
	 * Returns the end of a sentence that lists the mirrored types, or an empty string if
	 * there are none.
	 */
	private String mirrored() {
		Set<String> types = new TreeSet<>();
		if (this.beanFactory instanceof ConfigurableListableBeanFactory beans) {
			for (String bean : beans.getBeanNamesForType(Reflector.class, false, false)) {
				Class<?> type = NamedReflectors.mirrored(beans, bean);
				if (type != null) {
					types.add(type.getName());
				}
			}
		}
		return types.isEmpty() ? "" : ", such as " + String.join(", ", types);
	}

	private List<String> names(ResolvableType type) {
		return (this.beanFactory instanceof ListableBeanFactory beans)
				? Stream.of(beans.getBeanNamesForType(type, true, false)).sorted().toList() : List.of();
	}

	private Collection<String> packages() {
		Collection<String> named = (this.beanFactory instanceof BeanDefinitionRegistry registry)
				? ReflectedResourceScanPackages.get(registry) : List.of();
		return (named.isEmpty() && AutoConfigurationPackages.has(this.beanFactory))
				? AutoConfigurationPackages.get(this.beanFactory) : named;
	}

}
