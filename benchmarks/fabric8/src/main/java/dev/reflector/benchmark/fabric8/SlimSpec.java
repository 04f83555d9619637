package dev.reflector.benchmark.fabric8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * The desired state.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class SlimSpec {

	private @Nullable String nodeName;

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getNodeName() {
		return this.nodeName;
	}

	/**
	 * Setter.
	 * @param nodeName the value
	 */
	public void setNodeName(@Nullable String nodeName) {
		this.nodeName = nodeName;
	}

}
