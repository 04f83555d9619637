package dev.reflector.console;

import org.springframework.boot.WebApplicationType;

/**
 * The console of an application with Spring MVC.
 */
class ServletConsoleTests extends ConsoleHttpTests {

	ServletConsoleTests() {
		super(WebApplicationType.SERVLET);
	}

}
