// Checks calls that must throw weft::Error, and the words in their messages.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <weft/error.hpp>

namespace weft::test {

/// Nothing if no weft::Error was thrown.
template <class Call>
std::optional<std::string> message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "an exception of another type: " << error.what();
  }
  return std::nullopt;
}

/// The message of a call that must throw.
template <class Call>
std::string error_of(Call&& call) {
  const std::optional<std::string> message = message_of(call);
  EXPECT_TRUE(message) << "nothing was thrown";
  return message.value_or("");
}

inline void expect_words(const std::string& message, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << "\"" << word << "\" is not in: " << message;
}

/// The call must throw, with these words.
template <class Call>
void expect_error(Call&& call, std::initializer_list<std::string> words) {
  expect_words(error_of(call), words);
}

}  // namespace weft::test
