package com.example.peers.fabric8;

import java.util.List;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;

class PodPhases {

	private final SharedIndexInformer<Pod> pods;

	PodPhases(KubernetesClient client) {
		this.pods = client.pods().inAnyNamespace().inform(new ResourceEventHandler<>() {

			@Override
			public void onAdd(Pod pod) {
			}

			@Override
			public void onUpdate(Pod previous, Pod pod) {
				changed(previous.getStatus().getPhase(), pod.getStatus().getPhase());
			}

			@Override
			public void onDelete(Pod pod, boolean finalStateUnknown) {
			}

		});
	}

	void changed(String before, String now) {
		System.out.println(before + " -> " + now);
	}

	List<Pod> in(String namespace) {
		return this.pods.getIndexer().byIndex(Cache.NAMESPACE_INDEX, namespace);
	}

}
