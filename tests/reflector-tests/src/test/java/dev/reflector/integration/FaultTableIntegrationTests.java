package dev.reflector.integration;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/**
 * Each row of the table of faults in the guide is provoked over a socket, and the log and
 * the endpoint show what the row says. The short form provokes some of them.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultTableIntegrationTests {

	private static final Map<String, FaultProvocation> PROVOCATIONS = new LinkedHashMap<>();

	static {
		ConnectionProvocations.addTo(PROVOCATIONS);
		AnswerProvocations.addTo(PROVOCATIONS);
		ListenerProvocations.addTo(PROVOCATIONS);
	}

	@TempDir
	private Path folder;

	@Test
	void theTableHasExactlyTheProvokedRows() {
		assertThat(FaultTable.rows()).extracting(FaultTable.Row::fault)
			.containsExactlyInAnyOrderElementsOf(PROVOCATIONS.keySet());
	}

	@TestFactory
	Stream<DynamicTest> showsWhatTheRowSays(CapturedOutput output) {
		return LongForm.some(LongForm.some(FaultTable.rows().stream())).map((row) -> dynamicTest(row.fault(), () -> {
			assertThat(PROVOCATIONS).as("how to provoke '%s'", row.fault()).containsKey(row.fault());
			try (FaultStage stage = new FaultStage(this.folder, output)) {
				PROVOCATIONS.get(row.fault()).provoke(stage);
				stage.awaitSeen(row);
			}
		}));
	}

}
