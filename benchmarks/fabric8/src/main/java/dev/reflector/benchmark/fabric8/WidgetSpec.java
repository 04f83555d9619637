package dev.reflector.benchmark.fabric8;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a widget, with all fields.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class WidgetSpec {

	private @Nullable String nodeName;

	private @Nullable List<Setting> settings;

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

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable List<Setting> getSettings() {
		return this.settings;
	}

	/**
	 * Setter.
	 * @param settings the value
	 */
	public void setSettings(@Nullable List<Setting> settings) {
		this.settings = settings;
	}

}
