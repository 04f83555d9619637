package dev.reflector.benchmark.micro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.reflector.benchmark.reflector.pods.Pod;
import dev.reflector.benchmark.server.Dataset;
import dev.reflector.benchmark.server.Kind;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pods to work with.
 */
public final class Pods {

	private static final String LIST = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\","
			+ "\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[";

	private Pods() {
	}

	/**
	 * Returns a reader of pods.
	 * @return the reader
	 */
	public static ObjectReader reader() {
		return JsonMapper.builder()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build()
			.readerFor(Pod.class);
	}

	/**
	 * Pods.
	 * @param count how many
	 * @return the pods
	 */
	public static List<Pod> objects(int count) {
		Dataset dataset = new Dataset(Kind.PODS, count, 0);
		ObjectReader reader = reader();
		List<Pod> pods = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			byte[] item = new byte[dataset.itemLength(i)];
			dataset.item(ByteBuffer.wrap(item), i);
			pods.add(reader.readValue(item));
		}
		return pods;
	}

	/**
	 * The body of a list.
	 * @param count how many pods
	 * @return the bytes
	 */
	public static byte[] list(int count) {
		Dataset dataset = new Dataset(Kind.PODS, count, 0);
		ByteBuffer body = ByteBuffer.allocate(count * 8192 + LIST.length());
		body.put(LIST.getBytes(StandardCharsets.US_ASCII));
		for (int i = 0; i < count; i++) {
			if (i > 0) {
				body.put((byte) ',');
			}
			dataset.item(body, i);
		}
		body.put((byte) ']').put((byte) '}');
		return bytes(body);
	}

	/**
	 * The body of a watch.
	 * @param count how many changes
	 * @return the bytes
	 */
	public static byte[] watch(int count) {
		Dataset dataset = new Dataset(Kind.PODS, count, 0);
		ByteBuffer body = ByteBuffer.allocate(count * 8192);
		for (int i = 0; i < count; i++) {
			dataset.frame(body, i, false, 0);
		}
		return bytes(body);
	}

	private static byte[] bytes(ByteBuffer buffer) {
		byte[] bytes = new byte[buffer.flip().remaining()];
		buffer.get(bytes);
		return bytes;
	}

	/**
	 * Cuts a body as a network would.
	 * @param body the body
	 * @param size size of a buffer
	 * @return the buffers
	 */
	public static byte[][] buffers(byte[] body, int size) {
		byte[][] buffers = new byte[(body.length + size - 1) / size][];
		for (int i = 0; i < buffers.length; i++) {
			buffers[i] = Arrays.copyOfRange(body, i * size, Math.min(body.length, (i + 1) * size));
		}
		return buffers;
	}

}
