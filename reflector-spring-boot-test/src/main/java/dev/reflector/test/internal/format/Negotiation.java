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
 * Finds out what a client can read. Alternatives are tried as by real servers: by
 * quality, wildcards last, else in the order in which they stand; what the server cannot
 * do is passed over.
 */
public final class Negotiation {

	/** How an answer about all types at once is called. */
	public static final String AGGREGATED_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

	private static final Comparator<MimeType> BY_PREFERENCE = Comparator.comparingDouble(Negotiation::quality)
		.reversed()
		.thenComparing(MimeType::isWildcardType)
		.thenComparing(MimeType::isWildcardSubtype);

	private final List<WireFormat> formats;

	private final boolean partial;

	/**
	 * Describes a server.
	 * @param cbor whether it can do CBOR
	 * @param partial whether it can show metadata only
	 */
	public Negotiation(boolean cbor, boolean partial) {
		this.formats = cbor ? List.of(WireFormat.JSON, WireFormat.CBOR) : List.of(WireFormat.JSON);
		this.partial = partial;
	}

	/**
	 * How to answer with objects.
	 * @param accept the header {@code Accept}, empty for none
	 * @return the way
	 * @throws ApiFailure when the client can read nothing that this server can write
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
	 * Whether a client prefers to get all types at once.
	 * @param accept the header {@code Accept}, empty for none
	 * @return whether it does, in the version that there is
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
	 * How to answer with a failure: as JSON where nothing fits, so that it does not get
	 * lost.
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
	 * How the body of a request is written.
	 * @param contentType the header {@code Content-Type}, empty for none
	 * @return the format
	 * @throws ApiFailure when this server cannot read it
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
			// passed over, as by real servers
			return null;
		}
	}

	// real servers keep what has quality 0, as the last resort
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
		// W-60: there are no tables here
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
