package dev.reflector.upgrade;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Releases of an application one after the other, with a snapshot in a SQLite file. The
 * type that they mirror has changed, or the name of its reflector. Takes some seconds of
 * processor time, because a release can only be shown by the start of an application.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class UpgradedApplicationTests {

	private static final String FAIL = "reflector.snapshot.on-mismatch=fail";

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.start();

	private final ResourceCollection widgets = this.server.resources("widgets");

	@TempDir
	Path directory;

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	private void create(String name, int size, String color) {
		this.widgets.create(Map.of("metadata", Map.of("namespace", "red", "name", name), "spec",
				Map.of("size", size, "color", color)));
	}

	private void createFive() {
		create("w0", 0, "blue");
		create("w1", 1, "pink");
		create("w2", 2, "blue");
		create("w3", 3, "blue");
		create("w4", 4, "blue");
	}

	private Release release(Class<?> type, String... properties) {
		return renamed(type, "widgets", properties);
	}

	private Release renamed(Class<?> type, String name, String... properties) {
		List<String> all = new ArrayList<>(
				List.of("reflector.api-server.url=" + this.server.url(), "reflector.snapshot.enabled=true",
						"reflector.snapshot.jdbc.file=" + this.directory.resolve("snapshots.db"),
						"reflector.events.on-error=stop", "reflector.startup.wait-for-sync=false",
						"spring.reactor.netty.shutdown-quiet-period=0s"));
		all.addAll(List.of(properties));
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> context.registerBean(
				"registration", ReflectedResourceRegistration.class,
				() -> ReflectedResourceRegistration.of(type, "example.com/v1", "Widget")
					.withPlural("widgets")
					.withName(name));
		return new Release(new SpringApplicationBuilder(Config.class, Listeners.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.initializers(beans)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new)));
	}

	/** Mirrors what there is, and stops. */
	private void mirrorOnce(Class<?> type, String... properties) {
		try (Release release = release(type, properties)) {
			release.awaitStored();
		}
		this.server.clearRequests();
	}

	private List<RecordedRequest> lists() {
		return this.server.requests((request) -> (request.isList() && request.parameter("resourceVersionMatch") == null)
				|| "true".equals(request.parameter("sendInitialEvents")));
	}

	/** D5: an enum lacks one value. */
	@ParameterizedTest
	@LongFormOnly
	@ValueSource(strings = { "relist", "fail" })
	void anObjectThatCannotBeReadAnyMoreCostsAListAndNoOther(String onMismatch, CapturedOutput output) {
		createFive();
		mirrorOnce(Plain.class);
		this.widgets.delete("red", "w0");
		try (Release release = release(Colored.class, "reflector.snapshot.on-mismatch=" + onMismatch)) {
			release.awaitHeard("- red/w0 blue");
			release.awaitStored();
			assertThat(lists()).hasSize(1);
			assertThat(release.reflector.status().skipped()).isEqualTo(1);
			assertThat(release.snapshot().contentUnknown()).isEqualTo(1);
			assertThat(release.snapshot().size()).isEqualTo(4);
			// it is gone in the next life, and the list is not needed again after that
			this.widgets.delete("red", "w1");
			release.awaitHeard("- red/w0 blue", "- red/w1 ?", "large or unknown red/w1");
			await().until(() -> release.snapshot().contentUnknown() == 0);
		}
		assertThat(output)
			.contains("the content of 1 stored objects is unknown, because it cannot be read. The first is red/w1: ")
			.doesNotContain("set aside")
			.doesNotContain("pink");
		this.server.clearRequests();
		try (Release release = release(Colored.class, "reflector.snapshot.on-mismatch=" + onMismatch)) {
			await().until(release.reflector::hasSynced);
			assertThat(lists()).isEmpty();
			assertThat(release.listeners.heard).isEmpty();
		}
	}

	@Test
	void anUnreadableObjectThatWasDeletedMeanwhileIsDeliveredWithoutContent() {
		createFive();
		mirrorOnce(Plain.class);
		this.widgets.delete("red", "w1");
		try (Release release = release(Colored.class)) {
			release.awaitHeard("- red/w1 ?", "large or unknown red/w1");
			release.awaitStored();
			assertThat(release.listeners.events.toString())
				.matches("\\[ResourceDeletedEvent\\[widgets red/w1 @ \\d+]]");
		}
	}

	/** D5: a compact constructor checks its argument, and the server's copy passes. */
	@Test
	void anObjectThatOnlyTheSnapshotHasInAnUnreadableFormEntersTheMirrorSilently() {
		createFive();
		mirrorOnce(Sized.class);
		this.widgets.delete("red", "w0");
		try (Release release = release(Checked.class)) {
			release.awaitHeard("- red/w0 ?", "large or unknown red/w0");
			release.awaitStored();
			assertThat(release.snapshot().contentUnknown()).isZero();
			assertThat(release.snapshot().size()).isEqualTo(4);
			assertThat(release.reflector.status().size()).isEqualTo(4);
		}
	}

	/** With so many objects, the first batches are decoded while the last are read. */
	@LongFormOnly
	@Test
	void theNumberOfObjectsMakesNoDifference() {
		for (int i = 0; i < 6000; i++) {
			create("w" + i, i, (i == 1) ? "pink" : "blue");
		}
		mirrorOnce(Plain.class);
		this.widgets.delete("red", "w0");
		try (Release release = release(Colored.class, FAIL)) {
			release.awaitHeard("- red/w0 blue");
			release.awaitStored();
			assertThat(release.snapshot().size()).isEqualTo(5999);
		}
	}

	/** D14. */
	@Test
	void anObjectThatCannotBeWrittenHoldsUpNoOther(CapturedOutput output) {
		createFive();
		mirrorOnce(Unlucky.class);
		assertThat(output).containsOnlyOnce("the object red/w3 cannot be written to the snapshot: ")
			.doesNotContain("bad luck");
		this.widgets.delete("red", "w0");
		this.widgets.delete("red", "w3");
		try (Release release = release(Unlucky.class)) {
			release.awaitHeard("- red/w0 ", "- red/w3 ?", "large or unknown red/w3");
			await().until(() -> release.snapshot().size() == 3 && release.snapshot().contentUnknown() == 0);
			assertThat(release.snapshot().lastError()).isNull();
		}
	}

	@Test
	void anotherDeclarationLeadsToOneListAlsoWithFail() {
		createFive();
		mirrorOnce(Sized.class);
		this.widgets.delete("red", "w0");
		try (Release release = release(Plain.class, FAIL)) {
			release.awaitHeard("- red/w0 null", "~ red/w1 null > pink", "~ red/w2 null > blue", "~ red/w3 null > blue",
					"~ red/w4 null > blue");
			assertThat(lists()).hasSize(1);
		}
	}

	/** D20. */
	@Test
	void aRenamedReflectorKeepsItsSnapshot() {
		createFive();
		mirrorOnce(Plain.class);
		this.widgets.delete("red", "w0");
		try (Release release = renamed(Plain.class, "gadgets", "reflector.resources.gadgets.snapshot-name=widgets")) {
			release.awaitHeard("- red/w0 blue");
			assertThat(lists()).isEmpty();
			assertThat(release.snapshot().restored()).isEqualTo(5);
		}
	}

	@Test
	@LongFormOnly
	void aRenamedReflectorKeepsTheSnapshotOfItsShare() {
		createFive();
		String[] shares = { "reflector.sharding.index=0", "reflector.sharding.index=1" };
		String[] all = { "reflector.sharding.enabled=true", "reflector.sharding.leases.enabled=false",
				"reflector.sharding.count=2", "reflector.sharding.field=namespace" };
		for (String share : shares) {
			mirrorOnce(Plain.class, share, all[0], all[1], all[2], all[3]);
		}
		this.widgets.delete("red", "w0");
		int restored = 0;
		for (String share : shares) {
			try (Release release = renamed(Plain.class, "gadgets", share, all[0], all[1], all[2], all[3],
					"reflector.resources.gadgets.snapshot-name=widgets")) {
				await().until(release.reflector::hasSynced);
				restored += release.snapshot().restored();
				// one of them has the whole namespace
				release
					.awaitHeard((release.snapshot().restored() > 0) ? new String[] { "- red/w0 blue" } : new String[0]);
			}
		}
		assertThat(restored).isEqualTo(5);
	}

	@Test
	void twoReflectorsOfOneSnapshotDoNotStart() {
		assertThatException()
			.isThrownBy(() -> release(Plain.class, "reflector.resources.gadgets.api-version=example.com/v1",
					"reflector.resources.gadgets.kind=Widget", "reflector.resources.gadgets.plural=widgets",
					"reflector.resources.gadgets.snapshot-name=widgets"))
			.havingRootCause()
			.withMessageContaining("'gadgets'")
			.withMessageContaining("have the same snapshot 'widgets'");
	}

	/** The first release, and others that declare the same or something else. */
	record Plain(ObjectMeta metadata, Spec spec) implements Described {

		@Override
		public String description() {
			return String.valueOf(this.spec.color());
		}

		@Override
		public int size() {
			return this.spec.size();
		}

		record Spec(int size, @Nullable String color) {

		}

	}

	record Colored(ObjectMeta metadata, Spec spec) implements Described {

		@Override
		public String description() {
			return String.valueOf(this.spec.color());
		}

		@Override
		public int size() {
			return this.spec.size();
		}

		enum Color {

			blue, green

		}

		record Spec(int size, Color color) {

		}

	}

	record Sized(ObjectMeta metadata, Spec spec) implements Described {

		@Override
		public String description() {
			return "";
		}

		@Override
		public int size() {
			return this.spec.size();
		}

		record Spec(int size) {

		}

	}

	/** A type of which one object cannot be written. */
	record Unlucky(ObjectMeta metadata, Spec spec) implements Described {

		@Override
		public String description() {
			return "";
		}

		@Override
		public int size() {
			return this.spec.kept.length();
		}

		/** Keeps its size in another form, and fails to return some sizes. */
		static class Spec {

			private final StringBuilder kept = new StringBuilder();

			public int getSize() {
				int size = this.kept.length();
				if (size == 3) {
					throw new IllegalStateException("bad luck");
				}
				return size;
			}

			public void setSize(int size) {
				this.kept.setLength(size);
			}

			@Override
			public boolean equals(Object other) {
				return other instanceof Spec spec && this.kept.compareTo(spec.kept) == 0;
			}

			@Override
			public int hashCode() {
				return this.kept.length();
			}

		}

	}

	/** Stored objects of {@link Sized} have no color. */
	record Checked(ObjectMeta metadata, Spec spec) implements Described {

		@Override
		public String description() {
			return this.spec.color();
		}

		@Override
		public int size() {
			return this.spec.size();
		}

		record Spec(int size, String color) {

			Spec {
				if (color == null) {
					throw new IllegalArgumentException("no color");
				}
			}

		}

	}

	/** The methods of each type that the listeners use. */
	interface Described {

		String description();

		int size();

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Config {

	}

	/** The listeners of each release. */
	static class Listeners {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final List<ResourceEvent<?>> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceAddedEvent<? extends Described> event) {
			if (!event.initialList()) {
				this.heard.add("+ " + event.key() + " " + event.resource().description());
			}
		}

		@EventListener
		void on(ResourceUpdatedEvent<? extends Described> event) {
			this.heard.add(
					"~ " + event.key() + " " + event.previous().description() + " > " + event.resource().description());
		}

		@EventListener
		void on(ResourceDeletedEvent<? extends Described> event) {
			this.events.add(event);
			this.heard.add("- " + event.key() + " " + (event.contentUnknown() ? "?" : event.resource().description()));
		}

		@EventListener(condition = "#root.event.resource().size() > 100")
		void large(ResourceDeletedEvent<? extends Described> event) {
			this.heard.add("large or unknown " + event.key());
		}

	}

	/** A release of the application. */
	private static final class Release implements AutoCloseable {

		private final ConfigurableApplicationContext context;

		private final Reflector<?> reflector;

		private final Listeners listeners;

		private Release(ConfigurableApplicationContext context) {
			this.context = context;
			this.reflector = context.getBean(Reflector.class);
			this.listeners = context.getBean(Listeners.class);
		}

		private Durability snapshot() {
			Durability snapshot = this.reflector.durability();
			assertThat(snapshot).isNotNull();
			return snapshot;
		}

		private void awaitHeard(String... expected) {
			await().untilAsserted(() -> assertThat(this.listeners.heard).containsExactlyInAnyOrder(expected));
		}

		private void awaitStored() {
			await().until(() -> this.reflector.state() == ReflectorState.WATCHING && snapshot().behindSince() == null
					&& snapshot().commitTook() != null);
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
