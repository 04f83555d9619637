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
		// the server keeps only the last requests, so the length of their list says
		// little
		long before = this.actual.receivedWrites();
		action.run();
		long written = this.actual.receivedWrites() - before;
		if (written > 0) {
			List<RecordedRequest> writes = this.actual.requests(RecordedRequest::isWrite);
			int first = (int) Math.max(0, writes.size() - written);
			failWithMessage("%nExpected no writes but there were %d:%n  %s", written,
					writes.subList(first, writes.size()));
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
