package dev.reflector.benchmark.scaling;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

import dev.reflector.benchmark.server.Dataset;
import dev.reflector.benchmark.server.Kind;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects that are mirrored: custom resources with the content of pods.
 */
final class Objects {

	private final Dataset pods;

	private final AtomicLong changes = new AtomicLong();

	Objects(int count) {
		this.pods = new Dataset(Kind.PODS, count, 0);
	}

	int size() {
		return this.pods.size();
	}

	static String name(int number) {
		return "workload-" + number;
	}

	/**
	 * Returns an object to create.
	 * @param managed whether the object has the metadata that real servers add themselves
	 */
	ObjectNode object(int number, boolean managed) {
		byte[] item = new byte[this.pods.itemLength(number)];
		this.pods.item(ByteBuffer.wrap(item), number);
		ObjectNode object = (ObjectNode) JsonMapper.shared().readTree(item);
		object.put("apiVersion", Workload.API_VERSION);
		object.put("kind", Workload.KIND);
		ObjectNode metadata = (ObjectNode) object.get("metadata");
		metadata.put("name", name(number));
		metadata.put("namespace", Workload.NAMESPACE);
		// owners that are not there would have it collected
		for (String member : new String[] { "uid", "resourceVersion", "generateName", "ownerReferences" }) {
			metadata.remove(member);
		}
		if (!managed) {
			metadata.remove("managedFields");
			metadata.remove("creationTimestamp");
		}
		return object;
	}

	/** A merge patch that changes an object. */
	String patch() {
		return "{\"status\":{\"message\":\"change " + this.changes.incrementAndGet() + "\"}}";
	}

}
