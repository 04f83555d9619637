package dev.reflector.snapshot.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * Encodes an object as the value of one column, because drivers read one column several
 * times faster than six. An entry contains, in this order: a checksum of the rest;
 * whether the object was only announced, see {@link StoredObject}; cluster, namespace,
 * name, uid and resource version, each after its length in bytes; and the content. The
 * cluster is reserved and empty.
 */
final class SnapshotEntry {

	private SnapshotEntry() {
	}

	static byte[] of(StoredObject object) {
		byte[][] texts = { bytes(SnapshotRows.CLUSTER), bytes(object.key().namespace()), bytes(object.key().name()),
				bytes(object.uid()), bytes(object.resourceVersion()) };
		int length = Integer.BYTES + 1 + object.content().length;
		for (byte[] text : texts) {
			length += Integer.BYTES + text.length;
		}
		ByteBuffer entry = ByteBuffer.allocate(length).putInt(0).put((byte) (object.announced() ? 1 : 0));
		for (byte[] text : texts) {
			entry.putInt(text.length).put(text);
		}
		entry.put(object.content());
		return entry.putInt(0, checksum(entry.array())).array();
	}

	/**
	 * Reads an entry. The checksum detects only damage: anyone with write access to the
	 * database can forge it.
	 * @param bytes the entry
	 * @return the object, or {@code null} if the bytes are not an entry
	 */
	static @Nullable StoredObject object(byte[] bytes) {
		ByteBuffer entry = ByteBuffer.wrap(bytes);
		if (bytes.length < Integer.BYTES || entry.getInt() != checksum(bytes)) {
			return null;
		}
		try {
			byte announced = entry.get();
			boolean known = text(entry).equals(SnapshotRows.CLUSTER);
			ResourceKey key = ResourceKey.of(text(entry), text(entry));
			String uid = text(entry);
			String resourceVersion = text(entry);
			byte[] content = new byte[entry.remaining()];
			entry.get(content);
			return (known && (announced == 0 || announced == 1))
					? new StoredObject(key, uid, resourceVersion, content, announced == 1) : null;
		}
		catch (CharacterCodingException | RuntimeException ex) {
			return null;
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Reads a text. Fails if the length or the bytes are not valid for a text. */
	private static String text(ByteBuffer entry) throws CharacterCodingException {
		int length = entry.getInt();
		String text = StandardCharsets.UTF_8.newDecoder().decode(entry.slice(entry.position(), length)).toString();
		entry.position(entry.position() + length);
		return text;
	}

	private static int checksum(byte[] entry) {
		CRC32C checksum = new CRC32C();
		checksum.update(entry, Integer.BYTES, entry.length - Integer.BYTES);
		return (int) checksum.getValue();
	}

}
