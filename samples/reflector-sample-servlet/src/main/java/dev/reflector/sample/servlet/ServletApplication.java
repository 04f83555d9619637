package dev.reflector.sample.servlet;

import java.util.List;

import dev.reflector.Lister;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers requests from the mirror.
 */
@SpringBootApplication
@RestController
public class ServletApplication {

	private final Lister<Widget> widgets;

	ServletApplication(Lister<Widget> widgets) {
		this.widgets = widgets;
	}

	/**
	 * Starts the application.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		SpringApplication.run(ServletApplication.class, args);
	}

	@GetMapping("/widgets")
	List<String> names() {
		return this.widgets.list().stream().map((widget) -> String.valueOf(widget.metadata().name())).sorted().toList();
	}

}
