package dev.reflector.test.internal.exchange;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GzipTests {

	private static final String ALL = "/apis/example.com/v1/widgets";

	private static EmbeddedApiServer start(boolean gzipWatches) {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.gzipWatches(gzipWatches)
			.start();
	}

	private static void create(EmbeddedApiServer server, String name, int size) {
		server.resources("widgets")
			.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("padding", "x".repeat(size))));
	}

	private static HttpResponse<byte[]> get(EmbeddedApiServer server, String path, String encoding) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
			.header("Accept-Encoding", encoding)
			.build();
		return HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofByteArray()).join();
	}

	private static HttpResponse<InputStream> watch(EmbeddedApiServer server, String query, String encoding) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + ALL + "?watch=true" + query))
			.header("Accept-Encoding", encoding)
			.build();
		return HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofInputStream()).join();
	}

	private static String encoding(HttpResponse<?> response) {
		return response.headers().firstValue("Content-Encoding").orElse("none");
	}

	private static String unzipped(byte[] body) throws IOException {
		return new String(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes());
	}

	@Test
	void bigListsAreCompressedForClientsThatAcceptGzip() throws IOException {
		try (EmbeddedApiServer server = start(false)) {
			create(server, "a", 100_000);
			assertThat(encoding(get(server, ALL, "gzip"))).isEqualTo("none");
			create(server, "b", 100_000);
			HttpResponse<byte[]> plain = get(server, ALL, "identity");
			HttpResponse<byte[]> compressed = get(server, ALL, "gzip");
			assertThat(encoding(plain)).isEqualTo("none");
			assertThat(encoding(get(server, ALL, "gzip;q=0"))).isEqualTo("none");
			assertThat(encoding(get(server, ALL, "deflate, gzip"))).isEqualTo("gzip");
			assertThat(encoding(compressed)).isEqualTo("gzip");
			assertThat(compressed.body()).hasSizeLessThan(5000);
			assertThat(unzipped(compressed.body())).isEqualTo(new String(plain.body()));
		}
	}

	@Test
	void w62_eachEventOfAWatchIsAMember() throws IOException {
		try (EmbeddedApiServer server = start(true)) {
			create(server, "a", 1);
			create(server, "b", 1);
			HttpResponse<InputStream> response = watch(server, "&allowWatchBookmarks=true", "gzip");
			assertThat(encoding(response)).isEqualTo("gzip");
			ByteArrayOutputStream body = new ByteArrayOutputStream();
			body.write(response.body().read());
			// the existing events have come, or a part of them
			create(server, "c", 1);
			server.closeWatches();
			response.body().transferTo(body);
			assertThat(unzipped(body.toByteArray()).lines()).extracting((line) -> line.substring(0, 12))
				.containsExactly("{\"type\":\"ADD", "{\"type\":\"ADD", "{\"type\":\"BOO", "{\"type\":\"ADD");
			assertThat(members(body.toByteArray())).isEqualTo(4);
		}
	}

	@Test
	void otherWatchesAreNotCompressed() {
		try (EmbeddedApiServer server = start(true)) {
			create(server, "a", 1);
			assertThat(encoding(watch(server, "", "identity"))).isEqualTo("none");
			assertThat(encoding(watch(server, "&resourceVersion=1", "gzip"))).isEqualTo("none");
		}
	}

	private static int members(byte[] body) {
		int members = 0;
		for (int i = 0; i + 2 < body.length; i++) {
			if ((body[i] & 0xff) == 0x1f && (body[i + 1] & 0xff) == 0x8b && body[i + 2] == 8) {
				members++;
			}
		}
		return members;
	}

}
