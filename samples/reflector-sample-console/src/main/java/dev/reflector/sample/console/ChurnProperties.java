package dev.reflector.sample.console;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the ongoing changes in the embedded server.
 *
 * @param interval time between two changes, zero for none
 * @param objects number of widgets at the start that never change
 */
@ConfigurationProperties("console.churn")
record ChurnProperties(@DefaultValue("700ms") Duration interval, @DefaultValue("0") int objects) {

}
