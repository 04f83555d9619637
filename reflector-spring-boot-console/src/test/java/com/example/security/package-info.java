/**
 * What the guide shows of Spring Security in front of the console.
 */
package com.example.security;
