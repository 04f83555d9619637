package dev.reflector.sample.console;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;

/**
 * Mirrors widgets and deployments and shows them on one page.
 */
@SpringBootApplication
public class ConsoleApplication {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleApplication.class);

	public static void main(String[] args) {
		if (List.of(args).contains("--print-rbac")) {
			PermissionsPrinter.print(System.out, args);
			return;
		}
		SpringApplication.run(ConsoleApplication.class, args);
	}

	@EventListener
	void ready(ApplicationReadyEvent event) {
		if (event.getApplicationContext() instanceof WebServerApplicationContext context
				&& context.getWebServer() != null) {
			logger.info("Open http://localhost:{}/ to watch the mirror", context.getWebServer().getPort());
		}
	}

}
