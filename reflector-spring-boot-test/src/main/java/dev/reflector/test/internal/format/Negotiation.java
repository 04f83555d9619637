package dev.reflector.test.internal.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.reflector.test.internal.api.ApiFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * Finds a format that the client can read. The media types in the header {@code Accept}
 * are tried in the order of real servers: sorted by quality. Among media types with the
 * same quality, wildcards come last, and the others keep the order of the header. Media
 * types that the server does not support are ignored.
 */
public final class Negotiation {

	/** The content type of aggregated discovery, which answers with all types at once. */
	public static final String AGGREGATED_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

	private static final Comparator<MimeType> BY_PREFERENCE = Comparator.comparingDouble(Negotiation::quality)
		.reversed()
		.thenComparing(MimeType::isWildcardType)
		.thenComparing(MimeType::isWildcardSubtype);

	private final List<WireFormat> formats;

	private final boolean partial;

	/**
	 * Creates the negotiation of a server.
	 * @param cbor whether the server supports CBOR
	 * @param partial whether the server can send only metadata
	 */
	public Negotiation(boolean cbor, boolean partial) {
		this.formats = cbor ? List.of(WireFormat.JSON, WireFormat.CBOR) : List.of(WireFormat.JSON);
		this.partial = partial;
	}

	/**
	 * Returns the representation of objects in the answer.
	 * @param accept the header {@code Accept}, empty for none
	 * @return the representation
	 * @throws ApiFailure if this server supports no representation that the client
	 * accepts
	 */
	public Representation representation(String accept) {
		if (accept.isEmpty()) {
			return Representation.PLAIN;
		}
		for (MimeType clause : clauses(accept)) {
			WireFormat format = format(clause::includes);
			Representation found = (format != null && streams(clause)) ? represented(clause, format) : null;
			if (found != null) {
				return found;
			}
		}
		throw ApiFailure.notAcceptable("only the following media types are accepted: " + accepted());
	}

	/**
	 * Whether a client prefers aggregated discovery, which answers with all types at
	 * once.
	 * @param accept the header {@code Accept}, empty for none
	 * @return whether the client prefers aggregated discovery, in the version that this
	 * server supports
	 */
	public static boolean aggregatedDiscovery(String accept) {
		for (MimeType clause : clauses(accept)) {
			if (!clause.includes(MimeTypeUtils.APPLICATION_JSON)) {
				continue;
			}
			if (!converts(clause)) {
				return false;
			}
			if ("APIGroupDiscoveryList".equals(parameter(clause, "as"))
					&& "apidiscovery.k8s.io".equals(parameter(clause, "g")) && "v2".equals(parameter(clause, "v"))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the format for a failure. If the client accepts no supported format, this
	 * is JSON, so that the client still receives the failure.
	 * @param accept the header {@code Accept}, empty for none
	 * @return the format
	 */
	public WireFormat ofFailures(String accept) {
		for (MimeType clause : clauses(accept)) {
			WireFormat format = format(clause::includes);
			if (format != null && streams(clause) && !converts(clause)) {
				return format;
			}
		}
		return WireFormat.JSON;
	}

	/**
	 * Returns the format of the body of a request.
	 * @param contentType the header {@code Content-Type}, empty for none
	 * @return the format
	 * @throws ApiFailure if this server cannot read the format
	 */
	public WireFormat ofBody(String contentType) {
		if (contentType.isEmpty()) {
			return WireFormat.JSON;
		}
		MimeType sent = parsed(contentType);
		WireFormat format = (sent != null) ? format(sent::equalsTypeAndSubtype) : null;
		if (format == null) {
			throw ApiFailure.unsupportedMediaType(accepted());
		}
		return format;
	}

	private @Nullable WireFormat format(Predicate<MimeType> fits) {
		return this.formats.stream().filter((format) -> fits.test(format.mimeType())).findFirst().orElse(null);
	}

	private String accepted() {
		return this.formats.stream().map(WireFormat::contentType).collect(Collectors.joining(", "));
	}

	private static List<MimeType> clauses(String accept) {
		List<MimeType> clauses = new ArrayList<>();
		for (String token : MimeTypeUtils.tokenize(accept)) {
			MimeType clause = parsed(token);
			if (clause != null) {
				clauses.add(clause);
			}
		}
		clauses.sort(BY_PREFERENCE);
		return clauses;
	}

	private static @Nullable MimeType parsed(String text) {
		try {
			return MimeTypeUtils.parseMimeType(text);
		}
		catch (InvalidMimeTypeException ex) {
			// a malformed media type is ignored, as in real servers
			return null;
		}
	}

	// as in real servers, a media type with quality 0 is tried, too, but last
	private static double quality(MimeType clause) {
		String quality = clause.getParameter("q");
		try {
			return (quality != null) ? Double.parseDouble(quality) : 1;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	private static boolean streams(MimeType clause) {
		String stream = parameter(clause, "stream");
		return stream.isEmpty() || "watch".equals(stream);
	}

	private static boolean converts(MimeType clause) {
		return clause.getParameter("as") != null || clause.getParameter("g") != null
				|| clause.getParameter("v") != null;
	}

	private @Nullable Representation represented(MimeType clause, WireFormat format) {
		if (!converts(clause)) {
			return Representation.of(format);
		}
		String version = parameter(clause, "v");
		if (!this.partial || !View.GROUP.equals(parameter(clause, "g"))
				|| !("v1".equals(version) || "v1beta1".equals(version))) {
			return null;
		}
		// W-60: tables are not supported
		return switch (parameter(clause, "as")) {
			case View.NAME -> new Representation(format, View.METADATA, version);
			case View.NAME + "List" -> new Representation(format, View.METADATA_LIST, version);
			default -> null;
		};
	}

	private static String parameter(MimeType clause, String name) {
		String value = clause.getParameter(name);
		return (value != null) ? value : "";
	}

}
