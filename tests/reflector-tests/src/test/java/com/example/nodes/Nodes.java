package com.example.nodes;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

import org.springframework.stereotype.Component;

@ReflectedResource(apiVersion = "v1")
record Node(ObjectMeta metadata, Spec spec) {

	record Spec(boolean unschedulable) {
	}

}

@Component
class Nodes {

	private final Lister<Node> nodes;

	Nodes(Lister<Node> nodes) {
		this.nodes = nodes;
	}

	boolean schedulable(String name) {
		Node node = this.nodes.get(name);
		return node != null && !node.spec().unschedulable();
	}

}
