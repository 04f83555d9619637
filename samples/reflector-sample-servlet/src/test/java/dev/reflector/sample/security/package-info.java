/**
 * The application with Spring Security in front of it.
 */
package dev.reflector.sample.security;
