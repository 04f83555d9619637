/**
 * What the guide shows of Spring Security in front of the console. The package is not one
 * of the application with the console, which would find the configuration in each test.
 */
package com.example.security;
