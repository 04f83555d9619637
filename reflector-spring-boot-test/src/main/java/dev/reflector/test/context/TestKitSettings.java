package dev.reflector.test.context;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * What the annotations of a test class ask for. Contexts are shared by test classes whose
 * settings are equal.
 *
 * @param manualTime whether time is moved by hand
 * @param server the server, {@code null} for none
 */
record TestKitSettings(boolean manualTime, @Nullable Server server) {

	/**
	 * Reads the annotations.
	 * @param testClass the test class
	 * @return the settings, {@code null} when the test class asks for nothing
	 */
	static @Nullable TestKitSettings of(Class<?> testClass) {
		AutoConfigureReflectorProbe probe = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureReflectorProbe.class);
		if (probe == null) {
			return null;
		}
		AutoConfigureEmbeddedApiServer server = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureEmbeddedApiServer.class);
		return new TestKitSettings(probe.manualTime(), (server != null && server.enabled()) ? Server.of(server) : null);
	}

	/**
	 * What the server should be like.
	 *
	 * @param types types to serve besides the mirrored ones
	 * @param historyWindow the number of changes to remember
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
