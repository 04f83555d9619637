package dev.reflector.sample.durable;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Keeps a table in step with a cluster, and shows it.
 */
@SpringBootApplication
@RestController
public class DurableApplication {

	private final WidgetTable table;

	DurableApplication(WidgetTable table) {
		this.table = table;
	}

	/**
	 * Starts the application.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		SpringApplication.run(DurableApplication.class, args);
	}

	@GetMapping("/widgets")
	List<Map<String, @Nullable Object>> widgets() {
		return this.table.rows();
	}

}
