package dev.reflector.test.internal.read;

import java.util.SplittableRandom;
import java.util.function.Function;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.store.CollectionChange;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.Selection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One event of a watch stream. All watches with the same representation share the bytes
 * of the object.
 *
 * @param type the type of the event
 * @param order seed for the order of map keys, if the format has no fixed order
 * @param object returns the object in a representation
 */
public record WatchFrame(String type, long order, Function<Representation, byte[]> object) {

	static WatchFrame added(ObjectRevision object) {
		return of("ADDED", object);
	}

	static WatchFrame modified(ObjectRevision object) {
		return of("MODIFIED", object);
	}

	static WatchFrame deleted(ObjectRevision object) {
		return of("DELETED", object);
	}

	/**
	 * Returns the event by which a write is sent to a watch of a part of the collection
	 * (W-25). If the write makes an object match the selection, the event is an addition;
	 * if the object no longer matches, it is a deletion.
	 * @param change the write
	 * @param type the type of the collection
	 * @param selection the selection of the watch
	 * @return the event, or {@code null} if the object matches neither before nor after
	 * the write
	 */
	static @Nullable WatchFrame of(CollectionChange change, ServedType type, Selection selection) {
		ObjectRevision before = change.before();
		ObjectRevision after = change.after();
		boolean was = before != null && selection.matches(before);
		if (after != null && selection.matches(after)) {
			return was ? modified(after) : added(after);
		}
		return was ? deleted(change.farewell(type)) : null;
	}

	private static WatchFrame of(String type, ObjectRevision object) {
		return new WatchFrame(type, object.resourceVersion(), object::as);
	}

	public static WatchFrame error(ApiFailure failure) {
		return new WatchFrame("ERROR", 0, (representation) -> representation.format().bytes(failure.body(), 0));
	}

	/**
	 * Returns a bookmark.
	 * @param type the type of the collection
	 * @param resourceVersion the version up to which the client has received all changes
	 * @param endOfInitialEvents whether the bookmark ends the initial part of a streamed
	 * list (W-28)
	 * @return the frame
	 */
	static WatchFrame bookmark(ServedType type, long resourceVersion, boolean endOfInitialEvents) {
		return new WatchFrame("BOOKMARK", resourceVersion, (representation) -> {
			ObjectNode object = Json.object().put("apiVersion", type.apiVersion()).put("kind", type.kind());
			ObjectNode metadata = object.putObject("metadata").put("resourceVersion", Long.toString(resourceVersion));
			if (endOfInitialEvents) {
				metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
			}
			return representation.write(object, resourceVersion);
		});
	}

	ByteBuf toBuffer(Representation representation) {
		// the seed is scrambled, because neighboring seeds would give the same result
		boolean objectFirst = new SplittableRandom(this.order * 31 + this.type.hashCode()).nextBoolean();
		return representation.format().frame(this.type, this.object.apply(representation), objectFirst);
	}

	public byte[] bytes(Representation representation) {
		return ByteBufUtil.getBytes(toBuffer(representation));
	}

}
