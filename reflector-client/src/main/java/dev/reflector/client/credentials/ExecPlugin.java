package dev.reflector.client.credentials;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.ExecCredentialReader.UnusableAnswerException;
import dev.reflector.client.internal.pem.ShownPath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that returns credentials, from the {@code exec} part of a kubeconfig. It
 * cannot ask the user, and its time and output are limited. Its output, arguments and
 * environment may hold secrets, so no message quotes them.
 */
final class ExecPlugin {

	private static final Logger logger = LoggerFactory.getLogger(ExecPlugin.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** After this time, a warning says that the plugin is still running. */
	private static final Duration USUAL = Duration.ofSeconds(5);

	private static final int MAX_OUTPUT = 1024 * 1024;

	private final String where;

	private final List<String> command;

	private final Map<String, String> environment;

	private final ExecCredentialReader protocol;

	private final @Nullable String installHint;

	private final Duration timeout;

	private final Programs programs = Programs.of(System::getenv);

	/**
	 * Describes a plugin.
	 * @param where the part of the kubeconfig that names the plugin, for messages
	 * @param command the program, by name or absolute path, and its arguments
	 * @param environment environment variables in addition to those of this process
	 * @param protocol writes the input and reads the output of the program
	 * @param installHint the advice for a missing program, or {@code null} for none
	 */
	ExecPlugin(String where, List<String> command, Map<String, String> environment, ExecCredentialReader protocol,
			@Nullable String installHint) {
		this(where, command, environment, protocol, installHint, TIMEOUT);
	}

	ExecPlugin(String where, List<String> command, Map<String, String> environment, ExecCredentialReader protocol,
			@Nullable String installHint, Duration timeout) {
		this.where = where;
		this.command = List.copyOf(command);
		this.environment = Map.copyOf(environment);
		this.protocol = protocol;
		this.installHint = installHint;
		this.timeout = timeout;
	}

	/**
	 * Checks that the program exists and is executable.
	 * @throws KubeconfigException if the program does not exist or is not executable
	 */
	void requireExecutable() {
		if (this.programs.find(this.command.get(0)) == null) {
			throw new KubeconfigException(missing());
		}
	}

	/**
	 * Returns this plugin as the source of credentials.
	 * @return the source
	 * @throws KubeconfigException if the program cannot be run
	 */
	ExecTokenSource executable() {
		requireExecutable();
		return new ExecTokenSource(this);
	}

	private String missing() {
		String program = this.command.get(0);
		boolean name = Programs.isName(program);
		return this.where + " names the command '" + ShownPath.of(shown())
				+ "', which does not exist or is not executable"
				+ (name ? " in the folders of the PATH that are absolute" : "") + "; "
				+ ((this.installHint != null) ? this.installHint : name
						? "install it there, or correct the name or the PATH" : "install it, or correct the path");
	}

	/**
	 * Runs the program. Blocks until the program has ended.
	 * @return the credential
	 * @throws CredentialsException if the program returns no credential
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
		// resolved here, because the operating system may also look in the working
		// directory
		Path program = this.programs.find(this.command.get(0));
		if (program == null) {
			throw new CredentialsException(missing(), null);
		}
		List<String> command = new ArrayList<>(this.command);
		command.set(0, program.toString());
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
		builder.environment().putAll(this.environment);
		builder.environment().put("KUBERNETES_EXEC_INFO", this.protocol.info());
		try {
			Process process = builder.start();
			process.getOutputStream().close();
			return process;
		}
		catch (IOException ex) {
			// the exception is not kept as the cause, because its message may quote the
			// arguments
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
				logger.warn("The {} is still running after {} s ({}). Requests wait for it, up to {} s", this,
						usual.toSeconds(), this.where, this.timeout.toSeconds());
			}
		}
		return output.get(this.timeout.minus(usual).toNanos(), TimeUnit.NANOSECONDS);
	}

	private CredentialsException failure(@Nullable String what) {
		return new CredentialsException("the " + this + " " + what + " (" + this.where
				+ "); run it in a shell as the user of this process to see why", null);
	}

	/**
	 * Returns the command without arguments, which some kubeconfigs have there, and which
	 * may be secret.
	 */
	private String shown() {
		return this.command.get(0).split(" -", 2)[0];
	}

	String description() {
		return this + " (" + this.where + ")";
	}

	@Override
	public String toString() {
		return "credential plugin '" + shown() + "'";
	}

}
