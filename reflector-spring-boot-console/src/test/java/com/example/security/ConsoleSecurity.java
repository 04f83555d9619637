package com.example.security;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
public class ConsoleSecurity {

	@Bean
	@Order(0)
	SecurityFilterChain console(HttpSecurity http) throws Exception {
		return http.securityMatcher("/reflectors/**")
			.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.GET)
				.hasAnyRole("VIEWER", "OPERATOR")
				.anyRequest()
				.hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
