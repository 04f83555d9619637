package dev.reflector.sample.writer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class WriterApplication {

	public static void main(String[] args) {
		SpringApplication.run(WriterApplication.class, args);
	}

}
