package dev.reflector.integration;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import dev.reflector.ReflectorStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests HTTP/2 under load against a real API server that serves
 * {@code widgets.example.com/v1} and closes connections now and then
 * ({@code --goaway-chance}). Creates, changes and deletes widgets in the namespace
 * {@code default} for the number of minutes in {@code -Dreflector.it.minutes}. During the
 * test, no other client may write widgets, and the server must keep its history.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@EnabledIfSystemProperty(named = "reflector.it.minutes", matches = "\\d+",
		disabledReason = "it takes its time: say how long with -Dreflector.it.minutes=<number>")
class GoAwayIntegrationTests {

	private static final int OBJECTS = 100;

	private static final long PAUSE_NANOS = 10_000_000;

	private final String kubeconfig = System.getProperty("reflector.it.kubeconfig");

	private final String prefix = "goaway-" + Long.toHexString(System.nanoTime()) + "-";

	private final RealServer server = new RealServer(this.kubeconfig);

	@Test
	void nothingIsLostOrListedAgainWhileConnectionsAreGivenUp() throws Exception {
		Duration duration = Duration.ofMinutes(Long.getLong("reflector.it.minutes"));
		try (MirrorApplication application = MirrorApplication.start(
				"reflector.api-server.kubeconfig=" + this.kubeconfig, "reflector.api-server.http-version=http-2",
				"reflector.watch.initial-list=list", "reflector.watch.min-timeout=2s")) {
			this.server.awaitEqual(application);
			int changes = application.heard.events.size();
			long end = System.nanoTime() + duration.toNanos();
			int written = 0;
			for (int write = 0; System.nanoTime() < end; write++) {
				written += write(write) ? 1 : 0;
				// all events are kept to the end, and must fit into memory
				LockSupport.parkNanos(PAUSE_NANOS);
			}
			this.server.awaitEqual(application);
			ReflectorStatus status = application.reflector.status();
			assertThat(status.counts().lists()).as("lists").isOne();
			assertThat(application.heard.mistakes).as("events twice or missing").isEmpty();
			assertThat(heard(application.heard.events, changes)).as("events for %d writes", written).isEqualTo(written);
			assertThat(status.counts().watches()).as("watches").isGreaterThan(duration.toSeconds() / 20);
		}
		finally {
			for (int i = 0; i < OBJECTS; i++) {
				this.server.send("DELETE", RealServer.WIDGETS + "/" + this.prefix + i, "");
			}
		}
	}

	private static long heard(List<String> events, int from) {
		return events.subList(from, events.size())
			.stream()
			.filter((event) -> "+~-".indexOf(event.charAt(0)) >= 0)
			.count();
	}

	/**
	 * Writes, and returns whether that changed an object, so that an event must follow.
	 */
	private boolean write(int write) throws Exception {
		int number = (write * 31) % OBJECTS;
		String object = RealServer.WIDGETS + "/" + this.prefix + number;
		HttpResponse<String> response = switch (write % 4) {
			case 0 -> this.server.send("POST", RealServer.WIDGETS, RealServer.widget(this.prefix + number, 1));
			case 3 -> this.server.send("DELETE", object, "");
			default -> this.server.send("PATCH", object, "{\"spec\":{\"size\":" + (write + 2) + "}}");
		};
		assertThat(response.statusCode()).isIn(200, 201, 404, 409);
		return response.statusCode() < 300;
	}

}
