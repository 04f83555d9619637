package dev.reflector.sample.console;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * What the page asks for.
 */
@RestController
@RequestMapping("/api")
class ConsoleController {

	private static final int SHOWN = 500;

	private final List<Reflector<?>> reflectors;

	private final Map<String, Lister<?>> listers;

	private final EventFeed feed;

	private final ObjectProvider<WidgetFactory> widgets;

	ConsoleController(List<Reflector<?>> reflectors, Lister<Widget> widgetLister, Lister<Deployment> deploymentLister,
			EventFeed feed, ObjectProvider<WidgetFactory> widgets) {
		this.reflectors = reflectors;
		this.listers = Map.of("widgets", widgetLister, "deployments", deploymentLister);
		this.feed = feed;
		this.widgets = widgets;
	}

	@GetMapping("/console")
	ConsoleView console() {
		return new ConsoleView(this.widgets.getIfAvailable() != null,
				this.reflectors.stream()
					.sorted(Comparator.comparing((Reflector<?> reflector) -> reflector.name()).reversed())
					.map(this::view)
					.toList());
	}

	/** Everything that is mirrored, to be compared with what the server lists. */
	@GetMapping("/objects/{reflector}")
	List<MirroredObject> objects(@PathVariable String reflector) {
		Lister<?> lister = this.listers.get(reflector);
		if (lister == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		return sorted(lister).toList();
	}

	private ReflectorView view(Reflector<?> reflector) {
		Lister<?> lister = Objects.requireNonNull(this.listers.get(reflector.name()));
		return new ReflectorView(reflector.name(), reflector.resourceType().toString(), reflector.status(),
				sorted(lister).limit(SHOWN).toList());
	}

	private static Stream<MirroredObject> sorted(Lister<?> lister) {
		return lister.list()
			.stream()
			.map(MirroredObject::of)
			.sorted(Comparator.comparing(MirroredObject::namespace, Comparator.nullsFirst(String::compareTo))
				.thenComparing(MirroredObject::name, Comparator.nullsFirst(String::compareTo)));
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<ServerSentEvent<List<EventFeed.Entry>>> events() {
		return this.feed.stream().map((entries) -> ServerSentEvent.builder(entries).build());
	}

	@PostMapping("/widgets")
	Map<String, String> create() {
		return Map.of("name", factory().create());
	}

	@PutMapping("/widgets/{name}")
	void change(@PathVariable String name) {
		if (!factory().change(name)) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
	}

	@DeleteMapping("/widgets/{name}")
	void delete(@PathVariable String name) {
		if (!factory().delete(name)) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
	}

	private WidgetFactory factory() {
		WidgetFactory factory = this.widgets.getIfAvailable();
		if (factory == null) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"this console only reads the cluster it mirrors; change widgets there");
		}
		return factory;
	}

	record ConsoleView(boolean writable, List<ReflectorView> reflectors) {

	}

	record ReflectorView(String name, String type, ReflectorStatus status, @Nullable List<MirroredObject> objects) {

	}

}
