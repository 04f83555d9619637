package dev.reflector.test.context;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TestKitSettings} and {@link ServedTypeCollector}: test classes that
 * want the same share a context.
 */
class TestKitSettingsTests {

	private static final TestKitSettings.Server DEFAULTS = new TestKitSettings.Server(List.of(), 10_000,
			Duration.ofMinutes(1), true, false, true);

	@Test
	void classesWithoutAnnotationsGetNothing() {
		assertThat(TestKitSettings.of(Object.class)).isNull();
		assertThat(new TestKitContextCustomizerFactory().createContextCustomizer(Object.class, List.of())).isNull();
	}

	@Test
	void equalSettingsShareAContext() {
		TestKitContextCustomizerFactory factory = new TestKitContextCustomizerFactory();
		assertThat(factory.createContextCustomizer(Server.class, List.of()))
			.isEqualTo(factory.createContextCustomizer(Slice.class, List.of()))
			.hasSameHashCodeAs(factory.createContextCustomizer(Slice.class, List.of()))
			.isNotEqualTo(factory.createContextCustomizer(ManualSlice.class, List.of()));
	}

	@Test
	void attributesReachTheSettings() {
		assertThat(TestKitSettings.of(Probe.class)).isEqualTo(new TestKitSettings(false, null));
		assertThat(TestKitSettings.of(ManualProbe.class)).isEqualTo(new TestKitSettings(true, null));
		assertThat(TestKitSettings.of(Slice.class)).isEqualTo(new TestKitSettings(false, DEFAULTS));
		assertThat(TestKitSettings.of(ManualSlice.class)).isEqualTo(new TestKitSettings(true, DEFAULTS));
		assertThat(TestKitSettings.of(SliceWithTls.class)).isEqualTo(TestKitSettings.of(ServerWithTls.class))
			.isEqualTo(new TestKitSettings(false,
					new TestKitSettings.Server(List.of(), 10_000, Duration.ofMinutes(1), true, true, true)));
		assertThat(TestKitSettings.of(SliceWithoutServer.class)).isEqualTo(new TestKitSettings(false, null));
		assertThat(TestKitSettings.of(CustomSlice.class)).isEqualTo(TestKitSettings.of(Custom.class));
		assertThat(TestKitSettings.of(Custom.class)).isEqualTo(new TestKitSettings(true,
				new TestKitSettings.Server(List.of(new TestKitSettings.Type("v1", "Pod", "pods", false)), 7,
						Duration.ofMillis(500), false, false, false)));
	}

	@Test
	void anotherAnnotationDoesNotSwitchOffManualTime() {
		assertThat(TestKitSettings.of(ManualSliceWithoutServer.class)).isEqualTo(new TestKitSettings(true, null));
		assertThat(TestKitSettings.of(ManualServerAndProbe.class)).isEqualTo(new TestKitSettings(true, DEFAULTS));
	}

	@ParameterizedTest
	@CsvSource({ "v1,Node", "networking.k8s.io/v1,IPAddress", "networking.k8s.io/v1,ServiceCIDR",
			"resource.k8s.io/v1,DeviceClass", "resource.k8s.io/v1,ResourceSlice",
			"storage.k8s.io/v1,VolumeAttributesClass", "admissionregistration.k8s.io/v1,MutatingAdmissionPolicy",
			"admissionregistration.k8s.io/v1,MutatingAdmissionPolicyBinding",
			"certificates.k8s.io/v1beta1,ClusterTrustBundle",
			"storagemigration.k8s.io/v1beta1,StorageVersionMigration" })
	void typesOfKubernetesHaveTheirScope(String apiVersion, String kind) {
		ServedTypeCollector types = new ServedTypeCollector(List.of());
		types.derive(ResourceType.of(apiVersion, kind, "plural"));
		assertThat(types.list()).extracting(TestKitSettings.Type::namespaced).containsExactly(false);
	}

	@Test
	void aDeclaredTypeReplacesTheDerivedOne() {
		TestKitSettings.Type declared = new TestKitSettings.Type("example.com/v1", "Moose", "moose", false);
		ServedTypeCollector types = new ServedTypeCollector(List.of(declared));
		types.derive(ResourceType.of("example.com/v1", "Moose", "mooses"));
		types.derive(ResourceType.of("example.com/v1", "Node", "nodes"));
		types.derive(ResourceType.of("v1", "Node", "nodes"));
		types.derive(ResourceType.of("v1", "Node", "nodes"));
		assertThat(types.list()).containsExactly(declared,
				new TestKitSettings.Type("example.com/v1", "Node", "nodes", true),
				new TestKitSettings.Type("v1", "Node", "nodes", false));
	}

	@AutoConfigureReflectorProbe
	private static final class Probe {

	}

	@AutoConfigureReflectorProbe(manualTime = true)
	private static final class ManualProbe {

	}

	@AutoConfigureEmbeddedApiServer
	private static final class Server {

	}

	@ReflectorTest
	private static final class Slice {

	}

	@ReflectorTest(manualTime = true)
	private static final class ManualSlice {

	}

	@ReflectorTest(tls = true)
	private static final class SliceWithTls {

	}

	@AutoConfigureEmbeddedApiServer(tls = true)
	private static final class ServerWithTls {

	}

	@ReflectorTest
	@AutoConfigureEmbeddedApiServer(enabled = false)
	private static final class SliceWithoutServer {

	}

	@ReflectorTest(manualTime = true)
	@AutoConfigureEmbeddedApiServer(enabled = false)
	private static final class ManualSliceWithoutServer {

	}

	@AutoConfigureReflectorProbe
	@AutoConfigureEmbeddedApiServer(manualTime = true)
	private static final class ManualServerAndProbe {

	}

	@AutoConfigureEmbeddedApiServer(historyWindow = 7, bookmarkInterval = "500ms", watchList = false, reset = false,
			manualTime = true,
			types = @ServedResource(apiVersion = "v1", kind = "Pod", plural = "pods", namespaced = false))
	private static final class Custom {

	}

	@ReflectorTest(historyWindow = 7, bookmarkInterval = "500ms", watchList = false, reset = false, manualTime = true,
			types = @ServedResource(apiVersion = "v1", kind = "Pod", plural = "pods", namespaced = false))
	private static final class CustomSlice {

	}

}
