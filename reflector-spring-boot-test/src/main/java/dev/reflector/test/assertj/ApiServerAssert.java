package dev.reflector.test.assertj;

import java.util.List;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about a server.
 *
 * @since 0.1.0
 */
public final class ApiServerAssert extends AbstractAssert<ApiServerAssert, EmbeddedApiServer> {

	ApiServerAssert(EmbeddedApiServer server) {
		super(server, ApiServerAssert.class);
	}

	/**
	 * Asserts that an action writes nothing: from the beginning of the action until its
	 * return, the server receives no request to create, change or delete something.
	 * @param action the action to run
	 * @return this assertion
	 */
	public ApiServerAssert writesNothing(Runnable action) {
		isNotNull();
		int before = this.actual.requests().size();
		action.run();
		List<RecordedRequest> requests = this.actual.requests();
		List<RecordedRequest> writes = requests.subList(Math.min(before, requests.size()), requests.size())
			.stream()
			.filter(RecordedRequest::isWrite)
			.toList();
		if (!writes.isEmpty()) {
			failWithMessage("%nExpected no writes but was:%n  %s", writes);
		}
		return this;
	}

	/**
	 * Asserts that nothing was written since the recorded requests were cleared.
	 * @return this assertion
	 */
	public ApiServerAssert hasNoWrites() {
		isNotNull();
		List<RecordedRequest> writes = this.actual.requests(RecordedRequest::isWrite);
		if (!writes.isEmpty()) {
			failWithMessage("%nExpected no writes but was:%n  %s", writes);
		}
		return this;
	}

}
