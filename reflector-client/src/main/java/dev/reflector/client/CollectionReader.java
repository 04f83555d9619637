package dev.reflector.client;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.cbor.CborDecoder;
import dev.reflector.client.internal.cbor.CborListFramer;
import dev.reflector.client.internal.cbor.CborWatchFramer;
import dev.reflector.client.internal.decode.Decoded;
import dev.reflector.client.internal.decode.ExpectedList;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.decode.InitialEventsDecoder;
import dev.reflector.client.internal.decode.ListPageBuilder;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.ObjectSizes;
import dev.reflector.client.internal.decode.ObjectVersionDecoder;
import dev.reflector.client.internal.decode.StreamedListCheck;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.exchange.Answer;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.ListFramer;
import dev.reflector.client.internal.frame.PageFramer;
import dev.reflector.client.internal.frame.StreamFramer;
import dev.reflector.client.internal.frame.WatchFramer;
import dev.reflector.client.internal.proto.ProtobufDecoder;
import dev.reflector.client.internal.proto.ProtobufListFramer;
import dev.reflector.client.internal.proto.ProtobufWatchFramer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.ObjectReader;

/**
 * Reads the responses to lists and watches of one collection, in the format of each
 * response. Bytes are uncompressed, cut into frames and decoded on the decode scheduler.
 *
 * @param <T> the type of the objects
 */
final class CollectionReader<T> {

	private static final Logger logger = LoggerFactory.getLogger(CollectionReader.class);

	private final ObjectDecoder<T> json;

	private final WatchDecoder<T> watch;

	private final CborDecoder<T> cbor;

	private final ProtobufDecoder<T> protobuf;

	private final ExpectedType type;

	private final ExpectedList list;

	private final ExpectedList versions;

	private final int maxObjectSize;

	private final Scheduler decodeScheduler;

	CollectionReader(ObjectReader reader, Class<T> type, ResourceAccessor<T> accessor, ExpectedType expected,
			int maxObjectSize, Scheduler decodeScheduler) {
		this.json = new ObjectDecoder<>(new ObjectBinder<>(reader, type), accessor, expected);
		this.watch = new WatchDecoder<>(this.json);
		// a separate binder, because JSON that was made from CBOR or protobuf no longer
		// has parts to skip
		ObjectDecoder<T> pruned = new ObjectDecoder<>(new ObjectBinder<>(reader, type), accessor, expected);
		this.cbor = new CborDecoder<>(reader, type, pruned, maxObjectSize);
		this.protobuf = new ProtobufDecoder<>(reader, type, expected.resourceType(), pruned, maxObjectSize);
		this.type = expected;
		this.list = new ExpectedList(expected.resourceType(), expected.metadataOnly());
		this.versions = new ExpectedList(expected.resourceType(), true);
		this.maxObjectSize = maxObjectSize;
		this.decodeScheduler = decodeScheduler;
	}

	/**
	 * Returns whether whole objects can be read in protobuf.
	 * @return {@code true} if this client knows the protobuf fields of the type
	 */
	boolean knowsProtobuf() {
		return this.protobuf.isKnown();
	}

	/**
	 * Returns whether reading protobuf costs less processor time than reading JSON.
	 * @return {@code true} if this client knows the protobuf fields of the type and skips
	 * some of them
	 */
	boolean prefersProtobuf() {
		return this.protobuf.isKnown() && this.protobuf.skipsParts();
	}

	/**
	 * Reads one page of a list.
	 * @param answer the response
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @param listener receives the sizes of objects, if {@code wantsSizes()} is
	 * {@code true}
	 * @return the page
	 */
	Flux<ListPage<T>> page(Answer answer, @Nullable CachedObjects<T> known, RequestListener listener) {
		return switch (answer.format()) {
			case CBOR -> page(answer, this.list, cborFramer(), this.cbor.items(), listener);
			case PROTOBUF -> {
				ProtobufListFramer framer = protobufFramer();
				yield page(answer, this.list, framer, this.protobuf.items(framer, known), listener);
			}
			default -> page(answer, this.list, jsonFramer(), (frame) -> this.json.decode(frame, known), listener);
		};
	}

	/**
	 * Reads only the key and the version of each object of one page.
	 * @param answer the response
	 * @param listener receives the sizes of objects, if {@code wantsSizes()} is
	 * {@code true}
	 * @return the page
	 */
	Flux<ListPage<ObjectVersion>> versions(Answer answer, RequestListener listener) {
		ResourceType resourceType = this.type.resourceType();
		return switch (answer.format()) {
			case CBOR -> page(answer, this.versions, cborFramer(), this.cbor.versions(resourceType), listener);
			case PROTOBUF -> {
				ProtobufListFramer framer = protobufFramer();
				yield page(answer, this.versions, framer, this.protobuf.versions(framer), listener);
			}
			default ->
				page(answer, this.versions, jsonFramer(), new ObjectVersionDecoder(resourceType)::decode, listener);
		};
	}

	private PageFramer jsonFramer() {
		return new ListFramer(this.type.resourceType(), this.maxObjectSize);
	}

	private PageFramer cborFramer() {
		return new CborListFramer(this.type.resourceType(), this.maxObjectSize);
	}

	private ProtobufListFramer protobufFramer() {
		return new ProtobufListFramer(this.type.resourceType(), this.maxObjectSize);
	}

	private <R> Flux<ListPage<R>> page(Answer answer, ExpectedList expected, PageFramer framer,
			FrameDecoder<Decoded<R>> decoder, RequestListener listener) {
		ObjectSizes sizes = listener.wantsSizes() ? new ObjectSizes(listener) : null;
		return answer.decoded(framer, (sizes != null) ? sizes.listed(decoder) : decoder, this.decodeScheduler)
			.collect(ListPageBuilder<R>::new, ListPageBuilder::add)
			.map((page) -> build(page, framer, expected, sizes))
			.flux();
	}

	private static <R> ListPage<R> build(ListPageBuilder<R> page, PageFramer framer, ExpectedList expected,
			@Nullable ObjectSizes sizes) {
		try {
			return page.build(framer, expected, sizes);
		}
		catch (Error ex) {
			JvmFailureException.rethrow(ex);
			throw ex;
		}
	}

	/**
	 * Reads a watch.
	 * @param answer the response
	 * @param initial whether the watch begins with the current state of all objects
	 * @param known cached objects, which need not be read again if they are unchanged, or
	 * {@code null} for none
	 * @param listener receives the sizes of objects, if {@code wantsSizes()} is
	 * {@code true}
	 * @return the events of the watch
	 */
	Flux<WatchEvent<T>> events(Answer answer, boolean initial, @Nullable CachedObjects<T> known,
			RequestListener listener) {
		StreamFramer framer = switch (answer.format()) {
			case CBOR -> new CborWatchFramer(this.maxObjectSize);
			case PROTOBUF -> new ProtobufWatchFramer(this.maxObjectSize);
			default -> new WatchFramer(this.maxObjectSize);
		};
		FrameDecoder<WatchEvent<T>> decoder = switch (answer.format()) {
			case CBOR -> this.cbor.events();
			case PROTOBUF -> this.protobuf.events(known);
			default -> new InitialEventsDecoder<>(this.watch, known);
		};
		answer.frames().accept(framer.open());
		Flux<WatchEvent<T>> events = answer.decoded(framer,
				listener.wantsSizes() ? ObjectSizes.watched(decoder) : decoder, this.decodeScheduler);
		Flux<WatchEvent<T>> checked = initial ? events.doOnNext(new StreamedListCheck()::check) : events;
		return checked.doOnComplete(() -> {
			if (framer.isInFrame()) {
				logger.debug("A watch of {} ended in the middle of a frame", this.type);
			}
		});
	}

}
