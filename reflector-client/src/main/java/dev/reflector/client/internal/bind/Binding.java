package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.client.internal.frame.JsonCursor;
import dev.reflector.client.internal.frame.JsonSkipper;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of a Java type from JSON text, without a parser. A value equals the value
 * that Jackson would make. If the text is unexpected in any way, a fault is set, and
 * Jackson reads the whole object instead.
 */
interface Binding {

	/**
	 * Makes a value.
	 * @param text the text; its position is moved to the end of the value, or a
	 * {@linkplain BoundText#fault() fault} is set
	 * @param from the index at which the value begins
	 * @param depth the number of brackets around the value
	 * @return the value, or {@code null} if a fault is set
	 */
	@Nullable Object read(BoundText text, int from, int depth);

	/**
	 * A string. Equal strings share one instance while the pool contains it.
	 *
	 * @param pool the pool of shared strings
	 */
	record Text(StringPool pool) implements Binding {

		Text() {
			this(new StringPool());
		}

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			int quote = text.closingQuote(from);
			if (quote < 0) {
				return readUnusual(text, from, depth);
			}
			text.moveTo(quote + 1);
			return plain(text, from + 1, quote);
		}

		String plain(BoundText text, int from, int to) {
			return (to - from <= StringPool.MAX_LENGTH && this.pool.isOpen())
					? this.pool.share(text.bytes(), from, to - from) : text.ascii(from, to);
		}

		private @Nullable Object readUnusual(BoundText text, int from, int depth) {
			JsonSkipper skipper = text.skipper();
			int end = (skipper.at(from) == '"') ? skipper.value(from, depth) : JsonSkipper.FAULT;
			String string = (end >= 0) ? JsonCursor.unescape(text.bytes(), from + 1, end - 1) : null;
			if (string == null) {
				return text.fault();
			}
			text.moveTo(end);
			return (string.length() <= StringPool.MAX_LENGTH && this.pool.isOpen())
					? this.pool.share(string.toCharArray(), 0, string.length()) : string;
		}

	}

	/**
	 * An integer.
	 *
	 * @param isLong whether the Java type is {@code long}, and not {@code int}
	 */
	record Whole(boolean isLong) implements Binding {

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			JsonSkipper skipper = text.skipper();
			byte first = skipper.at(from);
			boolean number = first == '-' || (first >= '0' && first <= '9');
			int end = number ? skipper.value(from, depth) : JsonSkipper.FAULT;
			int begin = (first == '-') ? from + 1 : from;
			if (end < 0 || !isInteger(skipper, begin, end)) {
				return text.fault();
			}
			try {
				long negative = negative(skipper, begin, end);
				long value = (first == '-') ? negative : Math.negateExact(negative);
				Object whole = this.isLong ? (Object) value : (Object) Math.toIntExact(value);
				text.moveTo(end);
				return whole;
			}
			catch (ArithmeticException ex) {
				// out of the range of the type
				return text.fault();
			}
		}

		private static boolean isInteger(JsonSkipper skipper, int from, int to) {
			int index = from;
			while (index < to && skipper.at(index) >= '0' && skipper.at(index) <= '9') {
				index++;
			}
			return index == to;
		}

		/**
		 * Returns the negative number with the given digits. The digits are subtracted,
		 * because the smallest number has no positive counterpart.
		 */
		private static long negative(JsonSkipper skipper, int from, int to) {
			long value = 0;
			for (int index = from; index < to; index++) {
				value = Math.subtractExact(Math.multiplyExact(value, 10), skipper.at(index) - '0');
			}
			return value;
		}

	}

	/** A boolean. */
	record Flag() implements Binding {

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			JsonSkipper skipper = text.skipper();
			byte first = skipper.at(from);
			if (first != 't' && first != 'f') {
				return text.fault();
			}
			text.moveTo(skipper.value(from, depth));
			return first == 't';
		}

	}

	/**
	 * A time in UTC, in the form that servers use, such as {@code 2026-01-31T12:00:00Z}.
	 * The seconds may have a fraction.
	 */
	record Time() implements Binding {

		private static final byte[] FORM = "0000-00-00T00:00:00".getBytes(StandardCharsets.US_ASCII);

		private static final int LONGEST = FORM.length + ".123456789Z".length();

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			int quote = text.closingQuote(from);
			int length = quote - from - 1;
			if (quote < 0 || length <= FORM.length || length > LONGEST || !hasForm(text.bytes(), from + 1)
					|| text.bytes()[quote - 1] != 'Z') {
				return text.fault();
			}
			try {
				Instant instant = (length == FORM.length + 1) ? seconds(text.bytes(), from + 1)
						: Instant.parse(text.ascii(from + 1, quote));
				text.moveTo(quote + 1);
				return instant;
			}
			catch (DateTimeException ex) {
				return text.fault();
			}
		}

		private static boolean hasForm(byte[] bytes, int from) {
			for (int i = 0; i < FORM.length; i++) {
				byte value = bytes[from + i];
				if ((FORM[i] == '0') ? (value < '0' || value > '9') : value != FORM[i]) {
					return false;
				}
			}
			return true;
		}

		private static Instant seconds(byte[] bytes, int from) {
			int hour = two(bytes, from + 11);
			int minute = two(bytes, from + 14);
			int second = two(bytes, from + 17);
			if (hour > 23 || minute > 59 || second > 59) {
				throw new DateTimeException("no time of a day");
			}
			LocalDate date = LocalDate.of(100 * two(bytes, from) + two(bytes, from + 2), two(bytes, from + 5),
					two(bytes, from + 8));
			return Instant.ofEpochSecond(((date.toEpochDay() * 24 + hour) * 60 + minute) * 60 + second);
		}

		private static int two(byte[] bytes, int from) {
			return 10 * (bytes[from] - '0') + bytes[from + 1] - '0';
		}

	}

	/** A map with string keys. */
	final class Entries implements Binding {

		private final Text keys = new Text();

		private final Binding values;

		/**
		 * The size of the last map. The next map of a property probably has the same
		 * size.
		 */
		private int usual = 4;

		/**
		 * Creates a binding of maps.
		 * @param values makes the values of a map
		 */
		Entries(Binding values) {
			this.values = values;
		}

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			JsonSkipper skipper = text.skipper();
			if (skipper.at(from) != '{' || !skipper.allows(depth + 1)) {
				return text.fault();
			}
			Map<String, @Nullable Object> map = new ArrayMap<>(this.usual);
			int index = skipper.space(from + 1);
			boolean more = skipper.at(index) != '}';
			while (more) {
				int quote = text.closingQuote(index);
				boolean name = quote >= 0 && skipper.allowsName(quote + 1 - index);
				int value = name ? skipper.colon(quote + 1) : JsonSkipper.FAULT;
				if (value < 0) {
					return text.fault();
				}
				String key = this.keys.plain(text, index + 1, quote);
				map = ArrayMap.add(map, key, this.values.read(text, value, depth + 1));
				index = skipper.behind(text.position());
				more = skipper.isMore(index);
				index = more ? skipper.space(index + 1) : index;
			}
			if (index < 0 || skipper.at(index) != '}') {
				return text.fault();
			}
			text.moveTo(index + 1);
			if (map instanceof ArrayMap<?> few) {
				this.usual = few.size();
				few.trimToSize();
			}
			return map;
		}

	}

	/**
	 * A list.
	 *
	 * @param each makes the elements of the list
	 */
	record Elements(Binding each) implements Binding {

		@Override
		public @Nullable Object read(BoundText text, int from, int depth) {
			JsonSkipper skipper = text.skipper();
			if (skipper.at(from) != '[' || !skipper.allows(depth + 1)) {
				return text.fault();
			}
			List<@Nullable Object> elements = new ArrayList<>();
			int index = skipper.space(from + 1);
			boolean more = skipper.at(index) != ']';
			while (more) {
				elements.add(this.each.read(text, index, depth + 1));
				index = skipper.behind(text.position());
				more = skipper.isMore(index);
				index = more ? skipper.space(index + 1) : index;
			}
			if (index < 0 || skipper.at(index) != ']') {
				return text.fault();
			}
			text.moveTo(index + 1);
			return elements;
		}

	}

}
