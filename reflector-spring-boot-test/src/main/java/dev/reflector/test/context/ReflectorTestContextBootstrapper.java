package dev.reflector.test.context;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Bootstrapper of {@link ReflectorTest @ReflectorTest}.
 */
final class ReflectorTestContextBootstrapper extends TestSliceTestContextBootstrapper<ReflectorTest> {

	private static final String WEB_APPLICATION_TYPE = "spring.main.web-application-type";

	@Override
	protected String[] getProperties(Class<?> testClass) {
		String[] properties = Objects.requireNonNullElse(super.getProperties(testClass), new String[0]);
		if (Arrays.stream(properties).anyMatch((property) -> property.startsWith(WEB_APPLICATION_TYPE))) {
			return properties;
		}
		return Stream.concat(Stream.of(WEB_APPLICATION_TYPE + "=none"), Arrays.stream(properties))
			.toArray(String[]::new);
	}

}
