package com.example.moved;

import java.util.List;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.event.ResourceEvent;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

@Configuration(proxyBeanMethods = false)
class WebPages {

	private final Lister<WebPage> pages;

	private final Lister<Pod> pods;

	WebPages(Lister<WebPage> pages, Lister<Pod> pods) {
		this.pages = pages;
		this.pods = pods;
	}

	@Bean
	static IndexFunction<Pod> owner() {
		return (pod) -> pod.metadata().ownerReferences().stream().map(ObjectMeta.OwnerReference::uid).toList();
	}

	@Bean
	static IndexFunction<WebPage> uid() {
		return (page) -> List.of(page.metadata().uid());
	}

	@EventListener
	void on(ResourceEvent<Pod> event) {
		event.resource()
			.metadata()
			.ownerReferences()
			.forEach((owner) -> this.pages.byIndex("uid", owner.uid()).forEach(this::look));
	}

	@EventListener
	void onPage(ResourceEvent<WebPage> event) {
		look(event.resource());
	}

	void look(WebPage page) {
		int pods = this.pods.byIndex("owner", page.metadata().uid()).size();
		System.out.println(page.metadata().name() + " has " + pods);
	}

}

@ReflectedResource(apiVersion = "example.com/v1")
record WebPage(ObjectMeta metadata) {
}
