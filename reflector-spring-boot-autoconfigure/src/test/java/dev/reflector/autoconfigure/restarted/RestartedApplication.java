package dev.reflector.autoconfigure.restarted;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.autoconfigure.ReflectedResourceScan;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.event.ResourceEvent;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * An application whose classes are loaded again at each start. Reports the events that it
 * got, and its mirror.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(ReflectorAutoConfiguration.class)
@ReflectedResourceScan
public class RestartedApplication implements Supplier<List<Object>> {

	private final List<Object> heard = new CopyOnWriteArrayList<>();

	private final ObjectProvider<Lister<Gadget>> gadgets;

	RestartedApplication(ObjectProvider<Lister<Gadget>> gadgets) {
		this.gadgets = gadgets;
	}

	@Override
	public List<Object> get() {
		return this.heard;
	}

	@EventListener
	void on(ResourceEvent<Gadget> event) {
		Gadget gadget = event.resource();
		if (this.gadgets.getObject().get(event.key()) == gadget) {
			this.heard.add(gadget);
		}
	}

	@Bean
	static ListerWatcher<Gadget> source() {
		Gadget gadget = new Gadget(new ObjectMeta("a", "default", null, "1", 0, null, null, null, null, null, null));
		return new ListerWatcher<>() {

			@Override
			public Mono<ListPage<Gadget>> list(ListOptions options) {
				return Mono.just(new ListPage<>(List.of(gadget), "10", "", List.of()));
			}

			@Override
			public Flux<WatchEvent<Gadget>> watch(WatchOptions options) {
				Flux<WatchEvent<Gadget>> initial = Flux.just(new WatchEvent.Added<>(gadget),
						new WatchEvent.Bookmark<>("10", true));
				return options.sendInitialEvents() ? initial.concatWith(Flux.never()) : Flux.never();
			}

		};
	}

}
