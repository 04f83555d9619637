package dev.reflector.sample.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Shows the server beside its mirror. Without the embedded server, it shows only the
 * mirror.
 */
@RestController
class SidesController {

	/** Number of widgets that are compared. */
	private static final int SHOWN = 6;

	private final ObjectProvider<EmbeddedApiServer> server;

	private final Lister<Widget> lister;

	private final Reflector<Widget> reflector;

	SidesController(ObjectProvider<EmbeddedApiServer> server, Lister<Widget> lister, Reflector<Widget> reflector) {
		this.server = server;
		this.lister = lister;
		this.reflector = reflector;
	}

	@GetMapping("/sides")
	Sides sides() {
		EmbeddedApiServer server = this.server.getIfAvailable();
		if (server == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		ResourceCollection widgets = server.resources("widgets");
		Map<String, Pair> pairs = new LinkedHashMap<>();
		List<JsonNode> served = widgets.list();
		// the newest changes, because these differ first
		served.stream()
			.sorted((one, other) -> Long.compare(version(other), version(one)))
			.limit(SHOWN)
			.forEach((widget) -> pairs.put(name(widget), pair(name(widget), widget.path("spec").path("size").asInt())));
		return new Sides(new Side(widgets.resourceVersion(), served.size()),
				new Side(this.reflector.status().lastSyncResourceVersion(), this.lister.size()),
				pairs.values().stream().sorted((one, other) -> one.name().compareTo(other.name())).toList());
	}

	private Pair pair(String name, int served) {
		Widget widget = this.lister.get(WidgetFactory.NAMESPACE, name);
		return new Pair(name, served, (widget != null && widget.spec() != null) ? widget.spec().size() : null);
	}

	private static String name(JsonNode widget) {
		return widget.path("metadata").path("name").asString();
	}

	private static long version(JsonNode widget) {
		return widget.path("metadata").path("resourceVersion").asLong();
	}

	record Sides(Side server, Side mirror, List<Pair> widgets) {

	}

	record Side(String version, int size) {

	}

	/**
	 * The size of a widget at the server, and in the mirror.
	 *
	 * @param name name of the widget
	 * @param server its size at the server
	 * @param mirror its size in the mirror, or {@code null} if the mirror does not have
	 * the widget
	 */
	record Pair(String name, int server, @Nullable Integer mirror) {

	}

}
