package dev.reflector.benchmark.official;

import org.jspecify.annotations.Nullable;

/**
 * A setting of a widget.
 */
public final class Setting {

	private @Nullable String key;

	private @Nullable String value;

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getKey() {
		return this.key;
	}

	/**
	 * Setter.
	 * @param key the value
	 */
	public void setKey(@Nullable String key) {
		this.key = key;
	}

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getValue() {
		return this.value;
	}

	/**
	 * Setter.
	 * @param value the value
	 */
	public void setValue(@Nullable String value) {
		this.value = value;
	}

}
