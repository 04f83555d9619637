package dev.reflector.autoconfigure;

import java.time.Duration;

import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.fixture.writes.SiteSettings;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReflectorWritesAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorWritesAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(SiteSettings.class);

	private final ApplicationContextRunner reading = ReflectorContextRunners.withTypesNextTo(Widget.class);

	@Test
	@Covers(in = ReflectorWritesAutoConfiguration.class, holds = true)
	void anApplicationWithATypeToApplyHasAWriter() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getSourceApplicationContext().getBeanFactory().getSingletonNames())
				.as("made at the start, because it checks the types")
				.contains("reflectorResourceWriter");
			assertThat(context).hasSingleBean(ResourceWriter.class);
		});
	}

	@Test
	@Covers(in = ReflectorWritesAutoConfiguration.class, condition = "ConditionalOnWrites OnWritesCondition",
			holds = false)
	void anApplicationThatOnlyReadsHasNothingOfIt() {
		ReflectorContextRunners.withActuator(this.reading).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(ResourceWriter.class);
			assertThat(context.getBeanFactory().getBeanDefinitionNames())
				.noneMatch((name) -> name.contains("Write") || name.contains("Applied"));
		});
	}

	@Test
	void anApplicationThatOnlyDeletesSetsTheMode() {
		this.reading.withPropertyValues("reflector.writes.mode=on")
			.run((context) -> assertThat(context).hasSingleBean(ResourceWriter.class));
	}

	@Test
	@Covers(in = ReflectorWritesAutoConfiguration.class, condition = "ConditionalOnMissingBean ResourceWriter",
			holds = false)
	void ownWriter() {
		this.runner.withBean("own", ResourceWriter.class, () -> Mockito.mock(ResourceWriter.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorResourceWriter"));
	}

	@Test
	void withoutAServerAWriteSaysWhatToSet() {
		this.runner.run((context) -> assertThatIllegalStateException()
			.isThrownBy(() -> context.getBean(ResourceWriter.class)
				.apply(new SiteSettings(AppliedMeta.named("default", "a"), null)))
			.withMessageContaining("Nothing is written: no API server is configured")
			.withMessageContaining("reflector.api-server.url"));
	}

	@Test
	void properties() {
		this.runner.withPropertyValues("reflector.writes.mode=dry-run", "reflector.writes.timeout=5s")
			.run((context) -> assertThat(context.getBean(ReflectorWritesProperties.class))
				.isEqualTo(new ReflectorWritesProperties(WriteMode.DRY_RUN, Duration.ofSeconds(5))));
		// as YAML reads 'mode: on'
		this.runner.withPropertyValues("reflector.writes.mode=true")
			.run((context) -> assertThat(context.getBean(ReflectorWritesProperties.class).mode())
				.isEqualTo(WriteMode.ON));
	}

	@Test
	void anApplicationWithoutANameIsWarnedOfManagersThatOthersMayHave(CapturedOutput output) {
		this.runner.withPropertyValues("spring.application.name=shop")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("The application has no name");
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("another one may also write as 'application/SiteSettings', 'application/SiteStatus',")
			.contains("Set 'spring.application.name', or 'manager' of @AppliedResource");
	}

	@Test
	void theRoleHasWhatIsWritten() {
		this.runner.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml()).endsWith("""
				- apiGroups: ["example.com"]
				  resources: ["sites"]
				  verbs: ["list", "watch"]
				- apiGroups: ["example.com"]
				  resources: ["sites"]
				  verbs: ["patch", "create"] # and "delete", where it deletes them
				- apiGroups: ["example.com"]
				  resources: ["sites/status"]
				  verbs: ["patch"]
				- apiGroups: ["example.com"]
				  resources: ["sites"]
				  verbs: ["get"]
				"""));
	}

	@Test
	void theRoleIsForTheNamespacesOfTheMirror() {
		this.runner
			.withPropertyValues("reflector.resources.sites.namespaces=a", "sites.group=other.example.com",
					"reflector.writes.mode=dry-run")
			.run((context) -> assertThat(context.getBean(RbacManifest.class).yaml()).contains("kind: ClusterRole",
					"- apiGroups: [\"other.example.com\"]", "verbs: [\"patch\", \"create\", " + "\"get\"]",
					"kind: Role\n", "  resources: [\"sites/status\"]\n  verbs: [\"patch\"]\n"
							+ "- apiGroups: [\"example.com\"]\n  resources: [\"sites\"]\n  verbs: [\"get\"]\n"));
	}

}
