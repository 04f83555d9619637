package com.example.peers.josdk;

import java.util.List;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;

class WebPages implements Reconciler<WebPage> {

	@Override
	public List<EventSource<?, WebPage>> prepareEventSources(EventSourceContext<WebPage> context) {
		return List.of(new InformerEventSource<>(
				InformerEventSourceConfiguration.from(Pod.class, WebPage.class).build(), context));
	}

	@Override
	public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
		System.out.println(page.getMetadata().getName() + " has " + context.getSecondaryResources(Pod.class).size());
		return UpdateControl.noUpdate();
	}

}

@Group("example.com")
@Version("v1")
class WebPage extends CustomResource<Void, Void> {

}
