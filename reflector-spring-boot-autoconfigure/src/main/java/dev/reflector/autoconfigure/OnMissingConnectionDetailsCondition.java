package dev.reflector.autoconfigure;

import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.connection.DetectedReflectorConnectionDetails;

import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;

/**
 * Matches when neither this context nor a parent has such a bean of the application.
 */
final class OnMissingConnectionDetailsCondition extends AllNestedConditions {

	OnMissingConnectionDetailsCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	/** Any bean of this context counts, also one with the name of the library's bean. */
	@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class, search = SearchStrategy.CURRENT)
	static final class NoneHere {

	}

	@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class,
			ignored = DetectedReflectorConnectionDetails.class)
	static final class NoneAbove {

	}

}
