/**
 * The guide's code for Spring Security in front of the console.
 */
package com.example.security;
