package dev.reflector.console;

import org.springframework.boot.WebApplicationType;

/**
 * The console of an application with WebFlux.
 */
class ReactiveConsoleTests extends ConsoleHttpTests {

	ReactiveConsoleTests() {
		super(WebApplicationType.REACTIVE);
	}

}
