package dev.reflector.client.internal.proto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Base64;

import dev.reflector.client.internal.frame.JsonText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes strings, numbers, times and other scalar values in the JSON form of API servers.
 */
final class Scalars {

	private static final long SECONDS_OF_DAY = 24 * 60 * 60;

	/** The first second of the year 1. */
	private static final long FIRST = LocalDate.of(1, 1, 1).toEpochDay() * SECONDS_OF_DAY;

	/** The first second of the year 10000. */
	private static final long END = LocalDate.of(10000, 1, 1).toEpochDay() * SECONDS_OF_DAY;

	/** The limit for whole floating-point numbers: below it, they are exact. */
	private static final double MAX_WHOLE = 1e15;

	private static final int NANOS = 1_000_000_000;

	private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] LEAST = Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

	private static final byte[] TIME = "\"0000-00-00T00:00:00Z\"".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] MICRO_TIME = "\"0000-00-00T00:00:00.000000Z\"".getBytes(StandardCharsets.US_ASCII);

	private static final int FRACTION = TIME.length - 2;

	private final Wire wire;

	private final JsonText text;

	private final byte[] digits = new byte[LEAST.length];

	private final byte[] time = TIME.clone();

	private final byte[] microTime = MICRO_TIME.clone();

	Scalars(Wire wire, JsonText text) {
		this.wire = wire;
		this.text = text;
	}

	/**
	 * Writes the value of the current field as JSON. The current field is the field that
	 * {@link Wire} has read last.
	 * @param kind the kind of the field, which must not be {@code MESSAGE}
	 */
	void write(Field.Kind kind) {
		boolean content = this.wire.type() == Wire.BYTES;
		boolean fits = switch (kind) {
			case BOOL, INT, LONG -> this.wire.type() == Wire.VARINT;
			case DOUBLE -> this.wire.type() == Wire.FIXED64;
			default -> content;
		};
		if (!fits) {
			this.wire.fail("a field is of another wire type than its kind");
			return;
		}
		if (content && this.wire.isCut(this.wire.to())) {
			this.wire.breakOff();
			return;
		}
		int from = this.wire.from();
		int to = this.wire.to();
		switch (kind) {
			case STRING -> string(from, to);
			case BYTES -> binary(from, to);
			case TIME, MICRO_TIME -> time(from, to, kind == Field.Kind.MICRO_TIME);
			case QUANTITY -> quantity(from, to);
			case INT_OR_STRING -> intOrString(from, to);
			case JSON -> json(from, to);
			default -> number(kind, this.wire.value());
		}
	}

	/**
	 * Writes the JSON value for a map entry that has no value in protobuf.
	 * @param kind the kind of the values
	 */
	void missing(Field.Kind kind) {
		switch (kind) {
			case STRING, BYTES -> this.text.put("\"\"");
			case MESSAGE -> this.text.put("{}");
			case QUANTITY -> this.text.put("\"0\"");
			case BOOL -> put(FALSE);
			case TIME, MICRO_TIME, JSON -> put(NULL);
			default -> this.text.put('0');
		}
	}

	/**
	 * Writes the numbers that are packed into the current field as JSON, with commas
	 * between them.
	 * @param kind the kind of the numbers
	 */
	void packed(Field.Kind kind) {
		int next = this.wire.index();
		int from = this.wire.from();
		int to = this.wire.to();
		this.wire.at(from);
		while (this.wire.index() < to && this.wire.problem() == null) {
			if (this.wire.index() > from) {
				this.text.put(',');
			}
			long value = 0;
			if (kind != Field.Kind.DOUBLE) {
				value = this.wire.varint(to);
			}
			else if (to - this.wire.index() >= Long.BYTES) {
				value = this.wire.fixed(this.wire.index(), Long.BYTES);
				this.wire.at(this.wire.index() + Long.BYTES);
			}
			else {
				this.wire.breakOff();
			}
			number(kind, value);
		}
		if (from == to) {
			// Kubernetes never writes an empty list of packed numbers
			this.wire.fail("a field with packed numbers has none");
		}
		this.wire.at(next);
	}

	private void number(Field.Kind kind, long value) {
		switch (kind) {
			case BOOL -> put((value != 0) ? TRUE : FALSE);
			case INT -> whole((int) value);
			case LONG -> whole(value);
			default -> floatingPoint(Double.longBitsToDouble(value));
		}
	}

	private void whole(long value) {
		if (value == Long.MIN_VALUE) {
			put(LEAST);
			return;
		}
		int index = this.digits.length;
		long rest = Math.abs(value);
		do {
			this.digits[--index] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		while (rest > 0);
		if (value < 0) {
			this.digits[--index] = '-';
		}
		this.text.put(this.digits, index, this.digits.length);
	}

	/**
	 * Writes a floating-point number. A whole number gets no fraction, as in the JSON of
	 * API servers.
	 */
	private void floatingPoint(double value) {
		if (!Double.isFinite(value)) {
			this.wire.fail("there is a number that JSON does not have");
		}
		else if (Math.rint(value) == value && Math.abs(value) < MAX_WHOLE) {
			whole((long) value);
		}
		else {
			this.text.put(Double.toString(value));
		}
	}

	/**
	 * Writes a string.
	 * @param from the index at which its characters begin
	 * @param to the index after its characters
	 */
	void string(int from, int to) {
		if (!this.text.string(this.wire.bytes(), from, to)) {
			this.wire.fail("there is a text that is no UTF-8");
		}
	}

	private void binary(int from, int to) {
		byte[] encoded = Base64.getEncoder().encode(ByteBuffer.wrap(this.wire.bytes(), from, to - from)).array();
		this.text.put('"');
		this.text.put(encoded, 0, (to - from + 2) / 3 * 4);
		this.text.put('"');
	}

	/**
	 * Writes a time. If the message of the time has no fields, there is no time, and null
	 * is written.
	 */
	private void time(int from, int to, boolean micros) {
		if (from == to) {
			put(NULL);
			return;
		}
		long seconds = 0;
		long nanos = 0;
		int next = this.wire.index();
		this.wire.at(from);
		while (this.wire.next(to)) {
			seconds = (this.wire.number() == 1) ? this.wire.value() : seconds;
			nanos = (this.wire.number() == 2) ? this.wire.value() : nanos;
		}
		this.wire.at(next);
		if (seconds < FIRST || seconds >= END || nanos < 0 || nanos >= NANOS) {
			this.wire.fail("there is a time that is none");
			return;
		}
		byte[] form = micros ? this.microTime : this.time;
		LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_OF_DAY));
		int second = (int) Math.floorMod(seconds, SECONDS_OF_DAY);
		digits(form, 1, 4, date.getYear());
		digits(form, 6, 2, date.getMonthValue());
		digits(form, 9, 2, date.getDayOfMonth());
		digits(form, 12, 2, second / 3600);
		digits(form, 15, 2, second / 60 % 60);
		digits(form, 18, 2, second % 60);
		if (micros) {
			digits(form, FRACTION + 1, 6, (int) (nanos / 1000));
		}
		put(form);
	}

	private static void digits(byte[] form, int from, int count, int value) {
		int rest = value;
		for (int i = from + count - 1; i >= from; i--) {
			form[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
	}

	private void quantity(int from, int to) {
		int next = this.wire.index();
		int textFrom = from;
		int textTo = from;
		this.wire.at(from);
		while (this.wire.next(to)) {
			if (this.wire.number() == 1 && this.wire.type() == Wire.BYTES) {
				textFrom = this.wire.from();
				textTo = this.wire.to();
			}
		}
		this.wire.at(next);
		if (textFrom == textTo) {
			missing(Field.Kind.QUANTITY);
		}
		else {
			string(textFrom, textTo);
		}
	}

	private void intOrString(int from, int to) {
		int next = this.wire.index();
		long type = 0;
		int number = 0;
		int textFrom = from;
		int textTo = from;
		this.wire.at(from);
		while (this.wire.next(to)) {
			switch (this.wire.number()) {
				case 1 -> type = this.wire.value();
				case 2 -> number = (int) this.wire.value();
				case 3 -> {
					textFrom = this.wire.from();
					textTo = this.wire.to();
				}
				default -> {
					// a later version of Kubernetes may have more fields
				}
			}
		}
		this.wire.at(next);
		if (type == 0) {
			whole(number);
		}
		else if (type == 1) {
			string(textFrom, textTo);
		}
		else {
			this.wire.fail("there is a value that is neither a number nor a text");
		}
	}

	/**
	 * Writes a JSON text. The text must be a complete value, so that it cannot change the
	 * JSON around it.
	 */
	private void json(int from, int to) {
		int next = this.wire.index();
		int textFrom = from;
		int textTo = from;
		this.wire.at(from);
		while (this.wire.next(to)) {
			if (this.wire.number() == 1 && this.wire.type() == Wire.BYTES) {
				textFrom = this.wire.from();
				textTo = this.wire.to();
			}
		}
		this.wire.at(next);
		if (textFrom == textTo) {
			put(NULL);
			return;
		}
		if (isJson(textFrom, textTo)) {
			this.text.put(this.wire.bytes(), textFrom, textTo);
		}
		else {
			this.wire.fail("there is a text that is no JSON");
		}
	}

	private boolean isJson(int from, int to) {
		try {
			return !JsonMapper.shared().readTree(this.wire.bytes(), from, to - from).isMissingNode();
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private void put(byte[] ascii) {
		this.text.put(ascii, 0, ascii.length);
	}

}
