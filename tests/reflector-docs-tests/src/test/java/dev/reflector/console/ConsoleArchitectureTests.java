package dev.reflector.console;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameStartingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Rules for the code of the console.
 */
class ConsoleArchitectureTests {

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.reflector.console");

	@Test
	void usesTheApiAlone() {
		check(noClasses().should().dependOnClassesThat().resideInAPackage("dev.reflector..internal.."));
	}

	@Test
	void needsNeitherMetersNorTheAutoConfigurationOfTheActuator() {
		check(noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.micrometer..", "org.springframework.boot.actuate.autoconfigure.."));
	}

	@Test
	void onlyWhatIsForOneOfThemKnowsServletsOrExchanges() {
		check(noClasses()
			.that(not(JavaClass.Predicates
				.belongTo(simpleNameStartingWith("Servlet").or(simpleNameStartingWith("Reactive")))))
			.and()
			.areNotAssignableTo(ReflectorConsoleAutoConfiguration.class)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("jakarta.servlet..", "org.springframework.web.servlet..",
					"org.springframework.web.reactive..", "org.springframework.web.server.."));
	}

	@Test
	void onlyTheAutoConfigurationIsPublic() {
		check(classes().that()
			.arePublic()
			.and()
			.areTopLevelClasses()
			.should()
			.beAnnotatedWith(AutoConfiguration.class)
			.andShould()
			.haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL));
		check(methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate());
	}

	@Test
	void textIsNotChangedByTheDefaultLocale() {
		check(noClasses().should()
			.callMethod(String.class, "toLowerCase")
			.orShould()
			.callMethod(String.class, "toUpperCase"));
	}

	private static void check(ArchRule rule) {
		rule.check(CODE);
	}

}
