package dev.reflector.autoconfigure.internal.diagnosis;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.write.ResourceWriter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;

/**
 * Explains why there is no {@link ResourceWriter}. Runs before Spring Boot's analyzer for
 * missing beans.
 */
@Order(0)
final class MissingWriterFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final BeanFactory beanFactory;

	MissingWriterFailureAnalyzer(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		if (cause.getBeanType() != ResourceWriter.class || cause.getNumberOfBeansFound() > 0) {
			return null;
		}
		String subject = ((description != null) ? description : "The application") + " required a bean of type '"
				+ ResourceWriter.class.getName() + "', and there is none: ";
		return this.beanFactory.containsBean(ReflectorLifecycle.BEAN_NAME)
				? new FailureAnalysis(
						subject + "no type annotated with @AppliedResource was found in the scanned packages.",
						"Annotate a record of the fields that the application owns with @AppliedResource, add "
								+ "its package to @ReflectedResourceScan, or set 'reflector.writes.mode' to "
								+ "'on' if it only deletes.",
						cause)
				: new FailureAnalysis(subject + "reflectors are not auto-configured.",
						"Set 'reflector.enabled' to true if it is false, and do not exclude the auto-configuration.",
						cause);
	}

}
