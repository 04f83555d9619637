package com.example.widgets;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class WidgetApplication {

}
