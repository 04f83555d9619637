package dev.reflector.write;

import java.util.List;
import java.util.Map;

@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
record SiteSettings(AppliedMeta metadata, Spec spec) {

	static SiteSettings of(Website site, String host, Integer replicas) {
		return new SiteSettings(AppliedMeta.of(site.metadata()), new Spec(host, replicas, null, null));
	}

	static SiteSettings named(String name, String host, Integer replicas) {
		return new SiteSettings(AppliedMeta.named("default", name), new Spec(host, replicas, null, null));
	}

	record Spec(String host, Integer replicas, List<String> aliases, Map<String, String> options) {
	}

}
