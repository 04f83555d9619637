package dev.reflector.integration;

import java.util.List;

import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server with two widgets, and what it was asked for.
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

	/** A list that is no mere question how far the server is. */
	static boolean isListOfObjects(RecordedRequest request) {
		return request.isList() && !"NotOlderThan".equals(request.parameter("resourceVersionMatch"));
	}

}
