package com.example;

import dev.reflector.test.EmbeddedApiServer;

import org.springframework.boot.SpringApplication;

public class TestDemoApplication {

	public static void main(String[] args) {
		EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.port(8001)
			.start();
		SpringApplication.from(DemoApplication::main).run("--reflector.api-server.url=" + server.url());
	}

}
