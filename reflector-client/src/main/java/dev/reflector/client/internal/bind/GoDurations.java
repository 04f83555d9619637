package dev.reflector.client.internal.bind;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads durations in the format of Go, which Kubernetes uses ({@code metav1.Duration}),
 * such as {@code 30s} or {@code 2160h0m0s}. Jackson reads all other formats.
 */
final class GoDurations extends StdScalarDeserializer<Duration> {

	private static final String PART = "(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)";

	private static final Pattern PARTS = Pattern.compile(PART);

	private static final Pattern WHOLE = Pattern.compile("[-+]?(?:" + PART + ")+");

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1000L, "µs", 1000L, "μs", 1000L, "ms",
			1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	private static final int MAX_LENGTH = 100;

	private final ValueDeserializer<?> jackson;

	GoDurations(ValueDeserializer<?> jackson) {
		super(Duration.class);
		this.jackson = jackson;
	}

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		return new GoDurations(this.jackson.createContextual(context, property));
	}

	@Override
	public @Nullable Duration deserialize(JsonParser parser, DeserializationContext context) {
		Duration duration = parser.hasToken(JsonToken.VALUE_STRING) ? parse(parser.getString()) : null;
		return (duration != null) ? duration : (Duration) this.jackson.deserialize(parser, context);
	}

	/**
	 * Reads a duration.
	 * @param text the text
	 * @return the duration, or {@code null} if the text is not in the format of Go
	 */
	static @Nullable Duration parse(String text) {
		if (text.equals("0")) {
			return Duration.ZERO;
		}
		if (text.length() > MAX_LENGTH || !WHOLE.matcher(text).matches()) {
			return null;
		}
		BigDecimal nanos = BigDecimal.ZERO;
		for (Matcher part = PARTS.matcher(text); part.find();) {
			Long unit = NANOS.get(part.group(2));
			nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf((unit != null) ? unit : 0)));
		}
		BigDecimal[] seconds = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
		if (seconds[0].toBigInteger().bitLength() >= Long.SIZE - 1) {
			return null;
		}
		Duration duration = Duration.ofSeconds(seconds[0].longValue(), seconds[1].longValue());
		return text.startsWith("-") ? duration.negated() : duration;
	}

}
