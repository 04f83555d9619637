package dev.reflector.restarted;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.reflector.Lister;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.event.ResourceEvent;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * An application whose classes are loaded again at each start, with everything that the
 * library might remember by class. Returns the last object that each of its parts has
 * got.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@AutoConfigurationPackage
public class RestartedApplication implements Supplier<Map<String, Object>> {

	private final Map<String, Object> seen = new ConcurrentHashMap<>();

	private final ObjectProvider<Lister<Widget>> widgets;

	RestartedApplication(ObjectProvider<Lister<Widget>> widgets) {
		this.widgets = widgets;
	}

	@Override
	public Map<String, Object> get() {
		return this.seen;
	}

	@EventListener
	void on(ResourceEvent<Widget> event) {
		this.seen.put("listener", event.resource());
	}

	@EventListener(condition = "#event.resource().spec().size() == 1")
	void ifSmall(ResourceEvent<Widget> event) {
		this.seen.put("condition", event.resource());
		this.widgets.getObject().byIndex("size", "1").forEach((widget) -> this.seen.put("index", widget));
	}

	@Bean
	ResourceEventHandler<Widget> handler() {
		return (change) -> this.seen.put("handler", change.object());
	}

	@Bean
	static IndexFunction<Widget> size() {
		return (widget) -> Set.of(String.valueOf(widget.spec().size()));
	}

}
