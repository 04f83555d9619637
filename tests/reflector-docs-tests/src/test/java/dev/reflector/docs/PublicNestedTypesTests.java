package dev.reflector.docs;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests nested types like {@link PublicTypesTests} test top-level types: each is named in
 * a page for users or in a sample, or is in the signature of a public element, and its
 * Javadoc begins with a sentence about the type.
 */
class PublicNestedTypesTests {

	private static final String LIBRARY = "dev.reflector.";

	@Test
	void eachIsUsedInTheGuideOrASample() {
		Predicate<String> named = PublicTypesTests.namedForUsers();
		Set<Class<?>> reachable = reachable(publicTypes().filter((type) -> !type.isMemberClass()).toList());
		assertThat(nestedTypes()).hasSizeGreaterThan(20)
			.allSatisfy((type) -> assertThat(reachable.contains(type) || named.test(type.getSimpleName()))
				.as("%s is named in the guide or a sample, or needed for something that is public", type.getName())
				.isTrue());
	}

	@Test
	void eachBeginsWithASentenceAboutItself() {
		assertThat(nestedTypes())
			.allSatisfy((type) -> assertThat(firstParagraph(source(type), type.getSimpleName())).as(type.getName())
				.endsWith("."));
	}

	@Test
	void followsSignaturesAndFindsJavadoc() {
		assertThat(reachable(List.of(Reaching.class)))
			.contains(Reaching.Returned.class, Reaching.Argument.class, Reaching.Element.class,
					Reaching.Inherited.class)
			.doesNotContain(Reaching.Hidden.class, Reaching.Unused.class);
		String source = "\t/**\n\t * A line\n\t * of text.\n\t * @param x\n\t */\n\t@Deprecated\n\tpublic record Line(int x) {";
		assertThat(firstParagraph(source, "Line")).isEqualTo("A line of text.");
		assertThat(firstParagraph("\t/** One. */\n\tint one;\n\n\tpublic record Line(int x) {", "Line")).isEmpty();
		assertThat(firstParagraph("\t/** A line. */\n\tfinal class Line {", "Line")).isEqualTo("A line.");
	}

	private static List<Class<?>> nestedTypes() {
		return publicTypes().filter(Class::isMemberClass).toList();
	}

	private static Stream<Class<?>> publicTypes() {
		return PublicTypesTests.librarySources()
			.filter((file) -> PublicTypesTests.isPublic(PublicTypesTests.read(file)))
			.map((file) -> file.toString().replaceAll(".*/src/main/java/", "").replaceAll("\\.java$", ""))
			.flatMap((name) -> withPublicMembers(ClassUtils.resolveClassName(name.replace('/', '.'), null)));
	}

	/** Returns a type and its nested types, if users can name them. */
	private static Stream<Class<?>> withPublicMembers(Class<?> type) {
		return Modifier.isPublic(type.getModifiers())
				? Stream.concat(Stream.of(type),
						Stream.of(type.getDeclaredClasses()).flatMap(PublicNestedTypesTests::withPublicMembers))
				: Stream.empty();
	}

	/** The types that signatures lead to, from some types on. */
	private static Set<Class<?>> reachable(List<Class<?>> roots) {
		Set<Class<?>> reached = new LinkedHashSet<>();
		Deque<Class<?>> open = new ArrayDeque<>(roots);
		while (!open.isEmpty()) {
			Class<?> type = open.pop();
			if (type.getName().startsWith(LIBRARY) && reached.add(type)) {
				signatures(type).flatMap(PublicNestedTypesTests::classes).forEach(open::push);
			}
		}
		return reached;
	}

	private static Stream<Type> signatures(Class<?> type) {
		Stream<Type> ancestors = Stream.concat(Stream.of(type.getGenericInterfaces()),
				Stream.ofNullable(type.getGenericSuperclass()));
		Stream<Type> permitted = type.isSealed() ? Stream.of(type.getPermittedSubclasses()) : Stream.empty();
		Stream<Type> fields = Stream.of(type.getDeclaredFields())
			.filter((field) -> isOpen(field.getModifiers()))
			.map(Field::getGenericType);
		Stream<Type> executables = Stream
			.<Executable>concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
			.filter((executable) -> isOpen(executable.getModifiers()))
			.flatMap(PublicNestedTypesTests::signature);
		return Stream.of(ancestors, permitted, fields, executables).flatMap((types) -> types);
	}

	private static Stream<Type> signature(Executable executable) {
		return Stream.concat(Stream.of(executable.getGenericParameterTypes()),
				(executable instanceof Method method) ? Stream.of(method.getGenericReturnType()) : Stream.empty());
	}

	private static boolean isOpen(int modifiers) {
		return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
	}

	private static Stream<Class<?>> classes(Type type) {
		if (type instanceof Class<?> simple) {
			return Stream.of(simple.isArray() ? simple.getComponentType() : simple);
		}
		if (type instanceof ParameterizedType generic) {
			return Stream.concat(classes(generic.getRawType()),
					Stream.of(generic.getActualTypeArguments()).flatMap(PublicNestedTypesTests::classes));
		}
		if (type instanceof WildcardType wildcard) {
			return Stream.concat(Stream.of(wildcard.getUpperBounds()), Stream.of(wildcard.getLowerBounds()))
				.flatMap(PublicNestedTypesTests::classes);
		}
		return (type instanceof GenericArrayType array) ? classes(array.getGenericComponentType()) : Stream.empty();
	}

	private static String source(Class<?> type) {
		Class<?> outermost = type;
		while (outermost.getEnclosingClass() != null) {
			outermost = outermost.getEnclosingClass();
		}
		String file = outermost.getName().replace('.', '/') + ".java";
		return PublicTypesTests.librarySources()
			.filter((candidate) -> candidate.endsWith(file))
			.map(PublicTypesTests::read)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Returns the first paragraph of the Javadoc right before the declaration, ignoring
	 * annotations.
	 */
	private static String firstParagraph(String source, String name) {
		Matcher declaration = Pattern
			.compile("(?m)/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*(?:@\\w[^\\n]*\\s+)*"
					+ "(?:[a-z-]+ )*(?:class|interface|record|enum|@interface) " + name + "\\b")
			.matcher(source);
		return declaration.find()
				? declaration.group(1).replaceAll("\\n\\s*\\* ?", "\n").split("\\n(?:<p>|@|\\n)")[0].strip()
					.replace("\n", " ")
				: "";
	}

	/** Leads to some of its members. */
	private abstract static class Reaching extends Generic<Reaching.Inherited> {

		public abstract List<? extends Element[]> elements();

		public abstract Returned returned(Argument argument);

		abstract Hidden hidden();

		public record Returned() {

		}

		public record Argument() {

		}

		public record Element() {

		}

		public record Inherited() {

		}

		public record Hidden() {

		}

		public record Unused() {

		}

	}

	private abstract static class Generic<T> {

	}

}
