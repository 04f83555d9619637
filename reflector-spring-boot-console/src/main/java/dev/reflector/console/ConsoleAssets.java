package dev.reflector.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.MediaType;

/**
 * The files of the console's web page. They are not static resources of the application,
 * because those would be served even if the console is off. Files of WebJars are found in
 * any version.
 */
final class ConsoleAssets {

	private static final String FOLDER = "dev/reflector/console/";

	private static final Pattern OWN = Pattern.compile("[A-Za-z0-9-]+\\.(html|js|css|svg)");

	private static final Map<String, MediaType> TYPES = Map.of("html",
			MediaType.parseMediaType("text/html;charset=utf-8"), "js",
			MediaType.parseMediaType("text/javascript;charset=utf-8"), "css",
			MediaType.parseMediaType("text/css;charset=utf-8"), "svg", MediaType.parseMediaType("image/svg+xml"));

	/** Paths of files of the page, each with the path of the file in a WebJar. */
	private static final Map<String, String> VENDORS = Map.of("vendor/uPlot.esm.js", "uplot/*/dist/uPlot.esm.js",
			"vendor/uPlot.min.css", "uplot/*/dist/uPlot.min.css", "vendor/virtual-core/index.js",
			"tanstack__virtual-core/*/dist/esm/index.js", "vendor/virtual-core/utils.js",
			"tanstack__virtual-core/*/dist/esm/utils.js");

	private final Map<String, Asset> loaded = new ConcurrentHashMap<>();

	/**
	 * Finds a file.
	 * @param path path of the file
	 * @return the file
	 * @throws ConsoleProblem if there is no such file
	 */
	Asset get(String path) {
		Asset asset = this.loaded.get(path);
		if (asset == null) {
			asset = load(path);
			this.loaded.put(path, asset);
		}
		return asset;
	}

	private static Asset load(String path) {
		Resource resource = find(path);
		if (resource == null || !resource.exists()) {
			throw ConsoleProblem.notFound("there is no such file");
		}
		try (InputStream in = resource.getInputStream()) {
			byte[] content = in.readAllBytes();
			return new Asset(content,
					TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), MediaType.APPLICATION_OCTET_STREAM),
					"\"" + hash(content) + "\"");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @Nullable Resource find(String path) {
		String pattern = VENDORS.get(path);
		if (pattern == null) {
			Matcher own = OWN.matcher(path);
			return own.matches() ? new ClassPathResource(FOLDER + path, ConsoleAssets.class.getClassLoader()) : null;
		}
		try {
			Resource[] found = new PathMatchingResourcePatternResolver(ConsoleAssets.class.getClassLoader())
				.getResources("classpath*:META-INF/resources/webjars/" + pattern);
			return (found.length > 0) ? found[0] : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String hash(byte[] content) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, 16);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A file.
	 *
	 * @param content content of the file
	 * @param type media type of the file
	 * @param etag entity tag of the file
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Asset(byte[] content, MediaType type, String etag) {

	}

	/** Adds the files of the page to a native image. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(FOLDER + "*");
			VENDORS.values().forEach((file) -> hints.resources().registerPattern("META-INF/resources/webjars/" + file));
		}

	}

}
