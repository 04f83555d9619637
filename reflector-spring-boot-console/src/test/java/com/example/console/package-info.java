/**
 * An application that has a console.
 */
package com.example.console;
