package dev.reflector.benchmark.official;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Reads no more than the slim fields into the metadata class that the client asks for.
 */
public final class SlimMetadata extends TypeAdapter<V1ObjectMeta> {

	@Override
	public V1ObjectMeta read(JsonReader in) throws IOException {
		V1ObjectMeta metadata = new V1ObjectMeta();
		in.beginObject();
		while (in.hasNext()) {
			switch (in.nextName()) {
				case "name" -> metadata.setName(in.nextString());
				case "namespace" -> metadata.setNamespace(in.nextString());
				case "uid" -> metadata.setUid(in.nextString());
				case "resourceVersion" -> metadata.setResourceVersion(in.nextString());
				case "labels" -> metadata.setLabels(labels(in));
				default -> in.skipValue();
			}
		}
		in.endObject();
		return metadata;
	}

	private static Map<String, String> labels(JsonReader in) throws IOException {
		Map<String, String> labels = new HashMap<>();
		in.beginObject();
		while (in.hasNext()) {
			labels.put(in.nextName(), in.nextString());
		}
		in.endObject();
		return labels;
	}

	@Override
	public void write(JsonWriter out, V1ObjectMeta metadata) {
		throw new UnsupportedOperationException("nothing is written");
	}

}
