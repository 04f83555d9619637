package dev.reflector;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.reflector.fixture.PackagePicture;
import dev.reflector.fixture.SourceTree;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the rules for the whole code. The test kit has rules of its own, and so has
 * the console.
 */
class ArchitectureTests {

	private static final String IMPORTS = "META-INF/spring/" + AutoConfiguration.class.getName() + ".imports";

	private static final Pattern MODULE = Pattern.compile("/(reflector-[a-z-]+)(?:/target/classes/|-\\d[^/]*\\.jar!)");

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("/dev/reflector/test/"))
		.withImportOption((location) -> !location.contains("/dev/reflector/console/"))
		.importPackages("dev.reflector");

	@Test
	void packagesKnowOnlyThoseBelowThem() {
		check(layeredArchitecture().consideringOnlyDependenciesInLayers()
			.layer("vocabulary")
			.definedBy("dev.reflector")
			.layer("cache")
			.definedBy("dev.reflector.cache..")
			.layer("client")
			.definedBy("dev.reflector.client..")
			.layer("event")
			.definedBy("dev.reflector.event..")
			.layer("actuate")
			.definedBy("dev.reflector.actuate..")
			.layer("autoconfigure")
			.definedBy("dev.reflector.autoconfigure..")
			.whereLayer("autoconfigure")
			.mayNotBeAccessedByAnyLayer()
			.whereLayer("actuate")
			.mayOnlyBeAccessedByLayers("autoconfigure")
			.whereLayer("event")
			.mayOnlyBeAccessedByLayers("autoconfigure")
			.whereLayer("client")
			.mayOnlyBeAccessedByLayers("autoconfigure")
			.whereLayer("cache")
			.mayOnlyBeAccessedByLayers("client", "event", "actuate", "autoconfigure"));
	}

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching("dev.reflector.(**)").should().beFreeOfCycles());
	}

	/**
	 * A package may use what its arrows point at, and what is reachable from there.
	 */
	@Test
	void packagesUseEachOtherAsThePictureShows() throws IOException {
		PackagePicture picture = PackagePicture.of(Files.readString(SourceTree.ROOT.resolve("docs/architecture.md")),
				"Packages");
		Map<String, Set<String>> uses = uses();
		assertThat(picture.packages()).as("packages of the picture").containsExactlyInAnyOrderElementsOf(packages());
		uses.forEach((from, used) -> assertThat(picture.reachable(from)).as("what %s may use", from).containsAll(used));
		picture.arrows()
			.forEach((from, to) -> assertThat(uses.getOrDefault(from, Set.of())).as("what %s uses", from)
				.containsAll(to));
	}

	private Set<String> packages() {
		Set<String> packages = new TreeSet<>();
		CODE.forEach((type) -> packages.add(type.getPackageName()));
		return packages;
	}

	private Map<String, Set<String>> uses() {
		Map<String, Set<String>> uses = new TreeMap<>();
		CODE.forEach((type) -> type.getDirectDependenciesFromSelf()
			.stream()
			.map((dependency) -> dependency.getTargetClass().getBaseComponentType().getPackageName())
			.filter((used) -> used.startsWith("dev.reflector") && !used.equals(type.getPackageName()))
			.forEach((used) -> uses.computeIfAbsent(type.getPackageName(), (from) -> new TreeSet<>()).add(used)));
		return uses;
	}

	/**
	 * Members that users may call or override, and what the types extend and implement.
	 */
	@Test
	void internalTypesAreInNoSignatureOfTheApi() {
		Map<String, Set<String>> found = new TreeMap<>();
		CODE.stream().filter(areApi()).forEach((api) -> signatures(api).forEach((signature) -> {
			for (JavaClass named : signature.getAllInvolvedRawTypes()) {
				if (named.getPackageName().contains(".internal") && named.getName().startsWith("dev.reflector")) {
					found.computeIfAbsent(api.getName(), (name) -> new TreeSet<>()).add(named.getName());
				}
			}
		}));
		assertThat(found).isEmpty();
	}

	private static Stream<JavaType> signatures(JavaClass type) {
		return Stream
			.of(type.getSuperclass().stream(), type.getInterfaces().stream(),
					type.getFields().stream().filter(ArchitectureTests::isSeen).map(JavaField::getType),
					type.getCodeUnits()
						.stream()
						.filter(ArchitectureTests::isSeen)
						.flatMap((member) -> Stream.concat(Stream.of(member.getReturnType()),
								member.getParameterTypes().stream())))
			.flatMap((types) -> types);
	}

	private static boolean isSeen(JavaMember member) {
		Set<JavaModifier> modifiers = member.getModifiers();
		return !modifiers.contains(JavaModifier.SYNTHETIC)
				&& (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
	}

	/** Internal classes are for their module, but for those that are named here. */
	@Test
	void modulesUseFewInternalClassesOfOthers() {
		Map<String, Set<String>> found = new TreeMap<>();
		CODE.forEach((type) -> type.getDirectDependenciesFromSelf()
			.stream()
			.map((dependency) -> dependency.getTargetClass().getBaseComponentType())
			.filter((used) -> used.getName().startsWith("dev.reflector") && used.getPackageName().contains(".internal"))
			.filter((used) -> !module(used).equals(module(type)))
			.forEach((used) -> found.computeIfAbsent(module(type), (module) -> new TreeSet<>())
				.add(used.getSimpleName())));
		assertThat(found).containsOnly(Map.entry("reflector-client", Set.of("ResourceVersions")),
				Map.entry("reflector-kafka", Set.of("JsonSnapshotCodec", "ResourceVersions")),
				Map.entry("reflector-spring-boot-autoconfigure",
						Set.of("AppliedDeclaration", "BusyCalls", "Call", "DeliveryAbandonedException",
								"JsonSnapshotCodec", "KeyPairs", "ListenerCall", "MetadataOnly", "NearestName",
								"RateLimitedStackTraces")));
	}

	/** From the path of its classes, or of its jar. */
	private static String module(JavaClass type) {
		Matcher module = MODULE.matcher(type.getSource().orElseThrow().getUri().toString());
		assertThat(module.find()).as(type.getName()).isTrue();
		return module.group(1);
	}

	private static DescribedPredicate<JavaClass> areApi() {
		return DescribedPredicate.describe("are API",
				(type) -> type.getModifiers().contains(JavaModifier.PUBLIC)
						&& !type.getPackageName().contains(".internal")
						&& type.getEnclosingClass()
							.map((outer) -> outer.getModifiers().contains(JavaModifier.PUBLIC))
							.orElse(true));
	}

	@Test
	void engineKnowsNeitherSpringNorHttp() {
		check(noClasses().that()
			.resideInAnyPackage("dev.reflector", "dev.reflector.cache..", "dev.reflector.leaderelection",
					"dev.reflector.sharding..")
			.and()
			// its content is a tree of JSON
			.doNotHaveFullyQualifiedName(GenericResource.class.getName())
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "java.net.http..", "io.netty..", "reactor.netty..",
					"tools.jackson..", "com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind..",
					"io.micrometer.."));
	}

	@Test
	void autoConfigurationsArePublicAndFinal() {
		check(classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL));
	}

	@Test
	void autoConfigurationsHaveNoPublicMembers() {
		check(methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.notBePublic());
	}

	@Test
	void beanMethodsArePackagePrivate() {
		check(methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate());
	}

	@Test
	void conditionsAreNotPublic() {
		check(classes().that().areAssignableTo(Condition.class).should().notBePublic());
	}

	@Test
	void textIsNotChangedByTheDefaultLocale() {
		check(noClasses().should()
			.callMethod(String.class, "toLowerCase")
			.orShould()
			.callMethod(String.class, "toUpperCase"));
	}

	@Test
	void listsAreNotCollectedByCollectors() {
		check(noClasses().should().callMethod(Collectors.class, "toList"));
	}

	/**
	 * Reactor's operators of these names may pass a failure on before the subscription,
	 * and who resumes after the failure then waits forever.
	 */
	@Test
	void failuresAreNotSharedByOperatorsThatMayOvertakeTheSubscription() {
		check(noClasses().should()
			.callMethod(Mono.class, "cacheInvalidateIf", Predicate.class)
			.orShould()
			.callMethod(Mono.class, "cacheInvalidateWhen", Function.class)
			.orShould()
			.callMethod(Mono.class, "cacheInvalidateWhen", Function.class, Consumer.class));
	}

	/** A wrapper that does not pass a default method on hides it. */
	@Test
	void whatStandsInFrontOfAnotherPassesEverythingOn() {
		List<String> missing = CODE.stream()
			.flatMap((type) -> type.getRawInterfaces()
				.stream()
				.filter((port) -> port.getPackageName().startsWith("dev.reflector")
						&& port.getModifiers().contains(JavaModifier.PUBLIC))
				.filter((port) -> type.getFields().stream().anyMatch((field) -> field.getRawType().equals(port)))
				.flatMap((port) -> port.getMethods()
					.stream()
					.filter((method) -> !method.getModifiers().contains(JavaModifier.STATIC))
					.filter((method) -> type.getMethods()
						.stream()
						.noneMatch((own) -> own.getName().equals(method.getName())))
					.map((method) -> type.getName() + " without " + method.getName())))
			.toList();
		assertThat(missing).isEmpty();
	}

	@Test
	void importsFileNamesAllAutoConfigurations() throws IOException {
		List<String> annotated = CODE.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.map(JavaClass::getName)
			.sorted()
			.toList();
		List<String> named = new ArrayList<>();
		for (URL imports : Collections.list(ArchitectureTests.class.getClassLoader().getResources(IMPORTS))) {
			try (InputStream content = imports.openStream()) {
				new String(content.readAllBytes(), StandardCharsets.UTF_8).lines()
					.filter((name) -> name.startsWith("dev.reflector.") && !name.startsWith("dev.reflector.console."))
					.forEach(named::add);
			}
		}
		assertThat(named).containsExactlyInAnyOrderElementsOf(annotated);
	}

	private void check(ArchRule rule) {
		rule.check(CODE);
	}

}
