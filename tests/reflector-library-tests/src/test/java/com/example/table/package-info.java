/**
 * An application that keeps a table in step with a mirror, with JPA.
 */
package com.example.table;
