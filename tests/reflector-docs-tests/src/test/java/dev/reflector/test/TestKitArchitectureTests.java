package dev.reflector.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.fixture.PackagePicture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the rules for the packages of the test kit.
 */
class TestKitArchitectureTests {

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.reflector.test");

	@Test
	void theServerKnowsNothingOfContextsAndTestFrameworks() {
		noClasses().that()
			.resideInAnyPackage("dev.reflector.test", "dev.reflector.test.internal..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("dev.reflector.test.context", "dev.reflector.test.testcontainers", "org.junit..",
					"org.springframework.boot..", "org.springframework.test..", "org.testcontainers..")
			.check(CODE);
	}

	@Test
	void contextsWorkWithoutContainersAndOtherTestLibraries() {
		noClasses().that()
			.resideInAPackage("dev.reflector.test.context")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("dev.reflector.test.testcontainers", "org.testcontainers..", "org.assertj..",
					"org.awaitility..", "org.mockito..")
			.check(CODE);
	}

	@Test
	void theServerSharesNoCodeWithTheClientButTheExceptionForRefusals() {
		noClasses().that()
			.resideInAnyPackage("dev.reflector.test", "dev.reflector.test.internal..")
			.should()
			.dependOnClassesThat(resideInAPackage("dev.reflector..").and(not(resideInAPackage("dev.reflector.test..")))
				.and(not(belongToAnyOf(ResourceType.class, ApiException.class, Status.class))))
			.check(CODE);
	}

	@Test
	void packagesHaveNoCycles() {
		slices().matching("dev.reflector.(**)").should().beFreeOfCycles().check(CODE);
	}

	/**
	 * A package may use what its arrows point at, and what is reachable from there.
	 */
	@Test
	void packagesUseEachOtherAsThePictureShows() throws IOException {
		PackagePicture picture = PackagePicture.of(Files.readString(Path.of("../../docs/architecture.md")),
				"Packages of the test kit");
		Map<String, Set<String>> uses = uses();
		assertThat(picture.packages()).as("packages of the picture").isEqualTo(uses.keySet());
		uses.forEach((from, used) -> assertThat(picture.reachable(from)).as("what %s may use", from).containsAll(used));
		picture.arrows().forEach((from, to) -> assertThat(uses.get(from)).as("what %s uses", from).containsAll(to));
	}

	/** Returns, for each package, the other packages of the test kit that it uses. */
	private static Map<String, Set<String>> uses() {
		Map<String, Set<String>> uses = new TreeMap<>();
		CODE.forEach((type) -> {
			Set<String> used = uses.computeIfAbsent(type.getPackageName(), (from) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getBaseComponentType().getPackageName())
				.filter((name) -> name.startsWith("dev.reflector.test") && !name.equals(type.getPackageName()))
				.forEach(used::add);
		});
		return uses;
	}

	/** Includes hidden types: public types inherit their public members. */
	@Test
	void internalTypesAreInNoSignatureOfTheApi() {
		noCodeUnits().that()
			.arePublic()
			.and()
			.areDeclaredInClassesThat()
			.resideOutsideOfPackage("..internal..")
			.should()
			.haveRawReturnType(resideInAPackage("..internal.."))
			.orShould()
			.haveRawParameterTypes(anyElementThat(resideInAPackage("..internal..")))
			.check(CODE);
	}

}
