package dev.reflector.client.credentials;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.ExecCredentialReader.UnusableAnswerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that gives credentials, as a kubeconfig names it under {@code exec}. Runs
 * without anyone to ask, for a limited time and with limited output. What it prints, its
 * arguments and its environment may hold secrets and are never repeated.
 */
final class ExecPlugin {

	private static final Logger logger = LoggerFactory.getLogger(ExecPlugin.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** How long one may take until that is worth a word. */
	private static final Duration USUAL = Duration.ofSeconds(5);

	private static final int MAX_OUTPUT = 1024 * 1024;

	private final String where;

	private final List<String> command;

	private final Map<String, String> environment;

	private final ExecCredentialReader protocol;

	private final @Nullable Map<String, Object> cluster;

	private final @Nullable String installHint;

	private final Duration timeout;

	/**
	 * Describes a plugin.
	 * @param where where it is named, for messages
	 * @param command the program and its arguments
	 * @param environment environment variables in addition to those of this process
	 * @param apiVersion version of the protocol
	 * @param cluster what to tell it of the cluster, or {@code null} for nothing
	 * @param installHint what to say when the program is missing, or {@code null}
	 */
	ExecPlugin(String where, List<String> command, Map<String, String> environment, String apiVersion,
			@Nullable Map<String, Object> cluster, @Nullable String installHint) {
		this(where, command, environment, apiVersion, cluster, installHint, TIMEOUT);
	}

	ExecPlugin(String where, List<String> command, Map<String, String> environment, String apiVersion,
			@Nullable Map<String, Object> cluster, @Nullable String installHint, Duration timeout) {
		this.where = where;
		this.command = List.copyOf(command);
		this.environment = Map.copyOf(environment);
		this.protocol = new ExecCredentialReader(apiVersion);
		this.cluster = cluster;
		this.installHint = installHint;
		this.timeout = timeout;
	}

	/**
	 * Checks that there is such a program.
	 * @throws KubeconfigException when there is none
	 */
	void requireExecutable() {
		// elsewhere, the ending of the file may be left out
		if (File.separatorChar == '/' && !isExecutable()) {
			throw new KubeconfigException(missing());
		}
	}

	private boolean isExecutable() {
		String program = this.command.get(0);
		if (program.indexOf('/') >= 0) {
			return Files.isExecutable(Path.of(program));
		}
		String path = System.getenv("PATH");
		return path != null && Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(path)
			.map((folder) -> Path.of(folder).resolve(program))
			.anyMatch((file) -> Files.isRegularFile(file) && Files.isExecutable(file));
	}

	private String missing() {
		return this.where + " names the command '" + this.command.get(0)
				+ "', which does not exist or is not executable; "
				+ ((this.installHint != null) ? this.installHint : "install it, or correct the name or the PATH");
	}

	/**
	 * Runs the program. Blocks until it has ended.
	 * @return what it has given
	 * @throws CredentialsException when it has given nothing of use
	 */
	ExecCredential run() {
		Process process = start();
		try {
			byte[] output = output(process);
			if (output.length > MAX_OUTPUT) {
				throw failure("has printed more than " + MAX_OUTPUT + " bytes");
			}
			if (process.exitValue() != 0) {
				throw failure("has ended with exit code " + process.exitValue());
			}
			return this.protocol.read(output);
		}
		catch (TimeoutException ex) {
			throw failure("has not ended within " + this.timeout.toMillis() + " ms");
		}
		catch (UnusableAnswerException ex) {
			throw failure(ex.getMessage());
		}
		catch (ExecutionException ex) {
			throw failure("could not be read");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure("was interrupted");
		}
		finally {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
		}
	}

	private Process start() {
		ProcessBuilder builder = new ProcessBuilder(this.command).redirectError(ProcessBuilder.Redirect.DISCARD);
		builder.environment().putAll(this.environment);
		builder.environment().put("KUBERNETES_EXEC_INFO", this.protocol.info(this.cluster));
		try {
			Process process = builder.start();
			process.getOutputStream().close();
			return process;
		}
		catch (IOException ex) {
			// not as cause: it may repeat the arguments
			throw new CredentialsException(missing(), null);
		}
	}

	private byte[] output(Process process) throws InterruptedException, ExecutionException, TimeoutException {
		long start = System.nanoTime();
		InputStream stream = process.getInputStream();
		FutureTask<byte[]> output = new FutureTask<>(() -> stream.readNBytes(MAX_OUTPUT + 1));
		Thread reader = new Thread(output, "reflector-exec-output");
		reader.setDaemon(true);
		reader.start();
		byte[] bytes = awaited(output);
		long left = this.timeout.toNanos() - (System.nanoTime() - start);
		if (bytes.length <= MAX_OUTPUT && !process.waitFor(left, TimeUnit.NANOSECONDS)) {
			throw new TimeoutException();
		}
		return bytes;
	}

	private byte[] awaited(FutureTask<byte[]> output)
			throws InterruptedException, ExecutionException, TimeoutException {
		Duration usual = (USUAL.compareTo(this.timeout) < 0) ? USUAL : Duration.ZERO;
		try {
			return output.get(usual.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (!usual.isZero()) {
				logger.warn("The {} is still running after {} s ({}); requests wait for it, for {} s at most", this,
						usual.toSeconds(), this.where, this.timeout.toSeconds());
			}
		}
		return output.get(this.timeout.minus(usual).toNanos(), TimeUnit.NANOSECONDS);
	}

	private CredentialsException failure(@Nullable String what) {
		return new CredentialsException("the credential plugin '" + this.command.get(0) + "' " + what + " ("
				+ this.where + "); run it in a shell as the user of this process to see why", null);
	}

	@Override
	public String toString() {
		return "credential plugin '" + this.command.get(0) + "'";
	}

}
