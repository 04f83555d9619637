package dev.reflector.sample.console;

import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Creates, changes and deletes widgets, for the buttons of the page.
 */
@RestController
@RequestMapping("/api/widgets")
class WidgetController {

	private final ObjectProvider<WidgetFactory> widgets;

	WidgetController(ObjectProvider<WidgetFactory> widgets) {
		this.widgets = widgets;
	}

	@PostMapping
	Map<String, String> create() {
		return Map.of("name", factory().create());
	}

	@PutMapping("/{name}")
	void change(@PathVariable String name) {
		if (!factory().change(name)) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
	}

	@DeleteMapping("/{name}")
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

}
