package com.example;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;
import dev.reflector.event.ResourceEvent;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;

@SpringBootApplication
public class DemoApplication {

	public static void main(String[] args) {
		SpringApplication.run(DemoApplication.class, args);
	}

	@EventListener
	void on(ResourceEvent<Widget> event) {
		System.out.println(event + " has size " + event.resource().spec().size());
	}

}

@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, Spec spec) {

	record Spec(int size) {

	}

}
