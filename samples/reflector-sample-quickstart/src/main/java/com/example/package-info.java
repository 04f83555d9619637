/**
 * The application of the quick start, exactly as the README shows it.
 */
package com.example;
