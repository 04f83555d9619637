package dev.reflector.autoconfigure;

import java.util.List;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeanDefinitions;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;

/**
 * Matches if there is a reflector or a registration in this context or a parent, and
 * reflectors are not switched off in this context.
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
		List<String> names = ReflectorBeanDefinitions.reflectorsAndRegistrations(beanFactory);
		return names.isEmpty() ? ConditionOutcome.noMatch(message.didNotFind("reflector").atAll())
				: ConditionOutcome.match(message.found("bean", "beans").items(names));
	}

}
