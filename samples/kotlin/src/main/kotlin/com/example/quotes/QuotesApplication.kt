package com.example.quotes

import dev.ratelimit.RateLimited
import dev.ratelimit.web.key.KeyResolver
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

@SpringBootApplication
@RestController
class QuotesApplication {

    @Bean
    fun customer() = KeyResolver { it.header("X-Customer") }

    @GetMapping("/quotes")
    @RateLimited(thresholds = ["3/1m"], key = ["bean:customer"])
    fun quote() = "Less is better."

}

fun main(args: Array<String>) {
    runApplication<QuotesApplication>(*args)
}
