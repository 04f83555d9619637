package com.example.fleet;

import java.nio.file.Path;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.options.ClientOptions;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

// tag::cluster[]
@Configuration(proxyBeanMethods = false)
class WesternCluster {

	@Bean
	static ReflectedResourceRegistration<Site> western() {
		return ReflectedResourceRegistration.of(Site.class, "example.com/v1").withName("western-sites");
	}

	@Bean(destroyMethod = "disconnect")
	ApiServerClient westernServer(@Value("${west.kubeconfig}") Path kubeconfig,
			ClientHttpConnectorBuilder<?> connectors, @Qualifier("reflectorDecodeScheduler") Scheduler decoding) {
		return ApiServerClient.builder(Kubeconfig.load(kubeconfig, "west"))
			.connectorBuilder(connectors)
			.options(ClientOptions.defaults().withMaxObjectSize(DataSize.ofMegabytes(4)))
			.decodeScheduler(decoding)
			.build();
	}

	@Bean
	@Qualifier("western-sites")
	ListerWatcher<Site> westernSites(ApiServerClient westernServer) {
		return westernServer.listerWatcher(Site.class, MetadataAccessor.forType(Site.class),
				ResourceType.of("example.com/v1", "Site", "sites"), "", "");
	}

}
// end::cluster[]
