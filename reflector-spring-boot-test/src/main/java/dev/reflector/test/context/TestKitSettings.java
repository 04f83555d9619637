package dev.reflector.test.context;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * The settings that the annotations of a test class declare. Test classes with equal
 * settings share contexts.
 *
 * @param manualTime whether the test moves the time
 * @param server the settings of the embedded server, or {@code null} for no server
 */
record TestKitSettings(boolean manualTime, @Nullable Server server) {

	/**
	 * Reads the annotations.
	 * @param testClass the test class
	 * @return the settings, or {@code null} if the test class has no annotation of the
	 * test kit
	 */
	static @Nullable TestKitSettings of(Class<?> testClass) {
		AutoConfigureReflectorProbe probe = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureReflectorProbe.class);
		if (probe == null) {
			return null;
		}
		AutoConfigureEmbeddedApiServer server = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureEmbeddedApiServer.class);
		ReflectorTest slice = TestContextAnnotationUtils.findMergedAnnotation(testClass, ReflectorTest.class);
		boolean manualTime = probe.manualTime() || (server != null && server.manualTime())
				|| (slice != null && slice.manualTime());
		return new TestKitSettings(manualTime, (server != null && server.enabled()) ? Server.of(server) : null);
	}

	/**
	 * Settings of the embedded server.
	 *
	 * @param types types to serve in addition to the mirrored types
	 * @param historyWindow the number of changes to keep
	 * @param bookmarkInterval the time between bookmarks
	 * @param watchList whether lists are streamed
	 * @param tls whether connections are encrypted
	 * @param reset whether to reset before each test
	 */
	record Server(List<Type> types, int historyWindow, Duration bookmarkInterval, boolean watchList, boolean tls,
			boolean reset) {

		static Server of(AutoConfigureEmbeddedApiServer annotation) {
			return new Server(
					Arrays.stream(annotation.types())
						.map((type) -> new Type(type.apiVersion(), type.kind(), type.plural(), type.namespaced()))
						.toList(),
					annotation.historyWindow(), DurationStyle.detectAndParse(annotation.bookmarkInterval()),
					annotation.watchList(), annotation.tls(), annotation.reset());
		}

	}

	/**
	 * A type to serve.
	 *
	 * @param apiVersion group and version
	 * @param kind the kind
	 * @param plural the plural
	 * @param namespaced whether the objects live in namespaces
	 */
	record Type(String apiVersion, String kind, String plural, boolean namespaced) {

	}

}
