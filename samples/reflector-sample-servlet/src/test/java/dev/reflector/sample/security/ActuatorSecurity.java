package dev.reflector.sample.security;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
class ActuatorSecurity {

	@Bean
	@Order(0)
	SecurityFilterChain actuator(HttpSecurity http) throws Exception {
		return http.securityMatcher("/actuator/**")
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/health/**")
				.permitAll()
				.requestMatchers(HttpMethod.GET)
				.hasAnyRole("VIEWER", "OPERATOR")
				.anyRequest()
				.hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf(AbstractHttpConfigurer::disable)
			.build();
	}

}
