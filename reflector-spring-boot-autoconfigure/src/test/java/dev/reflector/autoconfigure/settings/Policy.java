package dev.reflector.autoconfigure.settings;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

@ReflectedResource(apiVersion = "${policy.group}/v1", namespaces = { "${policy.namespaces:}", "extra" },
		labelSelector = "app=${policy.app:web}", resyncPeriod = "${policy.resync:}")
public record Policy(ObjectMeta metadata) {

}
