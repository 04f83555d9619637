package dev.reflector.benchmark.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * The results: by scenario, figure and contender, one value per run.
 */
final class Figures {

	private final Map<String, Map<String, Map<String, List<Double>>>> values = new LinkedHashMap<>();

	private final List<String> incomplete = new ArrayList<>();

	void add(String scenario, String contender, Map<String, Double> run) {
		Map<String, Map<String, List<Double>>> figures = this.values.computeIfAbsent(scenario,
				(key) -> new LinkedHashMap<>());
		run.forEach((figure, value) -> figures.computeIfAbsent(figure, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(contender, (key) -> new ArrayList<>())
			.add(value));
	}

	/** A run that broke off, or took too long. */
	void incomplete(String scenario, String contender) {
		this.incomplete.add(scenario + ": " + contender);
	}

	List<String> incomplete() {
		return List.copyOf(this.incomplete);
	}

	List<String> scenarios() {
		return List.copyOf(this.values.keySet());
	}

	void forEach(String scenario, BiConsumer<String, Map<String, Summary>> action) {
		this.values.getOrDefault(scenario, Map.of()).forEach((figure, runs) -> {
			Map<String, Summary> summaries = new LinkedHashMap<>();
			runs.forEach((contender, values) -> summaries.put(contender, Summary.of(values)));
			action.accept(figure, summaries);
		});
	}

	@Nullable Double median(String scenario, String figure, String contender) {
		List<Double> runs = this.values.getOrDefault(scenario, Map.of()).getOrDefault(figure, Map.of()).get(contender);
		return (runs != null) ? Summary.of(runs).median() : null;
	}

	/**
	 * The runs of one contender in short.
	 *
	 * @param median the middle one
	 * @param least the least
	 * @param most the largest
	 * @param runs how many
	 */
	record Summary(double median, double least, double most, int runs) {

		static Summary of(List<Double> values) {
			List<Double> sorted = values.stream().sorted().toList();
			int middle = sorted.size() / 2;
			double median = (sorted.size() % 2 == 1) ? sorted.get(middle)
					: (sorted.get(middle - 1) + sorted.get(middle)) / 2;
			return new Summary(median, sorted.get(0), sorted.get(sorted.size() - 1), sorted.size());
		}

	}

}
