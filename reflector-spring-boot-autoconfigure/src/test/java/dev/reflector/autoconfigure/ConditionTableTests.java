package dev.reflector.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.fixture.GeneratedTable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each condition of each auto-configuration has a test in which it matches and one in
 * which it does not, among the tests that are named after the auto-configuration. The
 * guide has a table of them.
 */
class ConditionTableTests {

	@Test
	void everyConditionAndItsOppositeHaveATest() throws IOException {
		List<String> conditions = conditions();
		Map<String, List<String>> holds = tests(true, conditions);
		Map<String, List<String>> fails = tests(false, conditions);
		List<String> lines = new ArrayList<>();
		lines.add("| auto-configuration | condition | holds in | does not hold in |");
		lines.add("| --- | --- | --- | --- |");
		assertThat(holds.keySet()).as("tests in which a condition holds")
			.containsExactlyInAnyOrderElementsOf(conditions);
		assertThat(fails.keySet()).as("tests in which a condition does not hold")
			.containsExactlyInAnyOrderElementsOf(conditions);
		for (String condition : conditions) {
			lines.add("| " + condition + " | " + String.join(", ", holds.get(condition)) + " | "
					+ String.join(", ", fails.get(condition)) + " |");
		}
		GeneratedTable.check("conditions.md", "conditions", lines);
	}

	private static Map<String, List<String>> tests(boolean holds, List<String> conditions) throws IOException {
		Map<String, List<String>> tests = new TreeMap<>();
		for (Method method : testMethods()) {
			for (Covers covers : method.getAnnotationsByType(Covers.class)) {
				if (covers.holds() == holds) {
					covered(covers, conditions)
						.forEach((condition) -> tests.computeIfAbsent(condition, (row) -> new ArrayList<>())
							.add("`" + method.getName() + "`"));
				}
			}
		}
		tests.values().forEach((names) -> names.sort(Comparator.naturalOrder()));
		return tests;
	}

	/** Returns the methods of the test classes, one class for each auto-configuration. */
	private static List<Method> testMethods() throws IOException {
		return autoConfigurations().stream()
			.filter((name) -> name.endsWith("AutoConfiguration"))
			.flatMap((name) -> Stream.of(ClassUtils.resolveClassName(name + "Tests", null).getDeclaredMethods()))
			.toList();
	}

	private static List<String> covered(Covers covers, List<String> conditions) {
		return covers.condition().isEmpty() ? conditions.stream()
			.filter((condition) -> condition.startsWith(row(covers.in(), "").replace("``", "")))
			.toList() : List.of(row(covers.in(), covers.condition()));
	}

	private static List<String> conditions() throws IOException {
		List<String> conditions = new ArrayList<>();
		for (String name : autoConfigurations()) {
			Class<?> type = ClassUtils.resolveClassName(name, null);
			conditions(type).forEach((condition) -> conditions.add(row(type, condition)));
			Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> method.isAnnotationPresent(Bean.class))
				.sorted(Comparator.comparing(Method::getName))
				.flatMap((method) -> conditions(method).map((condition) -> row(type, method, condition)))
				.forEach(conditions::add);
		}
		// a class may have the same condition as its method
		return conditions.stream().distinct().toList();
	}

	private static String row(Class<?> type, Method method, String condition) {
		boolean own = condition.equals(ConditionalOnMissingBean.class.getSimpleName());
		return row(type, own ? condition + " " + method.getReturnType().getSimpleName() : condition);
	}

	private static String row(Class<?> type, String condition) {
		return "`" + ClassUtils.getShortName(type) + "` | `" + condition + "`";
	}

	private static Stream<String> conditions(AnnotatedElement element) {
		return Arrays.stream(element.getAnnotations())
			.flatMap(ConditionTableTests::each)
			.filter((annotation) -> AnnotatedElementUtils.isAnnotated(annotation.annotationType(), Conditional.class))
			.flatMap(ConditionTableTests::spell);
	}

	/** An annotation that is repeated stands in another one. */
	private static Stream<Annotation> each(Annotation annotation) {
		return (AnnotationUtils.getValue(annotation) instanceof Annotation[] repeated) ? Arrays.stream(repeated)
				: Stream.of(annotation);
	}

	private static Stream<String> spell(Annotation annotation) {
		Map<String, Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation, true, false);
		List<String> subjects = Stream.of("value", "name", "prefix")
			.map(attributes::get)
			.flatMap((value) -> (value instanceof Object[] several) ? Arrays.stream(several) : Stream.ofNullable(value))
			.map(String::valueOf)
			.map((subject) -> subject.startsWith("dev.") || subject.startsWith("org.") || subject.startsWith("io.")
					|| subject.startsWith("tools.") ? ClassUtils.getShortName(subject) : subject)
			.filter((subject) -> !subject.isEmpty())
			.toList();
		String name = annotation.annotationType().getSimpleName();
		if (annotation.annotationType().getPackage() == ConditionTableTests.class.getPackage()) {
			// composed of several conditions
			return Stream.of(annotation.annotationType().getAnnotation(Conditional.class).value())
				.map((condition) -> name + " " + condition.getSimpleName());
		}
		// all are required, so each is a condition
		boolean each = name.equals("ConditionalOnClass") || name.equals("ConditionalOnBean");
		return (each || subjects.isEmpty())
				? each ? subjects.stream().map((subject) -> name + " " + subject) : Stream.of(name)
				: Stream.of(name + " " + subjects.stream().collect(Collectors.joining(", ")));
	}

	private static List<String> autoConfigurations() throws IOException {
		try (InputStream imports = ConditionTableTests.class
			.getResourceAsStream("/META-INF/spring/" + AutoConfiguration.class.getName() + ".imports")) {
			assertThat(imports).isNotNull();
			return Stream.concat(new String(imports.readAllBytes(), StandardCharsets.UTF_8).lines(),
					Stream
						.of(ReflectorFactoryConfiguration.class, ReflectorFactoryConfiguration.ConnectionDetails.class)
						.map(Class::getName))
				.sorted()
				.toList();
		}
	}

}
