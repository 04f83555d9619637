package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;

import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties of this module are known to what warns of misspelt ones.
 */
@ExtendWith(OutputCaptureExtension.class)
class MisspeltJdbcSettingTests {

	@Test
	void thePropertyThatIsMeantIsNamed(@TempDir Path directory, CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ReflectorAutoConfiguration.class, JdbcSnapshotAutoConfiguration.class))
			.withPropertyValues("reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
					"reflector.api-server.url=http://127.0.0.1:1", "reflector.startup.wait-for-sync=false",
					"reflector.snapshot.jdbc.file=" + directory.resolve("snapshots.db"),
					"reflector.snapshot.jdbc.initialise-schema=never")
			.run((context) -> assertThat(output).doesNotContain("'reflector.snapshot.jdbc.file'")
				.contains("Did you mean 'reflector.snapshot.jdbc.initialize-schema'?"));
	}

}
