package dev.reflector.integration;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Measures how long the mirror needs to get in step after restarts of a real API server,
 * from the time when the server is ready, while objects are written.
 * {@code -Dreflector.it.restart=COMMAND} restarts the server,
 * {@code -Dreflector.it.restarts=N} is the number of restarts (30). Prints the times, and
 * asserts that the mirror gets in step.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@EnabledIfSystemProperty(named = "reflector.it.restart", matches = ".+",
		disabledReason = "nothing restarts the server: name a command with -Dreflector.it.restart=<command>")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryTimesIntegrationTests {

	private static final int OBJECTS = 50;

	private final String kubeconfig = System.getProperty("reflector.it.kubeconfig");

	private final RealServer server = new RealServer(this.kubeconfig);

	@Test
	void theMirrorIsInStepSoonAfterEachRestart() throws Exception {
		this.server.send("POST", RealServer.WIDGETS, RealServer.widget("marker", 0));
		AtomicBoolean ended = new AtomicBoolean();
		FutureTask<@Nullable Void> churn = new FutureTask<>(() -> churn(ended), null);
		new Thread(churn, "churn").start();
		List<Duration> times = new ArrayList<>();
		try (MirrorApplication application = MirrorApplication
			.start("reflector.api-server.kubeconfig=" + this.kubeconfig)) {
			await().atMost(Duration.ofSeconds(30)).until(() -> application.reflector.hasSynced());
			int restarts = Integer.getInteger("reflector.it.restarts", 30);
			for (int restart = 1; restart <= restarts; restart++) {
				times.add(restart(application, restart));
				System.out
					.println("restart " + restart + ": in step after " + times.get(restart - 1).toMillis() + " ms");
			}
			ended.set(true);
			churn.get();
			this.server.awaitEqual(application);
			assertThat(application.heard.mistakes).isEmpty();
		}
		finally {
			ended.set(true);
		}
		List<Duration> sorted = times.stream().sorted().toList();
		System.out.println("in step after a restart: median " + sorted.get(sorted.size() / 2).toMillis() + " ms, worst "
				+ sorted.get(sorted.size() - 1).toMillis() + " ms, " + sorted.size() + " restarts");
	}

	private Duration restart(MirrorApplication application, int restart) throws Exception {
		Process command = new ProcessBuilder("sh", "-c", System.getProperty("reflector.it.restart"))
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20)).until(() -> !isReady());
		await().atMost(Duration.ofSeconds(120)).pollInterval(Duration.ofMillis(20)).until(this::isReady);
		long ready = System.nanoTime();
		await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10)).until(() -> mark(restart));
		await().atMost(Duration.ofSeconds(120))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> application.widgets.find("default", "marker")
				.filter((widget) -> widget.spec().size() == restart)
				.isPresent());
		Duration time = Duration.ofNanos(System.nanoTime() - ready);
		assertThat(command.waitFor()).as("exit code of the restart").isZero();
		return time;
	}

	private boolean isReady() throws Exception {
		try {
			return this.server.send("GET", "/livez", "").body().equals("ok");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private boolean mark(int restart) throws Exception {
		try {
			return this.server.send("PATCH", RealServer.WIDGETS + "/marker", "{\"spec\":{\"size\":" + restart + "}}")
				.statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private void churn(AtomicBoolean ended) {
		for (int write = 0; !ended.get(); write++) {
			String widget = "churn-" + ((write * 31) % OBJECTS);
			try {
				switch (write % 3) {
					case 0 -> this.server.send("POST", RealServer.WIDGETS, RealServer.widget(widget, write));
					case 1 -> this.server.send("PATCH", RealServer.WIDGETS + "/" + widget,
							"{\"spec\":{\"size\":" + write + "}}");
					default ->
						this.server.send("DELETE", RealServer.WIDGETS + "/churn-" + ((write * 17) % OBJECTS), "");
				}
				Thread.sleep(5);
			}
			catch (IOException ex) {
				// the server is away
				Thread.onSpinWait();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
