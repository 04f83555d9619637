package dev.reflector.client.internal.proto;

import dev.reflector.ResourceType;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.FrameAssembler;
import dev.reflector.client.internal.frame.JsonText;
import dev.reflector.client.internal.frame.ListHead;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.PageFramer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the body of a list in protobuf into its items while it arrives. The list is inside
 * a message {@code Unknown}, which also contains its type. In all lists, field 1 is the
 * metadata and field 2 is an item. Other fields are skipped and not kept in memory.
 */
public final class ProtobufListFramer implements PageFramer {

	// a limit for the type and the metadata of a list, which are short
	private static final int MAX_HEAD = 1024 * 1024;

	private static final int MAX_DEPTH = 100;

	private static final int FIRST = 1;

	private static final int SECOND = 2;

	private static final int CONTENT_ENCODING = 3;

	private enum Position {

		MAGIC, TAG, NUMBER, LENGTH, SKIP, FIELD, ITEM

	}

	private final ResourceType resourceType;

	private final ListHead head;

	private final LengthScanner scanner = new LengthScanner();

	private final FrameAssembler item;

	private final FrameAssembler field = new FrameAssembler(MAX_HEAD);

	private Position position = Position.MAGIC;

	/** The number of marker bytes at the beginning that were read. */
	private int magic;

	/** The value of the part of the current number that was read so far. */
	private long varint;

	/**
	 * The number of bits of the current number that were read so far; negative between
	 * two numbers.
	 */
	private int bits = -1;

	/** The number that identifies the current field in its message. */
	private int number;

	/** Whether the current field has no bytes. */
	private boolean empty;

	/**
	 * Whether the current field belongs to the list, and not to the message around the
	 * list.
	 */
	private boolean inList;

	/** The number of bytes of the list after the current field. */
	private long left;

	private boolean listed;

	private boolean partial;

	/**
	 * Creates a framer for one list.
	 * @param resourceType the type of the collection
	 * @param maxObjectSize the size of the largest accepted object, in bytes
	 */
	public ProtobufListFramer(ResourceType resourceType, int maxObjectSize) {
		this.resourceType = resourceType;
		this.head = new ListHead(resourceType);
		this.item = new FrameAssembler(maxObjectSize);
	}

	/**
	 * Returns whether the items are only the metadata of objects. Has no meaning before
	 * the first item.
	 * @return {@code true} if the items are metadata
	 */
	public boolean isPartial() {
		return this.partial;
	}

	@Override
	public @Nullable Frame next(Chunk chunk) {
		while (!chunk.isRead() || this.empty) {
			switch (this.position) {
				case MAGIC -> magic(chunk);
				case TAG -> tag(chunk);
				case NUMBER -> {
					if (number(chunk)) {
						ended();
					}
				}
				case LENGTH -> {
					if (number(chunk)) {
						begin(this.varint);
					}
				}
				case SKIP -> {
					if (this.scanner.skip(chunk)) {
						ended();
					}
				}
				case FIELD -> field(chunk);
				default -> {
					Frame frame = this.item.take(this.scanner, chunk, this.head.isTyped());
					if (frame != null) {
						ended();
						return frame;
					}
				}
			}
		}
		return null;
	}

	private void magic(Chunk chunk) {
		check(chunk.bytes[chunk.position++] == Envelope.magic(this.magic));
		if (++this.magic == Envelope.magicLength()) {
			this.position = Position.TAG;
		}
	}

	private void tag(Chunk chunk) {
		if (!number(chunk)) {
			return;
		}
		check(this.varint >>> Integer.SIZE == 0 && this.varint >>> 3 != 0);
		this.number = (int) (this.varint >>> 3);
		switch ((int) this.varint & 7) {
			case Wire.VARINT -> this.position = Position.NUMBER;
			case Wire.BYTES -> this.position = Position.LENGTH;
			case Wire.FIXED64 -> begin(Position.SKIP, Long.BYTES);
			case Wire.FIXED32 -> begin(Position.SKIP, Integer.BYTES);
			default -> check(false);
		}
	}

	/**
	 * Reads a number, or the next part of a number.
	 * @return whether the number is complete
	 */
	private boolean number(Chunk chunk) {
		if (this.bits < 0) {
			this.bits = 0;
			this.varint = 0;
		}
		while (!chunk.isRead()) {
			check(this.bits < Long.SIZE);
			byte part = chunk.bytes[chunk.position++];
			check(!this.inList || this.left-- > 0);
			this.varint |= (long) (part & 0x7f) << this.bits;
			this.bits += 7;
			if (part >= 0) {
				this.bits = -1;
				return true;
			}
		}
		return false;
	}

	private void begin(long length) {
		if (this.number == SECOND && !this.inList) {
			check(!this.listed && length >= 0);
			this.listed = true;
			this.inList = true;
			this.left = length;
			ended();
		}
		else if (this.number == SECOND) {
			beginItem();
			begin(Position.ITEM, length);
		}
		else {
			check(this.inList || this.number != CONTENT_ENCODING || length == 0);
			begin((this.number == FIRST) ? Position.FIELD : Position.SKIP, length);
		}
	}

	private void begin(Position position, long length) {
		check(length >= 0 && (!this.inList || length <= this.left));
		if (this.inList) {
			this.left -= length;
		}
		this.scanner.begin(length);
		this.empty = length == 0;
		this.position = position;
	}

	/**
	 * Begins an item. Checks the type of the list, because items do not contain their
	 * type.
	 */
	private void beginItem() {
		if (this.head.hasItems()) {
			return;
		}
		this.head.foundItems();
		this.partial = this.head.kind().equals("PartialObjectMetadataList")
				&& this.head.apiVersion().startsWith("meta.k8s.io/");
		if (!this.partial && !this.head.isTyped()) {
			throw new MalformedResponseException("the body is not a list of " + this.resourceType
					+ ": it does not name the type of its items before them");
		}
	}

	private void ended() {
		this.empty = false;
		this.position = Position.TAG;
		this.inList &= this.left > 0;
	}

	private void field(Chunk chunk) {
		boolean list = this.inList;
		Frame frame = this.field.take(this.scanner, chunk, false);
		if (frame == null) {
			return;
		}
		check(!frame.oversize());
		if (list) {
			check(this.head.metadata() == null);
			this.head.take("metadata", metadata(frame));
		}
		else {
			type(frame);
		}
		ended();
	}

	private void type(Frame frame) {
		check(this.head.kind().isEmpty() && this.head.apiVersion().isEmpty());
		Wire wire = new Wire();
		wire.over(frame.bytes(), frame.offset(), frame.end(), false);
		while (wire.next(frame.end())) {
			if (wire.number() == FIRST || wire.number() == SECOND) {
				this.head.take((wire.number() == FIRST) ? "apiVersion" : "kind", string(wire));
			}
		}
		check(wire.problem() == null);
	}

	private Frame string(Wire wire) {
		JsonText text = new JsonText(MAX_HEAD);
		check(wire.type() == Wire.BYTES && text.string(wire.bytes(), wire.from(), wire.to()));
		return new Frame(text.bytes(), 0, text.length(), text.length(), false);
	}

	private Frame metadata(Frame frame) {
		ProtobufToJson json = new ProtobufToJson(MAX_DEPTH, Integer.MAX_VALUE - 8);
		json.over(frame.bytes(), frame.offset(), frame.end(), false);
		json.text().put('{');
		json.members(Plans.listMetadata(), frame.offset(), frame.end(), true);
		String fault = json.fault();
		if (fault != null) {
			throw new MalformedResponseException("the metadata of the list: " + fault);
		}
		return new Frame(json.text().bytes(), 0, json.text().length(), json.text().length(), false);
	}

	private void check(boolean expected) {
		if (!expected) {
			throw new MalformedResponseException("the body is not a list in the protobuf of Kubernetes: "
					+ "unexpected bytes " + ((this.position == Position.MAGIC) ? "at its start"
							: (this.inList ? "in the list" : "around the list") + " at its field " + this.number));
		}
	}

	@Override
	public ListHead head() {
		return this.head;
	}

	/**
	 * Checks that the body is complete. An empty body, or a message without the field of
	 * the list, is no list.
	 */
	@Override
	public void finish() {
		ListHead.requireEnd(this.magic > 0,
				this.position == Position.TAG && this.bits < 0 && !this.inList && this.listed);
	}

}
