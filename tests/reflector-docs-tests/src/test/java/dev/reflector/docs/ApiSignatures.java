package dev.reflector.docs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import kotlin.collections.CollectionsKt;
import kotlinx.validation.api.ClassBinarySignature;
import kotlinx.validation.api.KotlinSignaturesLoadingKt;

/**
 * The signatures of what a module offers to others: of public and protected types and
 * members that are neither internal nor experimental.
 *
 * @param text the signatures, as they stand in a file
 */
record ApiSignatures(String text) {

	private static final Set<String> EXPERIMENTAL = Set.of("dev/reflector/Experimental");

	/**
	 * Reads them out of compiled classes.
	 * @param classes the folder of the classes
	 * @return the signatures
	 */
	static ApiSignatures of(Path classes) throws IOException {
		List<ClassBinarySignature> all = KotlinSignaturesLoadingKt
			.loadApiFromJvmClasses(CollectionsKt.asSequence(read(classes)), (name) -> true);
		List<String> hidden = new ArrayList<>(internal(classes));
		hidden.addAll(KotlinSignaturesLoadingKt.extractAnnotatedPackages(all, EXPERIMENTAL));
		StringBuilder text = new StringBuilder();
		KotlinSignaturesLoadingKt.dump(KotlinSignaturesLoadingKt.filterOutNonPublic(
				KotlinSignaturesLoadingKt.filterOutAnnotated(all, EXPERIMENTAL), hidden, List.of()), text);
		return new ApiSignatures(text.toString());
	}

	private static List<InputStream> read(Path classes) throws IOException {
		try (Stream<Path> files = Files.walk(classes)) {
			return files.filter((file) -> file.toString().endsWith(".class"))
				.sorted()
				.map(ApiSignatures::open)
				.toList();
		}
	}

	private static InputStream open(Path file) {
		try {
			return new ByteArrayInputStream(Files.readAllBytes(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> internal(Path classes) throws IOException {
		try (Stream<Path> folders = Files.walk(classes)) {
			return folders.filter((folder) -> folder.endsWith("internal"))
				.map((folder) -> classes.relativize(folder).toString().replace('/', '.'))
				.toList();
		}
	}

	/** Returns each type, and each member after the name of its type. */
	Set<String> entries() {
		Set<String> entries = new TreeSet<>();
		String type = "";
		for (String line : this.text.lines().toList()) {
			if (line.startsWith("\t")) {
				entries.add(type + " has " + line.strip());
			}
			else if (line.endsWith("{")) {
				type = line.replaceAll(".* (?:class|interface) (\\S+) .*", "$1").replace('/', '.');
				entries.add(line.substring(0, line.length() - 1).strip());
			}
		}
		return entries;
	}

	/** Returns the entries that are here, but not in others. */
	Set<String> without(ApiSignatures others) {
		Set<String> entries = entries();
		entries.removeAll(others.entries());
		return entries;
	}

}
