package com.example.fleet;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

// tag::source[]
final class Inventory implements ListerWatcher<Site> {

	private final Map<String, Site> sites = new LinkedHashMap<>();

	private final Sinks.Many<Site> history = Sinks.many().replay().all();

	private int version = 1;

	synchronized void open(String name, String city) {
		this.version++;
		Site site = new Site(new Site.Metadata(name, Integer.toString(this.version)), city);
		this.sites.put(name, site);
		this.history.tryEmitNext(site).orThrow();
	}

	@Override
	public Mono<ListPage<Site>> list(ListOptions options) {
		return Mono.fromSupplier(this::everything);
	}

	private synchronized ListPage<Site> everything() {
		return new ListPage<>(List.copyOf(this.sites.values()), Integer.toString(this.version), "", List.of());
	}

	@Override
	public Flux<WatchEvent<Site>> watch(WatchOptions options) {
		if (options.sendInitialEvents()) {
			return Flux.error(new ApiException("the inventory is listed", Status.ofHttp(400, "no streamed lists"),
					Duration.ZERO));
		}
		int from = Integer.parseInt(options.resourceVersion());
		return Flux.concat(Mono.just(new WatchEvent.Opened<>()),
				this.history.asFlux()
					.filter((site) -> Integer.parseInt(site.metadata().resourceVersion()) > from)
					.map(WatchEvent.Modified::new));
	}

}
// end::source[]
