/**
 * The guide's code for Spring Security in front of the console. This package is not below
 * one of an application with the console, because its component scan would find the
 * configuration in each test.
 */
package com.example.security;
