package dev.reflector.benchmark.official;

import org.jspecify.annotations.Nullable;

/**
 * The observed state.
 */
public final class SlimStatus {

	private @Nullable String phase;

	private @Nullable String podIP;

	private @Nullable String message;

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getPhase() {
		return this.phase;
	}

	/**
	 * Setter.
	 * @param phase the value
	 */
	public void setPhase(@Nullable String phase) {
		this.phase = phase;
	}

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getPodIP() {
		return this.podIP;
	}

	/**
	 * Setter.
	 * @param podIP the value
	 */
	public void setPodIP(@Nullable String podIP) {
		this.podIP = podIP;
	}

	/**
	 * Getter.
	 * @return the value
	 */
	public @Nullable String getMessage() {
		return this.message;
	}

	/**
	 * Setter.
	 * @param message the value
	 */
	public void setMessage(@Nullable String message) {
		this.message = message;
	}

}
