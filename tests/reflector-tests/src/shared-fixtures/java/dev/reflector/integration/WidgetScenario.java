package dev.reflector.integration;

import java.util.List;

import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server with two widgets, and the requests that it has got.
 */
abstract class WidgetScenario extends WidgetServer {

	@BeforeEach
	void createWidgets() {
		create("a");
		create("b");
	}

	final List<RecordedRequest> lists() {
		return this.server.requests(WidgetScenario::isListOfObjects);
	}

	final List<RecordedRequest> watches() {
		return this.server.requests(RecordedRequest::isWatch);
	}

	/** A list that does not only ask for the version of the server. */
	static boolean isListOfObjects(RecordedRequest request) {
		return request.isList() && !"NotOlderThan".equals(request.parameter("resourceVersionMatch"));
	}

}
