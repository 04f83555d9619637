package dev.reflector.client.credentials;

import dev.reflector.cache.source.CredentialsException;

/**
 * A credential plugin that must not be run, because the application forbids plugins.
 *
 * @param plugin the plugin
 */
record DeniedPlugin(ExecPlugin plugin) implements TokenSource {

	@Override
	public String token() {
		throw new CredentialsException("the " + program() + " is not run, because the application does not allow it; "
				+ "configure another credential", null);
	}

	@Override
	public String program() {
		return this.plugin.description();
	}

	@Override
	public String toString() {
		return this.plugin + ", which is not run";
	}

}
