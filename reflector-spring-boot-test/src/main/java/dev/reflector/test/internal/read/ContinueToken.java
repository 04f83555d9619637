package dev.reflector.test.internal.read;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.api.ServedType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The position at which the next page of a list begins.
 *
 * @param resourceVersion version of the state from which the list is read,
 * {@link Parameters#NEWEST} to continue with the newest state
 * @param after key of the last object of the previous page
 * @param since when the first page was read
 */
public record ContinueToken(long resourceVersion, String after, Instant since) {

	public static ContinueToken parse(String text) {
		try {
			JsonNode node = Json.MAPPER.readTree(Base64.getUrlDecoder().decode(text));
			if ("meta.k8s.io/v1".equals(Json.text(node, "v")) && node.path("rv").isIntegralNumber()
					&& node.path("start").isString() && node.path("since").isIntegralNumber()) {
				return new ContinueToken(node.path("rv").longValue(), Json.text(node, "start"),
						Instant.ofEpochMilli(node.path("since").longValue()));
			}
		}
		catch (IllegalArgumentException | JacksonException ex) {
			throw unreadable();
		}
		throw unreadable();
	}

	private static ApiFailure unreadable() {
		return ApiFailure.badRequest("invalid continue token: continue key is not valid");
	}

	/**
	 * Returns a token that continues the list at the same position, but has another text.
	 */
	public ContinueToken another() {
		return new ContinueToken(this.resourceVersion, this.after, this.since.plusMillis(1));
	}

	public String encode() {
		String json = "{\"v\":\"meta.k8s.io/v1\",\"rv\":" + this.resourceVersion + ",\"start\":"
				+ ServedType.quoted(this.after) + ",\"since\":" + this.since.toEpochMilli() + "}";
		return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
	}

}
