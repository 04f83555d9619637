package dev.reflector.cache.source;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StatusTests {

	private static Status status(int code, String reason) {
		return new Status(code, reason, "", List.of(), 0, true);
	}

	@Test
	void c413_c415_aKnownReasonWinsOverTheCode() {
		assertThat(status(410, "Gone").isExpired()).isTrue();
		assertThat(status(0, "Expired").isExpired()).isTrue();
		assertThat(status(410, "SomethingNew").isExpired()).isTrue();
		assertThat(status(410, "NotFound").isExpired()).isFalse();
		assertThat(status(500, "").isInternalError()).isTrue();
		assertThat(status(500, "Timeout").isInternalError()).isFalse();
	}

	@Test
	void c413_aKnownReasonNeedsNoCode() {
		assertThat(status(0, "TooManyRequests").isTooManyRequests()).isTrue();
		assertThat(status(0, "Gone").isExpired()).isTrue();
		assertThat(status(0, "InternalError").isInternalError()).isTrue();
		assertThat(new Status(0, "Timeout", "Too large resource version: 9", List.of(), 0, true)
			.isTooLargeResourceVersion()).isTrue();
	}

	@Test
	void c414_theCodeDecidesWhenTheReasonIsUnknown() {
		for (String reason : List.of("", "SomethingNew")) {
			assertThat(status(429, reason).isTooManyRequests()).isTrue();
			assertThat(status(410, reason).isExpired()).isTrue();
			assertThat(status(500, reason).isInternalError()).isTrue();
			assertThat(new Status(504, reason, "Too large resource version: 9", List.of(), 0, true)
				.isTooLargeResourceVersion()).isTrue();
		}
	}

	@Test
	void c415_anotherKnownReasonWinsOverTheCode() {
		assertThat(status(410, "Forbidden").isExpired()).isFalse();
		assertThat(status(500, "NotFound").isInternalError()).isFalse();
		assertThat(new Status(504, "ServerTimeout", "Too large resource version: 9", List.of(), 0, true)
			.isTooLargeResourceVersion()).isFalse();
	}

	@Test
	void w41_tooManyRequestsByReasonOrCode() {
		assertThat(status(429, "NotFound").isTooManyRequests()).isTrue();
		assertThat(status(0, "TooManyRequests").isTooManyRequests()).isTrue();
		assertThat(status(503, "ServiceUnavailable").isTooManyRequests()).isFalse();
	}

	@Test
	void c036_c038_tooLargeResourceVersionInItsThreeForms() {
		Status byCause = new Status(504, "Timeout", "",
				List.of(new Status.Cause("ResourceVersionTooLarge", null, null)), 1, true);
		Status byCauseText = new Status(504, "Timeout", "",
				List.of(new Status.Cause(null, "Too large resource version", null)), 1, true);
		Status byText = new Status(504, "Timeout", "Too large resource version: 40, current: 39", List.of(), 1, true);
		Status withoutDetails = new Status(504, "Timeout", "Too large resource version: 40", List.of(), 0, false);
		assertThat(List.of(byCause, byCauseText, byText)).allMatch(Status::isTooLargeResourceVersion);
		assertThat(withoutDetails.isTooLargeResourceVersion()).isFalse();
		assertThat(status(504, "Timeout").isTooLargeResourceVersion()).isFalse();
	}

	@Test
	void w36_knowsTheReasonOfAnHttpStatus() {
		assertThat(Status.ofHttp(404, "404 page not found").toString()).isEqualTo("404 NotFound: 404 page not found");
		assertThat(Status.ofHttp(599, "").reason()).isEqualTo("InternalError");
		assertThat(Status.ofHttp(418, "").reason()).isEqualTo("Unknown");
	}

}
