package dev.reflector;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

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
 * Tests of the rules that the code as a whole keeps.
 */
class ArchitectureTests {

	private static final String IMPORTS = "/META-INF/spring/" + AutoConfiguration.class.getName() + ".imports";

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
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
		check(slices().matching("dev.reflector.(*)..").should().beFreeOfCycles());
	}

	@Test
	void engineKnowsNeitherSpringNorHttp() {
		check(noClasses().that()
			.resideInAnyPackage("dev.reflector", "dev.reflector.cache..")
			.and()
			// a tree of JSON is what it is
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
		check(classes().that().areAssignableTo(Condition.class).should().notBePublic().allowEmptyShould(true));
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

	/** A default method that is not passed on cuts off what stands behind. */
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
		try (InputStream imports = ArchitectureTests.class.getResourceAsStream(IMPORTS)) {
			assertThat(imports).isNotNull();
			assertThat(new String(imports.readAllBytes(), StandardCharsets.UTF_8).lines())
				.containsExactlyElementsOf(annotated);
		}
	}

	private void check(ArchRule rule) {
		rule.check(CODE);
	}

}
