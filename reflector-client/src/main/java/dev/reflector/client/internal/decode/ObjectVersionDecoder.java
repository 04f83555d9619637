package dev.reflector.client.internal.decode;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.client.internal.frame.Frame;

/** Reads only the key and version of an object. The object may have any form and size. */
public final class ObjectVersionDecoder {

	private final ExpectedType expected;

	public ObjectVersionDecoder(ResourceType resourceType) {
		this.expected = new ExpectedType(resourceType, true);
	}

	public Decoded<ObjectVersion> decode(Frame frame) {
		ObjectHead head = ObjectHead.read(frame.bytes(), frame.offset(), frame.end());
		ResourceKey key = head.key();
		String version = VersionLength.orNone(head.resourceVersion());
		String mismatch = this.expected.mismatch(head);
		if (key != null && mismatch == null) {
			return new Decoded.Readable<>(new ObjectVersion(key, version));
		}
		return new Decoded.Unreadable<>(
				new SkippedObject(key, version,
						this.expected + ": " + ((mismatch != null) ? mismatch : "it has no readable name")),
				mismatch != null && this.expected.isForeign(head));
	}

}
