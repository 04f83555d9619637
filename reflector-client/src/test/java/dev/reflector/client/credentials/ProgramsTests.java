package dev.reflector.client.credentials;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Programs}, and of a process whose {@code PATH} has empty and relative
 * entries.
 */
class ProgramsTests {

	@TempDir
	private Path folder;

	@Test
	void namesAreFoundInAbsoluteFoldersOfThePath() throws IOException {
		Path first = program("first", "plugin");
		Path second = program("second", "plugin");
		Path other = program("second", "other");
		Files.writeString(this.folder.resolve("first").resolve("other"), "not executable");
		Files.createDirectory(this.folder.resolve("first").resolve("folder"));
		Programs programs = new Programs(path("", ".", "gone", first.getParent(), second.getParent(), ""), "");
		assertThat(programs.find("plugin")).isEqualTo(first);
		assertThat(programs.find("other")).isEqualTo(other);
		assertThat(programs.find("folder")).isNull();
		assertThat(programs.find("gone")).isNull();
		assertThat(programs.find("nul\0")).isNull();
		assertThat(programs.find(other.toString())).isEqualTo(other);
		assertThat(new Programs(null, "").find("plugin")).isNull();
		assertThat(new Programs("", "").find("plugin")).isNull();
	}

	/** The tests of a module are run in its folder. */
	@Test
	void relativeFoldersOfThePathAreNotSearched() throws IOException {
		Path program = program("first", "plugin");
		Path relative = Path.of("").toAbsolutePath().relativize(program);
		assertThat(Files.isExecutable(relative)).isTrue();
		assertThat(new Programs(path("", ".", relative.getParent()), "").find("plugin")).isNull();
		assertThat(new Programs(path(program.getParent()), "").find(relative.toString())).isNull();
	}

	/** As on Windows, where the extension may be left out. */
	@Test
	void extensionsMayBeLeftOut() throws IOException {
		Path script = program("first", "plugin.cmd");
		Path program = program("second", "plugin.exe");
		program("first", "plugin");
		Programs programs = new Programs(path(script.getParent(), program.getParent()), ".exe;.cmd");
		assertThat(programs.find("plugin")).isEqualTo(script);
		assertThat(programs.find("plugin.exe")).isEqualTo(program);
		assertThat(programs.find(script.resolveSibling("plugin").toString())).isEqualTo(script);
	}

	/** The folders to search are read from the {@code PATH} of the process. */
	@Test
	void aProgramInTheWorkingDirectoryIsNotRun() throws Exception {
		Path good = program("good", "goodplugin");
		Path work = program("work", "evilplugin").getParent();
		program("work/bin", "evilplugin");
		program("work", "goodplugin");
		String[] printed = run(work, good, "evilplugin", "goodplugin", "work/goodplugin").split(TokenPrinter.NEXT);
		assertThat(printed[0]).contains(
				"names the command 'evilplugin', which does not exist or is not executable in the folders of the PATH "
						+ "that are absolute; install it there")
			.doesNotContain("token of");
		assertThat(printed[1]).contains("token of " + good);
		// from the folder of the kubeconfig
		assertThat(printed[2]).contains("token of " + this.folder.resolve("work/goodplugin"));
	}

	/** Returns the output of one process for a kubeconfig with each command. */
	private String run(Path work, Path good, String... commands) throws Exception {
		List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				TokenPrinter.class.getName()));
		for (String command : commands) {
			line.add(kubeconfig(command).toString());
		}
		ProcessBuilder process = new ProcessBuilder(line).directory(work.toFile()).redirectErrorStream(true);
		process.environment().put("PATH", path("", "bin", ".", good.getParent(), "/bin"));
		Process started = process.start();
		String output = new String(started.getInputStream().readAllBytes());
		started.waitFor();
		return output;
	}

	private Path kubeconfig(String command) throws IOException {
		return Files.writeString(this.folder.resolve("config-" + command.replace('/', '-')), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {server: 'https://h'}}]
				users:
				- name: u
				  user: {exec: {command: %s, apiVersion: client.authentication.k8s.io/v1}}
				""".formatted(command));
	}

	private static String path(Object... folders) {
		return Arrays.stream(folders).map(Object::toString).collect(Collectors.joining(File.pathSeparator));
	}

	/** A plugin whose token says where it is. */
	private Path program(String folder, String name) throws IOException {
		Path program = Files.createDirectories(this.folder.resolve(folder)).resolve(name);
		Files.writeString(program, "#!/bin/sh\necho '{\"kind\":\"ExecCredential\","
				+ "\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"token of '$0'\"}}'\n");
		return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
	}

	/** Prints the token of each kubeconfig, or why there is none. */
	static final class TokenPrinter {

		private static final String NEXT = "--- next ---";

		private TokenPrinter() {
		}

		public static void main(String[] args) {
			for (String kubeconfig : args) {
				try {
					System.out.println(Kubeconfig.load(Path.of(kubeconfig), null).token().token());
				}
				catch (KubeconfigException ex) {
					System.out.println(ex.getMessage());
				}
				System.out.println(NEXT);
			}
		}

	}

}
