package dev.reflector.canary;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.fixture.Canary;
import dev.reflector.fixture.CanaryLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The search for the random text finds leaks that are made on purpose.
 */
class CanaryTests {

	private static final Canary CANARY = Canary.create();

	static Stream<String> shown() {
		String text = CANARY.text();
		byte[] inTheMiddle = ("{\"password\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
		return Stream.of("the value '" + text + "' does not fit", URLEncoder.encode(text, StandardCharsets.UTF_8),
				Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)),
				Base64.getEncoder().encodeToString(("x:" + text).getBytes(StandardCharsets.UTF_8)),
				Base64.getUrlEncoder().encodeToString(("me:" + text).getBytes(StandardCharsets.UTF_8)),
				Base64.getMimeEncoder(1000, new byte[] { '\n' }).encodeToString(inTheMiddle),
				HexFormat.of().formatHex(inTheMiddle));
	}

	@ParameterizedTest
	@MethodSource("shown")
	void itIsFoundInWhatIsShown(String shown) {
		assertThat(CanaryApplication.leaks(CANARY, List.of("nothing", "{\"answer\":\"" + shown + "\"}"))).hasSize(1);
	}

	@Test
	void itIsFoundInCausesAndInWhatWasSuppressed() {
		Exception leak = new IllegalStateException("not " + CANARY.text());
		Exception suppressing = new IllegalStateException("other");
		suppressing.addSuppressed(new IllegalStateException("wrapped", leak));
		assertThat(CANARY.in(new IllegalStateException("outer", leak))).isNotNull();
		assertThat(CANARY.in(suppressing)).isNotNull();
		assertThat(CANARY.in(new IllegalStateException("outer", new IllegalStateException("nothing")))).isNull();
	}

	@Test
	void itIsFoundInMessagesFieldsAndExceptionsOfTheLog() {
		try (CanaryLog log = new CanaryLog(CANARY)) {
			LoggerFactory.getLogger("dev.reflector.Reflector").trace("read {}", CANARY.text());
			LoggerFactory.getLogger("dev.reflector.Reflector").atDebug().addKeyValue("key", CANARY.text()).log("field");
			LoggerFactory.getLogger("dev.reflector.Reflector")
				.debug("failed", new IllegalStateException("outer", new IllegalStateException(CANARY.base64())));
			LoggerFactory.getLogger("com.example").info("read {}", Map.of("a", CANARY.text()));
			LoggerFactory.getLogger("com.example.quiet").debug("read {}", CANARY.text());
			java.util.logging.Logger.getLogger("com.example.java").fine(CANARY.text());
			LoggerFactory.getLogger("dev.reflector.Reflector").info("nothing");
			assertThat(log.leaks()).hasSize(4);
			assertThat(log.others()).containsOnlyKeys("com.example.quiet", "com.example.java");
		}
	}

	@Test
	void nothingElseIsFound() {
		assertThat(CANARY.in(Canary.create().text())).isNull();
		assertThat(CANARY.in("")).isNull();
	}

}
