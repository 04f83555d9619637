package dev.reflector.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;

/**
 * No bean of the application is there, whatever was found.
 */
final class OnMissingConnectionDetailsCondition extends AllNestedConditions {

	OnMissingConnectionDetailsCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	/** Of any name, also that of the one that would be found. */
	@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class, search = SearchStrategy.CURRENT)
	static final class NoneHere {

	}

	@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class,
			ignored = DetectedReflectorConnectionDetails.class)
	static final class NoneAbove {

	}

}
