package dev.reflector.autoconfigure;

import java.time.Duration;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.write.WriteMode;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the writer.
 *
 * @param mode Whether writes take effect, or the server is only asked what they would
 * change. An application without types annotated with @AppliedResource must set this to
 * get a writer.
 * @param timeout How long a write may take, including all repeated attempts.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.writes")
public record ReflectorWritesProperties(@DefaultValue("on") WriteMode mode, @DefaultValue("30s") Duration timeout) {

	/**
	 * Checks the properties.
	 */
	public ReflectorWritesProperties {
		PropertyChecks.requirePositive("reflector.writes.timeout", timeout);
	}

}
