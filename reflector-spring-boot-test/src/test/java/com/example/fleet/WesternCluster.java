package com.example.fleet;

import java.nio.file.Path;
import java.time.Duration;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.ReflectedResourceRegistration;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.client.options.Timeouts;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

// tag::cluster[]
@Configuration(proxyBeanMethods = false)
class WesternCluster {

	@Bean
	static ReflectedResourceRegistration<Site> western() {
		return ReflectedResourceRegistration.of(Site.class, "example.com/v1").withName("western-sites");
	}

	@Bean(destroyMethod = "disconnect")
	ApiServerClient westernServer(@Value("${west.kubeconfig}") Path kubeconfig,
			ClientHttpConnectorBuilder<?> connectors, HttpClientSettings settings, JsonMapper mapper,
			@Qualifier("reflectorDecodeScheduler") Scheduler decoding) {
		Timeouts timeouts = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(65), Duration.ofSeconds(85));
		return new ApiServerClient(WebClient.builder(), connectors, settings, mapper,
				Kubeconfig.load(kubeconfig, "west"),
				new ClientOptions(HttpVersion.HTTP_1_1, timeouts, 16, DataSize.ofMegabytes(16), "fleet"), decoding);
	}

	@Bean
	@Qualifier("western-sites")
	ListerWatcher<Site> westernSites(ApiServerClient westernServer) {
		return westernServer.listerWatcher(Site.class, MetadataAccessor.forType(Site.class),
				ResourceType.of("example.com/v1", "Site", "sites"), "", "");
	}

}
// end::cluster[]
