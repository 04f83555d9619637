package dev.reflector.test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Tests which packages of the test kit depend on which.
 */
class TestKitArchitectureTests {

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.reflector.test");

	@Test
	void theServerKnowsNothingOfContextsAndTestFrameworks() {
		noClasses().that()
			.resideInAPackage("dev.reflector.test")
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

}
