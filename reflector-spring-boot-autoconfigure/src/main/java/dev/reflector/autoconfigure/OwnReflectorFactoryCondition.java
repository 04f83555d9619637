package dev.reflector.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;

/**
 * Matches where reflectors can be made in this very context: not where a parent has some
 * and this one is switched off.
 */
final class OwnReflectorFactoryCondition extends AllNestedConditions {

	OwnReflectorFactoryCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnBean(value = ReflectorFactory.class, search = SearchStrategy.CURRENT)
	static final class Factory {

	}

}
