package dev.reflector.autoconfigure;

import dev.reflector.Reflector;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/**
 * A reflector, or what will become one.
 */
final class OnReflectorsCondition extends AnyNestedCondition {

	OnReflectorsCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnBean(Reflector.class)
	private static final class ThereIsOne {

	}

	@ConditionalOnBean(ReflectedResourceRegistration.class)
	private static final class OneIsRegistered {

	}

}
