package dev.reflector.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * {@link InfoContributor} that shows, under {@code reflectors}, the number of reflectors,
 * the API server that they use, and the version of this library. An entry is left out if
 * its value is not known.
 *
 * @since 0.1.0
 */
public final class ReflectorsInfoContributor implements InfoContributor {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorsInfoContributor.class);

	private final Supplier<? extends Stream<? extends Reflector<?>>> reflectors;

	private final Supplier<@Nullable String> server;

	/**
	 * Creates the contributor.
	 * @param reflectors supplies the reflectors of the application
	 * @param server supplies the URL of the API server, or {@code null} if none is
	 * configured
	 */
	public ReflectorsInfoContributor(Supplier<? extends Stream<? extends Reflector<?>>> reflectors,
			Supplier<@Nullable String> server) {
		this.reflectors = reflectors;
		this.server = server;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("count", this.reflectors.get().count());
		String server = server();
		if (server != null) {
			details.put("server", server);
		}
		String version = ReflectorsInfoContributor.class.getPackage().getImplementationVersion();
		if (version != null) {
			details.put("version", version);
		}
		builder.withDetail("reflectors", details);
	}

	/**
	 * Returns the URL of the API server, or {@code null} if the configuration is wrong. A
	 * wrong configuration is reported when a reflector needs the server.
	 */
	private @Nullable String server() {
		try {
			return this.server.get();
		}
		catch (RuntimeException ex) {
			logger.debug("The info endpoint cannot show the API server", ex);
			return null;
		}
	}

}
