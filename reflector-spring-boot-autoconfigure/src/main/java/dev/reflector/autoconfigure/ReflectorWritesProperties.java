package dev.reflector.autoconfigure;

import java.time.Duration;

import dev.reflector.Experimental;
import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.write.WriteMode;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the writer.
 *
 * @param mode Whether writes take effect, or the server only reports what they would
 * change. If this is set, an application without types annotated with @AppliedResource
 * has a writer, too.
 * @param timeout How long a write may take, including all repeated requests.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.writes")
@Experimental
public record ReflectorWritesProperties(@DefaultValue("on") WriteMode mode, @DefaultValue("30s") Duration timeout) {

	/**
	 * Checks the properties.
	 */
	public ReflectorWritesProperties {
		PropertyChecks.requirePositive("reflector.writes.timeout", timeout);
	}

}
