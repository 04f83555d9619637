package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.ResourceType;
import dev.reflector.cache.ListPage;
import reactor.core.publisher.Flux;

/**
 * Reads one list, in the format in which it comes.
 *
 * @param <R> what is made of its items
 */
final class ListAnswer<R> {

	private final ResourceType resourceType;

	private final int maxObjectSize;

	private final Function<ObjectFormat, Function<Frame, Decoded<R>>> decoders;

	private volatile PageFramer framer;

	private volatile Function<Frame, Decoded<R>> decoder;

	ListAnswer(ResourceType resourceType, int maxObjectSize,
			Function<ObjectFormat, Function<Frame, Decoded<R>>> decoders) {
		this.resourceType = resourceType;
		this.maxObjectSize = maxObjectSize;
		this.decoders = decoders;
		this.framer = PageFramer.of(ObjectFormat.JSON, resourceType, maxObjectSize);
		this.decoder = decoders.apply(ObjectFormat.JSON);
	}

	/**
	 * Cuts the answer into items.
	 * @param answer the answer
	 * @return the items
	 */
	Flux<Frame> frames(Answer answer) {
		PageFramer framer = PageFramer.of(answer.format(), this.resourceType, this.maxObjectSize);
		this.framer = framer;
		this.decoder = this.decoders.apply(answer.format());
		return framer.over(answer.bytes());
	}

	Decoded<R> decode(Frame frame) {
		return this.decoder.apply(frame);
	}

	/**
	 * Makes the page, after the last item.
	 * @param builder has collected the items
	 * @param metadataReader reads the metadata of the list
	 * @return the page
	 */
	ListPage<R> page(ListPageBuilder<R> builder, ListMetadataReader metadataReader) {
		return builder.build(this.framer, metadataReader);
	}

}
