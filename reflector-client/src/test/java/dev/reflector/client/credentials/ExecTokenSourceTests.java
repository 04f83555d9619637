package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.fixture.BusySharedThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExecTokenSource}.
 */
class ExecTokenSourceTests {

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	@TempDir
	private Path folder;

	private Instant now = START;

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private ExecPlugin plugin;

	private ExecTokenSource source;

	@BeforeEach
	void createPlugin() throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), """
				#!/bin/sh
				echo run >> %1$s/runs
				cat %1$s/answer
				""".formatted(this.folder));
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
		this.plugin = new ExecPlugin("test", List.of(script.toString()), Map.of(),
				new ExecCredentialReader("client.authentication.k8s.io/v1beta1", null), null);
		this.source = new ExecTokenSource(this.plugin, () -> this.now, this.tasks::add);
	}

	@Test
	void concurrentRequestsShareOneRun() throws IOException {
		answer("one", START.plusSeconds(3600));
		CompletableFuture<String> first = this.source.obtain().toFuture();
		CompletableFuture<String> second = this.source.obtain().toFuture();
		assertThat(first).isNotDone();
		runTasks();
		assertThat(first).isCompletedWithValue("one");
		assertThat(second).isCompletedWithValue("one");
		assertThat(runs()).isEqualTo(1);
	}

	@Test
	void aPluginRunsWhileTheApplicationBlocksTheSharedThreads() throws Exception {
		answer("one", Instant.now().plusSeconds(3600));
		try (BusySharedThreads busy = new BusySharedThreads()) {
			assertThat(new ExecTokenSource(this.plugin).obtain().block(Duration.ofSeconds(30))).isEqualTo("one");
			assertThat(busy.isBusy()).isTrue();
		}
	}

	@Test
	void requestThatIsGivenUpDoesNotEndTheRun() throws IOException {
		answer("one", START.plusSeconds(3600));
		this.source.obtain().subscribe().dispose();
		CompletableFuture<String> other = this.source.obtain().toFuture();
		runTasks();
		assertThat(other).isCompletedWithValue("one");
	}

	@Test
	void credentialIsKeptUntilShortlyBeforeItsEnd() throws IOException {
		answer("one", START.plusSeconds(3600));
		obtains("one");
		this.now = START.plusSeconds(3539);
		obtains("one");
		assertThat(runs()).isEqualTo(1);
		answer("two", START.plusSeconds(7200));
		this.now = START.plusSeconds(3541);
		// no request waits while the old credential is valid
		assertThat(this.source.obtain().toFuture()).isCompletedWithValue("one");
		runTasks();
		obtains("two");
		assertThat(runs()).isEqualTo(2);
	}

	@Test
	void expiredCredentialIsWaitedFor() throws IOException {
		answer("one", START.plusSeconds(10));
		obtains("one");
		answer("two", null);
		this.now = START.plusSeconds(10);
		CompletableFuture<String> waiting = this.source.obtain().toFuture();
		assertThat(waiting).isNotDone();
		runTasks();
		assertThat(waiting).isCompletedWithValue("two");
		this.now = START.plus(Duration.ofDays(1000));
		obtains("two");
		assertThat(runs()).isEqualTo(2);
	}

	@Test
	void aFailureReachesAllWaitingRequestsAndTheNextOneTriesAgain() throws IOException {
		Files.writeString(this.folder.resolve("answer"), "s3cret");
		CompletableFuture<String> first = this.source.obtain().toFuture();
		CompletableFuture<String> second = this.source.obtain().toFuture();
		runTasks();
		assertThat(first).isCompletedExceptionally();
		assertThatExceptionOfType(CredentialsException.class)
			.isThrownBy(() -> this.source.obtain().doOnSubscribe((subscription) -> runTasks()).block());
		assertThat(second).isCompletedExceptionally();
		answer("one", null);
		obtains("one");
	}

	@Test
	void rejectedCredentialIsReplacedOnceForAllItsUsers() throws IOException {
		answer("one", null);
		obtains("one");
		answer("two", null);
		assertThat(this.source.renew("one")).isTrue();
		obtains("two");
		assertThat(this.source.renew("one")).isTrue();
		obtains("two");
		assertThat(runs()).isEqualTo(2);
	}

	private void obtains(String token) {
		CompletableFuture<String> obtained = this.source.obtain().toFuture();
		runTasks();
		assertThat(obtained).isCompletedWithValue(token);
	}

	private void runTasks() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

	private void answer(String token, Instant expiry) throws IOException {
		String end = (expiry != null) ? ",\"expirationTimestamp\":\"" + expiry + "\"" : "";
		Files.writeString(this.folder.resolve("answer"),
				"{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1beta1\","
						+ "\"status\":{\"token\":\"" + token + "\"" + end + "}}");
	}

	private int runs() throws IOException {
		return Files.readAllLines(this.folder.resolve("runs")).size();
	}

}
