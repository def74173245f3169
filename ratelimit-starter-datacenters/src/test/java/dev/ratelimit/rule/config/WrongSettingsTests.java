package dev.ratelimit.rule.config;

class WrongSettingsTests extends WrongSettingsContract {

}
