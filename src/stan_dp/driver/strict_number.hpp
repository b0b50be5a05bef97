#ifndef STAN_DP_DRIVER_STRICT_NUMBER_HPP
#define STAN_DP_DRIVER_STRICT_NUMBER_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace stan_dp {

namespace internal {

/** Number of decimal digits at the front of `text`. */
inline std::size_t leading_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') {
    ++n;
  }
  return n;
}

/** Removes one sign from the front of `text`; true if it was a minus. */
inline bool take_sign(std::string_view& text) {
  bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) {
    text.remove_prefix(1);
  }
  return negative;
}

/** Whether `text` is `[sign] digits [. digits] [e [sign] digits]`. */
inline bool is_decimal(std::string_view text) {
  take_sign(text);
  std::size_t digits = leading_digits(text);
  text.remove_prefix(digits);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    std::size_t fraction = leading_digits(text);
    text.remove_prefix(fraction);
    digits += fraction;
  }
  if (digits == 0) {
    return false;
  }
  if (text.empty()) {
    return true;
  }
  if (text.front() != 'e' && text.front() != 'E') {
    return false;
  }
  text.remove_prefix(1);
  take_sign(text);
  return !text.empty() && leading_digits(text) == text.size();
}

/** Whether a decimal number is not written as zero. */
inline bool has_nonzero_mantissa(std::string_view text) {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789")
         != std::string_view::npos;
}

}  // namespace internal

/**
 * Reads a finite decimal number, and only that: `0.5`, `-2`, `1e-6`.
 *
 * A number that somebody meant otherwise must not become a privacy budget, so
 * there is nothing for `1,5`, `1e-6junk`, `0x10`, `inf`, `nan`, blanks, or a
 * number too large or too small for a double. The locale plays no part.
 *
 * @param text the whole text of the number
 * @return the number, or nothing
 */
inline std::optional<double> parse_real(std::string_view text) {
  if (!internal::is_decimal(text)) {
    return std::nullopt;
  }
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  double value = 0;
  in >> value;
  bool vanished = value == 0 && internal::has_nonzero_mantissa(text);
  if (in.fail() || !std::isfinite(value) || vanished) {
    return std::nullopt;
  }
  return value;
}

/**
 * Reads a decimal integer, and only that: `12`, `-3`; nothing for `1e3`,
 * `1.0`, `0x10`, blanks, or what does not fit into 64 bits.
 *
 * @param text the whole text of the number
 * @return the integer, or nothing
 */
inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  bool negative = internal::take_sign(text);
  if (text.empty() || internal::leading_digits(text) != text.size()) {
    return std::nullopt;
  }
  // Counted downwards: the smallest integer has no positive counterpart.
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  std::int64_t value = 0;
  for (char c : text) {
    std::int64_t digit = c - '0';
    if (value < (lowest + digit) / 10) {
      return std::nullopt;
    }
    value = value * 10 - digit;
  }
  if (!negative && value == lowest) {
    return std::nullopt;
  }
  return negative ? value : -value;
}

}  // namespace stan_dp
#endif
