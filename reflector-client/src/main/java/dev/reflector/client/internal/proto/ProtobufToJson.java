package dev.reflector.client.internal.proto;

import dev.reflector.client.internal.frame.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Translates protobuf into the JSON that the server would have sent, and skips the fields
 * that the Java type does not use. With this translation, the same code decodes objects
 * in JSON and in protobuf. Expects the form that Kubernetes writes: the values of a list
 * or a map follow each other, and every other field occurs only once. Protobuf allows
 * other forms; this class records them as a {@linkplain #fault() fault}.
 */
final class ProtobufToJson {

	private final int maxDepth;

	private final JsonText text;

	private final Wire wire = new Wire();

	private final Scalars scalars;

	/** Whether the next member of the JSON object is its first member. */
	private boolean first;

	/** A message that says which limit was exceeded, or {@code null} if none was. */
	private @Nullable String limit;

	/**
	 * Creates a translator with an empty text.
	 * @param maxDepth the largest depth to which messages may be nested
	 * @param limit the largest length of the text, in bytes
	 */
	ProtobufToJson(int maxDepth, long limit) {
		this.maxDepth = maxDepth;
		this.text = new JsonText(limit);
		this.scalars = new Scalars(this.wire, this.text);
	}

	/**
	 * Sets the bytes to translate, and empties the text.
	 * @param bytes the array that contains a message
	 * @param from the index at which the message begins
	 * @param end the index at which the bytes end
	 * @param cut whether the bytes are only the beginning of the message
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
	 * Returns the first fault. After a fault, the text has no closing bracket, so that it
	 * cannot count as complete.
	 * @return a description of the fault, or {@code null} for none
	 */
	@Nullable String fault() {
		if (this.text.isFull()) {
			return "it has too many bytes as JSON, more than " + JsonText.LIMIT + " allows; raise it";
		}
		String problem = this.wire.problem();
		return (this.limit != null) ? this.limit : (problem != null) ? "it is no valid protobuf: " + problem : null;
	}

	/**
	 * Writes the fields of a message as members of a JSON object that is already open,
	 * and closes the object.
	 * @param plan the fields to write
	 * @param from the index at which the message begins
	 * @param to the index after the message
	 * @param first whether the JSON object has no members yet
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

	/**
	 * Closes a JSON object or array, unless there was a fault or its last bytes are
	 * missing.
	 */
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
	 * @return the step if more values may follow, otherwise {@code null}
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

	/**
	 * Returns the index after the content of the current field. If the field has no
	 * length, records a fault.
	 */
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

	/** Writes a choice: only the value of its present field with the largest number. */
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
