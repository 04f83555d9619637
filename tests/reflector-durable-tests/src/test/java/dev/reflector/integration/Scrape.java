package dev.reflector.integration;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An answer to Prometheus, in its text format.
 *
 * @param samples all samples
 */
record Scrape(List<Sample> samples) {

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? (\\S+)$");

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

	static Scrape parse(String text) {
		return new Scrape(SAMPLE.matcher(text).results().map(Scrape::sample).toList());
	}

	private static Sample sample(MatchResult line) {
		String labels = (line.group(2) != null) ? line.group(2) : "";
		return new Sample(line.group(1),
				LABEL.matcher(labels)
					.results()
					.collect(Collectors.toMap((label) -> label.group(1), (label) -> label.group(2))),
				Double.parseDouble(line.group(3)));
	}

	List<Sample> of(String metric) {
		return this.samples.stream().filter((sample) -> sample.metric().equals(metric)).toList();
	}

	/** Returns the labels that the application gives a metric. */
	Set<String> labels(String metric) {
		return of(metric).stream()
			.map((sample) -> sample.labels().keySet())
			.flatMap(Collection::stream)
			.collect(Collectors.toSet());
	}

	double value(String metric, String reflector) {
		return of(metric).stream()
			.filter((sample) -> reflector.equals(sample.labels().get("reflector")))
			.findFirst()
			.orElseThrow()
			.value();
	}

	/**
	 * A sample.
	 *
	 * @param metric the name of the metric
	 * @param labels its labels
	 * @param value its value
	 */
	record Sample(String metric, Map<String, String> labels, double value) {

	}

}
