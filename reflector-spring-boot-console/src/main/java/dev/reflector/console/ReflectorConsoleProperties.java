package dev.reflector.console;

import java.util.regex.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the console. {@code management.endpoint.reflectors.show-values} does not
 * apply to the console.
 *
 * @param enabled Whether the application serves the console. The security of the
 * application decides who may see it; 'management.endpoints.access.max-permitted' limits
 * access, and so does 'management.endpoint.reflectors.access' if it is set.
 * @param path Path of the console, without a slash at its end.
 * @param writeOperations Whether the console may trigger operations: relist, resync,
 * pause, resume, verify and, for a stopped reflector, reset-snapshot.
 */
@ConfigurationProperties("reflector.console")
record ReflectorConsoleProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/reflectors") String path,
		@DefaultValue("false") boolean writeOperations) {

	private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

	ReflectorConsoleProperties {
		if (!PATH.matcher(path).matches()) {
			throw new IllegalArgumentException("'reflector.console.path' must begin with a slash and not end with one, "
					+ "and have letters, digits and . _ ~ - between slashes");
		}
	}

}
