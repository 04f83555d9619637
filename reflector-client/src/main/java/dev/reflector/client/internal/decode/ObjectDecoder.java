package dev.reflector.client.internal.decode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

import dev.reflector.PrintableText;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.UnreadableReason;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.Prefix;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Reads objects from their bytes into the declared type. For an object that cannot be
 * read, it returns a report instead of throwing an exception.
 *
 * @param <T> the type of the objects
 */
public final class ObjectDecoder<T> {

	private static final Logger logger = LoggerFactory.getLogger(ObjectDecoder.class);

	private final ObjectBinder<T> binder;

	private final ResourceAccessor<T> accessor;

	private final ExpectedType expected;

	/**
	 * The beginning of an object of the expected type: the bracket, API version and kind.
	 */
	private final byte[] type;

	/**
	 * The usual beginnings of objects of the type: one for built-in types, one for custom
	 * resources.
	 */
	private final Prefix[] usual;

	public ObjectDecoder(ObjectBinder<T> binder, ResourceAccessor<T> accessor, ExpectedType expected) {
		this.binder = binder;
		this.accessor = accessor;
		this.expected = expected;
		String kind = "\"kind\":\"" + expected.resourceType().kind() + "\"";
		String apiVersion = "\"apiVersion\":\"" + expected.resourceType().apiVersion() + "\"";
		this.type = ("{" + apiVersion + "," + kind + ",").getBytes(StandardCharsets.UTF_8);
		this.usual = new Prefix[] { Prefix.of("{" + kind + "," + apiVersion + ","),
				Prefix.of("{" + apiVersion + "," + kind + ",") };
	}

	/**
	 * Reads an item of a list.
	 * @param frame the bytes of the item
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the object, or the report that it cannot be read
	 */
	public Decoded<T> decode(Frame frame, @Nullable CachedObjects<T> known) {
		if (frame.oversize()) {
			return oversize(frame.bytes(), frame.offset(), frame.end(), frame.size());
		}
		return decode(frame, frame.offset(), frame.end(), known);
	}

	/**
	 * Reads an object.
	 * @param frame the frame that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the object, or the report that it cannot be read
	 */
	public Decoded<T> decode(Frame frame, int from, int to, @Nullable CachedObjects<T> known) {
		return Objects.requireNonNull(read(frame, from, to, known));
	}

	/**
	 * Reads an object. If the end of the frame is only assumed, reads only an object of
	 * the declared type in the usual form, and sets the end of the frame.
	 * @param frame the frame that contains the object
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end, which may be after the end of the
	 * object
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @return the object, or {@code null} if the end of the frame is assumed and the
	 * object is unusual in any way
	 */
	@Nullable Decoded<T> read(Frame frame, int from, int to, @Nullable CachedObjects<T> known) {
		byte[] bytes = frame.bytes();
		boolean assumed = frame.assumed();
		boolean usual = frame.typed() || isUsual(bytes, from, to);
		if (assumed && !(usual && this.binder.skipsParts())) {
			return null;
		}
		ObjectHead type = usual ? null : ObjectHead.readType(bytes, from, to);
		String mismatch = (type != null) ? mismatch(type) : null;
		if (type != null && mismatch != null) {
			return this.expected.isForeign(type) ? foreign(mismatch) : unreadable(bytes, from, to, mismatch);
		}
		try {
			T held = (known != null) ? held(known, bytes, from, to) : null;
			if (held != null) {
				return (!assumed || this.binder.skip(frame, from, to)) ? new Decoded.Readable<>(held) : null;
			}
			T object = bind(frame, from, to);
			String problem = (object != null) ? keyProblem(object) : "it is null";
			if (object != null && problem == null) {
				return new Decoded.Readable<>(object);
			}
			return assumed ? null : unreadable(bytes, from, to, String.valueOf(problem));
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// an exception that code of the Java type throws concerns only this object;
			// for an assumed frame, it is reported when the object is read again
			return assumed ? null : unreadable(bytes, from, to, ex);
		}
	}

	/**
	 * Makes an object. If the Java type declares API version or kind, the object gets
	 * them even if the item of a list has none (W-15).
	 */
	private @Nullable T bind(Frame frame, int from, int to) {
		byte[] bytes = frame.bytes();
		int next = from + 1;
		while (next < to && bytes[next] <= ' ') {
			next++;
		}
		boolean members = next < to && bytes[from] == '{' && bytes[next] == '"';
		if (!members || frame.assumed() || !this.binder.declaresType() || isUsual(bytes, from, to)) {
			return this.binder.bind(frame, from, to);
		}
		// the expected type is put first: if the object has its own API version and kind,
		// these come later and are used instead
		byte[] complete = Arrays.copyOf(this.type, this.type.length + to - next);
		System.arraycopy(bytes, next, complete, this.type.length, to - next);
		return this.binder.bind(new Frame(complete, 0, complete.length, complete.length, frame.typed()), 0,
				complete.length);
	}

	private @Nullable T held(CachedObjects<T> known, byte[] bytes, int from, int to) {
		ObjectIdentity identity = ObjectIdentity.read(bytes, from, to);
		return (identity != null) ? known.find(identity.key(), identity.uid(), identity.resourceVersion()) : null;
	}

	private boolean isUsual(byte[] bytes, int from, int to) {
		return this.usual[0].matches(bytes, from, to) || this.usual[1].matches(bytes, from, to);
	}

	private @Nullable String keyProblem(T object) {
		try {
			this.accessor.key(object);
			return VersionLength.problem(this.accessor.resourceVersion(object));
		}
		catch (IllegalArgumentException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	/**
	 * Creates the report of an object that was too large. Only the beginning of such an
	 * object was kept.
	 * @param bytes the array that contains the beginning
	 * @param from the index at which the object begins
	 * @param to the index at which the bytes end
	 * @param size the full size of the object in bytes
	 * @return the report
	 */
	public Decoded.Unreadable<T> oversize(byte[] bytes, int from, int to, long size) {
		return unreadable(bytes, from, to,
				"it has " + size + " bytes, which is more than " + JsonText.LIMIT + " allows; raise it");
	}

	public Decoded.Unreadable<T> unreadable(byte[] bytes, int from, int to, String reason) {
		ObjectHead head = ObjectHead.read(bytes, from, to);
		return new Decoded.Unreadable<>(new SkippedObject(head.key(), VersionLength.orNone(head.resourceVersion()),
				this.expected + ": " + reason), false);
	}

	private Decoded.Unreadable<T> unreadable(byte[] bytes, int from, int to, Throwable thrown) {
		Decoded.Unreadable<T> unreadable = unreadable(bytes, from, to, UnreadableReason.of(thrown));
		Throwable own = (thrown instanceof JacksonException) ? thrown.getCause() : thrown;
		if (own != null && !(own instanceof JacksonException) && logger.isDebugEnabled()) {
			StackTraceElement[] trace = own.getStackTrace();
			// the message is not logged, because it may quote the object
			logger.debug("{}: a constructor or method of the Java type has thrown {}{} while the object {} was read",
					this.expected, own.getClass().getName(), (trace.length > 0) ? " at " + trace[0] : "",
					PrintableText.of(unreadable.object().key()));
		}
		return unreadable;
	}

	/**
	 * Compares the type of an object with the expected type.
	 * @param head the head of the object
	 * @return the mismatch in words, or {@code null} for none
	 */
	@Nullable public String mismatch(ObjectHead head) {
		return this.expected.mismatch(head);
	}

	/**
	 * Reports an object whose name and version belong to no object of the collection
	 * (R-70).
	 */
	private Decoded.Unreadable<T> foreign(String mismatch) {
		return new Decoded.Unreadable<>(new SkippedObject(null, "", this.expected + ": " + mismatch), true);
	}

}
