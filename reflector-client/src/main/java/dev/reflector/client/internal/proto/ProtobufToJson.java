package dev.reflector.client.internal.proto;

import dev.reflector.client.internal.frame.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Translates protobuf into the JSON that the server would have sent, and skips the fields
 * that the type does not use by their length. So objects are decoded in only one way,
 * whatever their format. It expects the form that Kubernetes writes: the values of a list
 * or a map follow each other, and other fields occur once. Protobuf allows other forms,
 * which are a fault here.
 */
final class ProtobufToJson {

	private final int maxDepth;

	private final JsonText text;

	private final Wire wire = new Wire();

	private final Scalars scalars;

	/** Whether the next member of the object is its first. */
	private boolean first;

	/** A fault that is not in the bytes, such as an exceeded limit. */
	private @Nullable String limit;

	/**
	 * Creates a translation with an empty text.
	 * @param maxDepth the deepest nesting of messages
	 * @param limit the largest length of the text
	 */
	ProtobufToJson(int maxDepth, long limit) {
		this.maxDepth = maxDepth;
		this.text = new JsonText(limit);
		this.scalars = new Scalars(this.wire, this.text);
	}

	/**
	 * Sets the bytes to convert, and empties the text.
	 * @param bytes the array that contains a message
	 * @param from where it begins
	 * @param end where the bytes end
	 * @param cut whether they are only the beginning of the message
	 */
	void over(byte[] bytes, int from, int end, boolean cut) {
		this.wire.over(bytes, from, end, cut);
		this.text.clear();
		this.limit = null;
	}

	/** Releases the bytes. */
	void clear() {
		this.wire.clear();
	}

	Wire wire() {
		return this.wire;
	}

	JsonText text() {
		return this.text;
	}

	/**
	 * Returns the first fault. After a fault, the text is not closed, so that it cannot
	 * count as complete.
	 * @return a description, or {@code null}
	 */
	@Nullable String fault() {
		if (this.text.isFull()) {
			return "it has too many bytes as JSON, more than reflector.api-server.max-object-size allows; raise "
					+ "that property";
		}
		String problem = this.wire.problem();
		return (this.limit != null) ? this.limit : (problem != null) ? "it is no valid protobuf: " + problem : null;
	}

	/**
	 * Writes a message as an object that is already open, and closes it.
	 * @param plan what to write
	 * @param from where the message begins
	 * @param to where it ends
	 * @param first whether the object has no members yet
	 */
	void members(Plan plan, int from, int to, boolean first) {
		this.first = first;
		this.wire.at(from);
		fields(plan, to, 1);
		close('}');
	}

	private void object(Plan plan, int from, int to, int depth) {
		if (depth > this.maxDepth) {
			this.limit = "it goes beyond a limit of the parser: it is nested deeper than " + this.maxDepth;
			this.wire.fail(this.limit);
			return;
		}
		boolean outer = this.first;
		this.first = true;
		this.text.put('{');
		this.wire.at(from);
		fields(plan, to, depth);
		close('}');
		this.first = outer;
	}

	/** Closes an object or array, unless there was a fault or the rest is missing. */
	private void close(char bracket) {
		if (this.wire.problem() == null) {
			this.text.put(bracket);
		}
	}

	private void fields(Plan plan, int to, int depth) {
		Plan.@Nullable Step open = null;
		long seen = 0;
		while (this.wire.next(to)) {
			Plan.Step step = plan.step(this.wire.number());
			if (step == null) {
				continue;
			}
			if (step == open) {
				this.text.put(',');
				many(step, depth);
				continue;
			}
			if ((seen & step.bit()) != 0) {
				this.wire.fail("the field '" + step.field().name() + "' comes in two places");
				break;
			}
			seen |= step.bit();
			end(open);
			open = begin(step, depth);
		}
		boolean whole = isWhole(to);
		end(open);
		for (Plan.Step step : plan.nullable()) {
			if (whole && (seen & step.bit()) == 0) {
				key(step);
				this.text.put("null");
			}
		}
	}

	private void end(Plan.@Nullable Step open) {
		if (open != null) {
			close((open.field().many() == Field.Many.LIST) ? ']' : '}');
		}
	}

	/**
	 * Writes the first value of a field.
	 * @return the step when more values may follow
	 */
	private Plan.@Nullable Step begin(Plan.Step step, int depth) {
		Field field = step.field();
		if (field.many() != Field.Many.ONE) {
			key(step);
			this.text.put((field.many() == Field.Many.LIST) ? '[' : '{');
			many(step, depth);
			return step;
		}
		if (field.isInline()) {
			int next = this.wire.index();
			int to = content();
			if (step.plan() != null) {
				this.wire.at(this.wire.from());
				fields(step.plan(), to, depth);
			}
			this.wire.at(next);
			return null;
		}
		if (field.zero() == Field.Zero.OMITTED && isZero(field)) {
			return null;
		}
		key(step);
		value(step, depth);
		return null;
	}

	private boolean isZero(Field field) {
		return field.kind().isNumber() ? this.wire.type() != Wire.BYTES && this.wire.value() == 0
				: this.wire.type() == Wire.BYTES && this.wire.from() == this.wire.to();
	}

	private void key(Plan.Step step) {
		if (!this.first) {
			this.text.put(',');
		}
		this.first = false;
		this.text.put(step.key(), 0, step.key().length);
	}

	private void many(Plan.Step step, int depth) {
		if (step.field().many() == Field.Many.MAP) {
			entry(step, depth);
		}
		else if (this.wire.type() == Wire.BYTES && step.field().kind().isNumber()) {
			this.scalars.packed(step.field().kind());
		}
		else {
			value(step, depth);
		}
	}

	/** Writes an entry of a map: a message with the key and the value. */
	private void entry(Plan.Step step, int depth) {
		int next = this.wire.index();
		int to = content();
		int keyFrom = to;
		int keyTo = to;
		this.wire.at(this.wire.from());
		int value = -1;
		int index = this.wire.index();
		while (this.wire.next(to)) {
			if (this.wire.number() == 1) {
				keyFrom = this.wire.from();
				keyTo = content();
			}
			else if (this.wire.number() == 2) {
				value = index;
			}
			index = this.wire.index();
		}
		if (!isWhole(to)) {
			return;
		}
		this.scalars.string(keyFrom, keyTo);
		this.text.put(':');
		if (value >= 0) {
			this.wire.at(value);
			this.wire.next(to);
			value(step, depth);
		}
		else {
			this.scalars.missing(step.field().kind());
		}
		this.wire.at(next);
	}

	/** Returns where the content of a field ends; the field must have a length. */
	private int content() {
		if (this.wire.type() != Wire.BYTES) {
			this.wire.fail("a field is of another wire type than its kind");
			return this.wire.index();
		}
		return this.wire.to();
	}

	private void value(Plan.Step step, int depth) {
		Plan plan = step.plan();
		if (plan == null) {
			this.scalars.write(step.field().kind());
			return;
		}
		int next = this.wire.index();
		int to = content();
		if (this.wire.problem() != null) {
			return;
		}
		if (plan.isChoice()) {
			choice(plan, this.wire.from(), to, depth + 1);
		}
		else {
			object(plan, this.wire.from(), to, depth + 1);
		}
		this.wire.at(next);
	}

	private boolean isWhole(int to) {
		if (this.wire.isCut(to)) {
			this.wire.breakOff();
		}
		return this.wire.problem() == null;
	}

	/** Writes a choice, whose JSON is that of its last field. */
	private void choice(Plan plan, int from, int to, int depth) {
		this.wire.at(from);
		Plan.@Nullable Step last = null;
		int begin = from;
		int index = from;
		while (this.wire.next(to)) {
			Plan.Step step = plan.step(this.wire.number());
			if (step != null && (last == null || step.field().number() > last.field().number())) {
				last = step;
				begin = index;
			}
			index = this.wire.index();
		}
		if (!isWhole(to)) {
			return;
		}
		if (last == null) {
			Plan.Step only = plan.last();
			boolean list = only != null && only.field().number() == 1;
			this.text.put(list ? "[]" : "null");
			return;
		}
		this.wire.at(begin);
		this.wire.next(to);
		if (last.field().many() == Field.Many.LIST) {
			elements(last, to, depth);
		}
		else {
			value(last, depth);
		}
	}

	private void elements(Plan.Step step, int to, int depth) {
		this.text.put('[');
		many(step, depth);
		while (this.wire.next(to)) {
			if (this.wire.number() == step.field().number()) {
				this.text.put(',');
				many(step, depth);
			}
		}
		close(']');
	}

}
