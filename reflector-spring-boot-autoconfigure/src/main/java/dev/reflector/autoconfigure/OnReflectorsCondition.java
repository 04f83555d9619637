package dev.reflector.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.reflector.Reflector;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;

/**
 * A reflector, or what will become one, where this context is not switched off: a parent
 * may have some nevertheless.
 */
final class OnReflectorsCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnReflectors.class);
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		Assert.state(beanFactory != null, "There is no bean factory");
		if (!beanFactory.containsLocalBean(ReflectorLifecycle.BEAN_NAME)) {
			return ConditionOutcome.noMatch(message.because("reflectors are switched off in this context"));
		}
		List<String> names = find(beanFactory);
		return names.isEmpty() ? ConditionOutcome.noMatch(message.didNotFind("reflector").atAll())
				: ConditionOutcome.match(message.found("bean", "beans").items(names));
	}

	/**
	 * Finds reflectors of a context and its parents, or what will become some.
	 * @param beanFactory the context
	 * @return names of beans
	 */
	static List<String> find(ListableBeanFactory beanFactory) {
		return Stream.of(Reflector.class, ReflectedResourceRegistration.class)
			.flatMap((type) -> Stream
				.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false)))
			.toList();
	}

}
