package com.example.peers.official;

import java.util.List;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGeneratorParams;

class PodPhases {

	private final Lister<V1Pod> pods;

	PodPhases(ApiClient client) {
		CoreV1Api api = new CoreV1Api(client);
		SharedInformerFactory factory = new SharedInformerFactory(client);
		SharedIndexInformer<V1Pod> informer = factory
			.sharedIndexInformerFor((CallGeneratorParams params) -> api.listPodForAllNamespaces()
				.resourceVersion(params.resourceVersion)
				.watch(params.watch)
				.timeoutSeconds(params.timeoutSeconds)
				.buildCall(null), V1Pod.class, V1PodList.class);
		informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
			}

			@Override
			public void onUpdate(V1Pod previous, V1Pod pod) {
				changed(previous.getStatus().getPhase(), pod.getStatus().getPhase());
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			}

		});
		this.pods = new Lister<>(informer.getIndexer());
		factory.startAllRegisteredInformers();
	}

	void changed(String before, String now) {
		System.out.println(before + " -> " + now);
	}

	List<V1Pod> in(String namespace) {
		return this.pods.namespace(namespace).list();
	}

}
