package dev.reflector.integration;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorLeaderElectionAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorShardingAutoConfiguration;
import dev.reflector.snapshot.jdbc.JdbcSnapshotAutoConfiguration;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;

/**
 * The auto-configuration that a mirror needs, and nothing else of the class path of the
 * tests: for applications in separate JVMs, which are started often.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration({ JacksonAutoConfiguration.class, JdbcSnapshotAutoConfiguration.class,
		LifecycleAutoConfiguration.class, ReactiveHttpClientAutoConfiguration.class, ReflectorAutoConfiguration.class,
		ReflectorLeaderElectionAutoConfiguration.class, ReflectorShardingAutoConfiguration.class })
@interface MirrorAutoConfiguration {

}
