/**
 * An application that writes what it mirrors.
 */
package com.example.writes;
