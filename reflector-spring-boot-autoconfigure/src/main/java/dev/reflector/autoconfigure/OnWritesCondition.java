package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.AppliedResourceTypes;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;

/**
 * Matches if there is a type annotated with {@code @AppliedResource} or
 * {@code reflector.writes.mode} is set, and reflectors are not switched off in this
 * context.
 */
final class OnWritesCondition extends SpringBootCondition implements ConfigurationCondition {

	private static final String MODE = "reflector.writes.mode";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnWrites.class);
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		Assert.state(beanFactory != null, "There is no bean factory");
		if (!beanFactory.containsLocalBean(ReflectorLifecycle.BEAN_NAME)) {
			return ConditionOutcome.noMatch(message.because("reflectors are switched off in this context"));
		}
		if (beanFactory.containsLocalBean(AppliedResourceTypes.BEAN_NAME)) {
			return ConditionOutcome.match(message.foundExactly("types annotated with @AppliedResource"));
		}
		return context.getEnvironment().containsProperty(MODE)
				? ConditionOutcome.match(message.foundExactly("property " + MODE))
				: ConditionOutcome.noMatch(message.didNotFind("type annotated with @AppliedResource").atAll());
	}

}
