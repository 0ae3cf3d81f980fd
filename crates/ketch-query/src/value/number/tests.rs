//! Examples, and random arithmetic against plain ratios of big integers.

use super::{Number, NumberError};
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// The limit that most tests use.
const LIMIT: u64 = 100_000;

/// The number of a text.
fn number(text: &str) -> Number {
    match text {
        "nan" => Number::nan(),
        "inf" => Number::infinite(false),
        "-inf" => Number::infinite(true),
        _ => Number::parse(text).unwrap_or_else(|| panic!("{text} is no number")),
    }
}

/// The text of `left operator right`, or of the error.
fn calculate(left: &str, operator: &str, right: &str) -> String {
    let result = operate(&number(left), operator, &number(right), LIMIT);
    result.map_or_else(|error| format!("{error:?}"), |value| value.to_string())
}

/// The result of an operator.
fn operate(
    left: &Number,
    operator: &str,
    right: &Number,
    limit: u64,
) -> Result<Number, NumberError> {
    match operator {
        "+" => left.add(right, limit),
        "-" => left.subtract(right, limit),
        "*" => left.multiply(right, limit),
        "/" => left.divide(right, limit),
        "%" => left.remainder(right, limit),
        _ => left.pow(right, limit),
    }
}

/// Checks lines of `left operator right = result`.
fn check(lines: &str) {
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [left, operator, right, "=", result] = parts[..] else { panic!("{line}") };
        assert_eq!(calculate(left, operator, right), result, "{line}");
    }
}

/// The hash of a number.
fn hash(value: &Number) -> u64 {
    let mut state = DefaultHasher::new();
    value.hash(&mut state);
    state.finish()
}

/// The text of a spelled number as JSON.
fn json(text: &str) -> String {
    let mut out = String::new();
    Number::spelled(text).unwrap().write_json(&mut out);
    out
}

#[test]
fn a_number_is_sixteen_bytes() {
    assert!(size_of::<Number>() <= 16);
    assert!(size_of::<Result<Number, NumberError>>() <= 16);
}

#[test]
fn sums_and_products_are_exact() {
    check(
        "0.1 + 0.2 = 0.3
        9007199254740993 * 3 = 27021597764222979
        2782105523.34 + 0.01 = 2782105523.35
        2782105523.34 - 2782105523.33 = 0.01
        9223372036854775807 + 1 = 9223372036854775808
        -9223372036854775808 - 1 = -9223372036854775809
        9223372036854775808 - 1 = 9223372036854775807
        9223372036854775807 * 9223372036854775807 = 85070591730234615847396907784232501249
        1e18 + 1e-18 = 1000000000000000000.000000000000000001
        1e30 + 1e-30 = 1000000000000000000000000000000.000000000000000000000000000001
        1.50 * 2.00 = 3
        0.5 + 0.5 = 1
        -0 + 0 = 0
        -1 * 0 = 0
        0e1000000000 + 1 = 1
        0e1000000000 * 1e1000000000 = 0
        1.23456789012345678901234567890 - 1.2345678901234567890123456789 = 0
        100000000000000000000 - 99999999999999999999.5 = 0.5",
    );
}

#[test]
fn quotients_are_decimals_where_they_can_be() {
    check(
        "10 / 4 = 2.5
        1 / 8 = 0.125
        1 / 1024 = 0.0009765625
        100 / 3 = 33.33333333333333333333333333333333
        2 / 3 = 0.6666666666666666666666666666666667
        -2 / 3 = -0.6666666666666666666666666666666667
        1e34 / 3 = 3333333333333333333333333333333333
        1e35 / 3 = 33333333333333333333333333333333330
        1e-35 / 3 = 0.000000000000000000000000000000000003333333333333333333333333333333333
        1e64 / 3 = 3333333333333333333333333333333333000000000000000000000000000000
        1e200 / 7 = 1.428571428571428571428571428571429e+199
        1e-200 / 7 = 1.428571428571428571428571428571429e-201
        7 / 0.7 = 10
        0.3 / 0.1 = 3
        1 / 0 = DivisionByZero
        nan / 0 = DivisionByZero
        0 / 7 = 0
        -9223372036854775808 / -1 = 9223372036854775808
        1e1000 / 1e1000 = 1
        12345678901234567890123 / 0.5 = 24691357802469135780246",
    );
}

#[test]
fn ratios_stay_exact() {
    let third = number("1").divide(&number("3"), LIMIT).unwrap();
    assert_eq!(third.multiply(&number("3"), LIMIT).unwrap(), number("1"));
    let sixth = number("1").divide(&number("6"), LIMIT).unwrap();
    assert_eq!(third.add(&sixth, LIMIT).unwrap().to_string(), "0.5");
    assert_eq!(third.subtract(&third, LIMIT).unwrap().to_string(), "0");
    assert_eq!(third, number("2").divide(&number("6"), LIMIT).unwrap());
    assert_eq!(hash(&third), hash(&number("2").divide(&number("6"), LIMIT).unwrap()));
    assert_eq!(third.to_f64(), 1.0 / 3.0);
    assert_eq!(third.negate().to_f64(), -1.0 / 3.0);
    assert_eq!(third.multiply(&number("300"), LIMIT).unwrap().to_i64(), Some(100));
    assert_eq!(number("1").divide(&third, LIMIT).unwrap().to_i64(), Some(3));
    assert_eq!(
        third.compare(&number("0.3333333333333333333333333333333333333")),
        Ordering::Greater
    );
    assert_eq!(third.compare(&number("1e-100000000")), Ordering::Greater);
    assert_eq!(third.compare(&number("1e100000000")), Ordering::Less);
    assert!(third != number("0.3333333333333333333333333333333333"));
}

#[test]
fn the_harmonic_sum_is_exact_before_its_text() {
    let sum = (1..30).fold(Number::from(0), |sum, i| {
        sum.add(&Number::from(1).divide(&i.into(), LIMIT).unwrap(), LIMIT).unwrap()
    });
    assert_eq!(sum.to_string(), "3.961653797587057737168440330791044");
}

#[test]
fn a_ratio_that_outgrows_128_bits_is_rounded() {
    let third = number("1").divide(&number("3"), LIMIT).unwrap();
    let three_times = |power: &str| {
        let small = third.multiply(&number(power), LIMIT).unwrap();
        small.multiply(&number("3"), LIMIT).unwrap()
    };
    assert_eq!(three_times("1e-38"), number("1e-38"));
    assert_eq!(three_times("1e-39"), number("9.999999999999999999999999999999999e-40"));
    assert_eq!(three_times("1e38"), number("1e38"));
    assert_eq!(three_times("1e39"), number("9.999999999999999999999999999999999e38"));
}

#[test]
fn powers() {
    check(
        "2 ^ 100 = 1267650600228229401496703205376
        2 ^ -3 = 0.125
        0.1 ^ 3 = 0.001
        10 ^ 64 = 10000000000000000000000000000000000000000000000000000000000000000
        10 ^ 65 = 1e+65
        10 ^ -64 = 0.0000000000000000000000000000000000000000000000000000000000000001
        10 ^ -65 = 1e-65
        3 ^ -1 = 0.3333333333333333333333333333333333
        -2 ^ 3 = -8
        -2 ^ 4 = 16
        0 ^ 0 = 1
        0 ^ 5 = 0
        0 ^ 1e100 = 0
        0 ^ -1 = DivisionByZero
        1 ^ 1e1000000000 = 1
        -1 ^ 1e1000000000 = 1
        -1 ^ 9223372036854775809 = -1
        -1 ^ -9223372036854775809 = -1
        2 ^ 1e30 = TooManyDigits
        2 ^ -1e30 = TooManyDigits
        2 ^ 1000000000 = TooManyDigits
        1.5 ^ 1000000000 = TooManyDigits
        10 ^ 1000000000 = TooManyDigits
        4 ^ 0.5 = 2
        2 ^ 0.5 = 1.4142135623730951
        -1 ^ 0.5 = null
        nan ^ 0 = 1
        2 ^ inf = 1.7976931348623157e+308
        2 ^ -inf = 0",
    );
    let two_thirds = number("2").divide(&number("3"), LIMIT).unwrap();
    assert_eq!(two_thirds.pow(&number("-2"), LIMIT).unwrap(), number("2.25"));
}

#[test]
fn remainders_are_those_of_integers() {
    check(
        "-5 % 3 = -2
        5 % -3 = 2
        5.9 % 3.9 = 2
        12345678901234567890123 % 10 = 3
        5 % 0 = DivisionByZero
        5 % 0.9 = DivisionByZero
        nan % 0 = null
        5 % nan = null
        5 % inf = 5
        5 % -inf = 5
        inf % 3 = 1
        -inf % 3 = -2
        inf % 0 = DivisionByZero
        -9223372036854775808 % -1 = 0
        5 % 1e1000000000 = 5
        1e1000000000 % 7 = TooManyDigits
        1e50 % 7 = 2",
    );
}

#[test]
fn what_is_not_finite_follows_binary64() {
    check(
        "inf + 1 = 1.7976931348623157e+308
        inf - inf = null
        -inf - 1e1000 = -1.7976931348623157e+308
        inf * 0 = null
        inf * -2 = -1.7976931348623157e+308
        1e1000 / inf = 0
        inf / -3 = -1.7976931348623157e+308
        inf / inf = null
        nan + 1 = null",
    );
}

#[test]
fn too_many_digits_fail_before_they_are_written_out() {
    let start = Instant::now();
    check(
        "1e1000000000 + 1 = TooManyDigits
        1 - 1e1000000000 = TooManyDigits
        1e-1000000000 + 1 = TooManyDigits
        1e9223372036854775807 * 1e9223372036854775807 = TooManyDigits
        1e1000000000 / 7 = TooManyDigits
        7 / 1e1000000000 = TooManyDigits
        1e-9223372036854775807 / 3e9223372036854775807 = TooManyDigits",
    );
    let thousand = calculate("1e1000", "+", "1");
    assert!(thousand.len() == 1001 && thousand.starts_with("10") && thousand.ends_with("01"));
    assert!(number("1.5").round_to(i64::MAX, LIMIT).is_err());
    assert!(number("1e1000000000").round_to(2, LIMIT).is_err());
    assert_eq!(number("1e1000000000").round_to(-3, u64::MAX).unwrap(), number("1e1000000000"));
    assert_eq!(number("1e1000000000").round_to(i64::MIN, LIMIT).unwrap(), number("0"));
    assert_eq!(number("-1e-1000000000").floor(), number("-1"));
    assert_eq!(number("1e1000000000").to_big(), None);
    assert_eq!(number("1e1000000000").truncated_i64(), i64::MAX);
    assert_eq!(number("-1e-1000000000").truncated_i64(), 0);
    assert_eq!(number("1e1000000000").to_f64(), f64::INFINITY);
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn the_limit_counts_written_digits() {
    let add = |left: &str, right: &str, limit| number(left).add(&number(right), limit).is_ok();
    assert!(add("99999", "0", 5) && add("99998", "1", 5) && !add("99999", "1", 5));
    assert!(add("0.00001", "0.00001", 5) && !add("0.000011", "0.00001", 5));
    assert!(add("0.000005", "0.000005", 5));
    assert!(add("1e30", "-999999999999999999999999999999", 5));
}

#[test]
fn rounding() {
    let product = number("2.675").multiply(&number("100"), LIMIT).unwrap();
    assert_eq!(product.round().to_string(), "268");
    for (text, floor, ceil, round, trunc, rint) in [
        ("2.5", "2", "3", "3", "2", "2"),
        ("-2.5", "-3", "-2", "-3", "-2", "-2"),
        ("3.5", "3", "4", "4", "3", "4"),
        ("2.4", "2", "3", "2", "2", "2"),
        ("-0.1", "-1", "0", "0", "0", "0"),
        ("0.5", "0", "1", "1", "0", "0"),
        ("0.50000000000000000000000000001", "0", "1", "1", "0", "1"),
        ("7.00", "7", "7", "7", "7", "7"),
        ("1e-100", "0", "1", "0", "0", "0"),
        (
            "12345678901234567890123.5",
            "12345678901234567890123",
            "12345678901234567890124",
            "12345678901234567890124",
            "12345678901234567890123",
            "12345678901234567890124",
        ),
    ] {
        let value = number(text);
        let all = [value.floor(), value.ceil(), value.round(), value.trunc(), value.rint()];
        assert_eq!(all.map(|value| value.to_string()), [floor, ceil, round, trunc, rint], "{text}");
    }
    assert!(Number::nan().floor().is_nan() && Number::infinite(true).round().is_infinite());
}

#[test]
fn rounded_places_are_shown_until_something_is_computed() {
    let round = |text: &str, places| number(text).round_to(places, LIMIT).unwrap();
    for (text, places, shown) in [
        ("2.345", 2, "2.35"),
        ("-2.345", 2, "-2.35"),
        ("237.2", 2, "237.20"),
        ("237", 2, "237.00"),
        ("0", 2, "0.00"),
        ("-0.001", 2, "0.00"),
        ("0.05", 3, "0.050"),
        ("1249", -2, "1200"),
        ("1250", -2, "1300"),
        ("49", -2, "0"),
        ("1e-80", 2, "0.00"),
        ("12345678901234567890123", 2, "12345678901234567890123.00"),
        ("1e70", 1, "10000000000000000000000000000000000000000000000000000000000000000000000.0"),
    ] {
        assert_eq!(round(text, places).to_string(), shown);
    }
    let shown = round("237.2", 2);
    assert_eq!(shown.add(&number("1"), LIMIT).unwrap().to_string(), "238.2");
    assert_eq!(shown.negate().to_string(), "-237.2");
    let long = round("12345678901234567890123", 2);
    assert_eq!(long.add(&number("1"), LIMIT).unwrap().to_string(), "12345678901234567890124");
    assert_eq!(long, number("12345678901234567890123"));
    assert_eq!(hash(&long), hash(&number("12345678901234567890123")));
    assert!(long.is_integer() && long.floor().to_string() == "12345678901234567890123");
    let third = number("1").divide(&number("3"), LIMIT).unwrap();
    assert_eq!(third.round_to(3, LIMIT).unwrap().to_string(), "0.333");
}

#[test]
fn texts_of_computed_numbers() {
    for (text, written) in [
        ("1.10", "1.1"),
        ("0.000", "0"),
        ("-0", "0"),
        ("12e70", "1.2e+71"),
        ("1e64", &format!("1{}", "0".repeat(64))),
        ("1e65", "1e+65"),
        ("1e-64", &format!("0.{}1", "0".repeat(63))),
        ("1e-70", "1e-70"),
        ("-12.5e-70", "-1.25e-69"),
        ("100", "100"),
        ("1200e-1", "120"),
    ] {
        assert_eq!(number(text).plain().to_string(), written, "{text}");
    }
}

#[test]
fn spellings_are_kept() {
    for text in ["1.10", "1e3", "-0", "-0.0", ".5", "+7", "1.", "007", "1E+5", "5", "2.5"] {
        let value = Number::spelled(text).unwrap();
        assert_eq!(value.to_string(), text);
        assert_eq!(value, number(text));
        assert_eq!(hash(&value), hash(&number(text)));
    }
    let value = Number::spelled("1.10").unwrap();
    assert_eq!(value.add(&Number::from(0), LIMIT).unwrap().to_string(), "1.1");
    assert_eq!(Number::from(31).spelled_as("0x1F").to_string(), "0x1F");
    assert!(matches!(Number::spelled("2.5").unwrap().form, super::types::Form::Small(_)));
    assert!(matches!(Number::spelled("2.50").unwrap().form, super::types::Form::Spelled(_)));
}

#[test]
fn spellings_in_json() {
    for (text, written) in [
        (".5", "0.5"),
        ("+7", "7"),
        ("1.", "1.0"),
        ("1e3", "1e3"),
        ("-0.0", "-0.0"),
        ("1.10", "1.10"),
        ("-.5e7", "-0.5e7"),
        ("+1.e7", "1.0e7"),
        ("007", "7"),
        ("00", "0"),
        ("-00.50", "-0.50"),
    ] {
        assert_eq!(json(text), written, "{text}");
    }
    let mut out = String::new();
    Number::from(31).spelled_as("0x1F").write_json(&mut out);
    Number::nan().spelled_as(".nan").write_json(&mut out);
    assert_eq!(out, "31null");
    assert!(!Number::spelled(".5").unwrap().is_json_spelling());
    assert!(Number::spelled("1e3").unwrap().is_json_spelling());
}

#[test]
fn what_is_no_decimal() {
    for text in [
        "", ".", "-", "+", "e5", ".e5", "1e", "1e+", "1e5.", "1 ", " 1", "--1", "1_000", "0x1F",
        "nan", "1..2", "١",
    ] {
        assert!(Number::parse(text).is_none(), "{text}");
    }
}

#[test]
fn exponents_beyond_64_bits_are_those_of_infinity_and_zero() {
    let number = |text: &str| Number::spelled(text).unwrap();
    let below = number("1e9223372036854775807");
    for text in ["1e9223372036854775808", "1.5E+99999999999999999999", "10e9223372036854775807"] {
        assert!(number(text).compare_total(&below).is_gt(), "{text}");
        assert!(
            number(&format!("-{text}")).is_infinite() && number(&format!("-{text}")).is_negative()
        );
        assert_eq!(number(text).to_string(), text);
        assert_eq!(Number::parse(text).unwrap().to_string(), "1.7976931348623157e+308");
    }
    for text in ["1.5e-9223372036854775808", "-1e-99999999999999999999", "0e99999999999999999999"] {
        assert!(number(text).is_zero(), "{text}");
        assert_eq!(number(text).to_string(), text);
    }
    assert!(!number("1e-9223372036854775808").is_zero());
}

#[test]
fn conversions() {
    assert_eq!(Number::from_f64(0.1).to_string(), "0.1");
    assert_eq!(Number::from_f64(-0.0).to_string(), "0");
    assert_eq!(Number::from_f64(1e300), number("1e300"));
    assert_eq!(Number::from_f64(5e-324).to_f64(), 5e-324);
    assert_eq!(Number::from_f64(9_007_199_254_740_993.0).to_string(), "9007199254740992");
    assert!(Number::from_f64(f64::NAN).is_nan());
    assert!(Number::from_f64(f64::NEG_INFINITY).is_negative());
    assert_eq!(Number::from_usize(usize::MAX).to_string(), usize::MAX.to_string());
    assert_eq!(number("5.00").to_i64(), Some(5));
    assert_eq!(number("5e2").to_i64(), Some(500));
    assert_eq!(number("5.5").to_i64(), None);
    assert_eq!(number("1e40").to_i64(), None);
    assert_eq!(number("-7.9").truncated_i64(), -7);
    assert_eq!(number("-1e40").truncated_i64(), i64::MIN);
    assert_eq!(Number::infinite(false).truncated_i64(), i64::MAX);
    assert_eq!(Number::nan().truncated_i64(), 0);
    assert_eq!(number("1e30").to_big(), Some(IBig::from(10).pow(30)));
    assert_eq!(number("1.5").to_big(), None);
    assert_eq!(Number::from_big(IBig::from(10).pow(30)), number("1e30"));
    assert!(number("1.0").is_integer() && !number("1.1").is_integer());
    assert!(!Number::nan().is_integer() && !Number::infinite(false).is_integer());
    assert_eq!(number("179769313486231580793e289").to_f64(), f64::INFINITY);
}

#[test]
fn order() {
    let ascending = [
        "nan",
        "-inf",
        "-1e1000000000",
        "-1e40",
        "-9223372036854775809",
        "-1",
        "-1e-1000000000",
        "0",
        "1e-1000000000",
        "1e-400",
        "0.1",
        "0.5",
        "1",
        "1.0000000000000000000001",
        "9223372036854775807",
        "9223372036854775808",
        "1e400",
        "1e1000000000",
        "2e1000000000",
        "inf",
    ];
    let values = ascending.map(number);
    for (i, left) in values.iter().enumerate() {
        for (j, right) in values.iter().enumerate() {
            assert_eq!(left.compare_total(right), i.cmp(&j), "{left} {right}");
            let expected = if i == 0 { Ordering::Less } else { i.cmp(&j) };
            assert_eq!(left.compare(right), expected);
            assert_eq!(left == right, i == j && i > 0);
        }
    }
    assert_eq!(number("1"), number("1.0"));
    assert_eq!(number("1e30"), number("1000000000000000000000000000000.0"));
}

#[test]
fn equal_numbers_have_equal_hashes() {
    for (left, right) in [
        ("1", "1.000"),
        ("0", "-0e5"),
        ("1e30", "10e29"),
        ("1e20", "100000000000000000000"),
        ("100e2147483647", "1e2147483649"),
    ] {
        assert_eq!(number(left), number(right));
        assert_eq!(hash(&number(left)), hash(&number(right)));
    }
    let computed = number("0.5").add(&number("0.5"), LIMIT).unwrap();
    assert_eq!(hash(&computed), hash(&number("1")));
}

#[test]
fn a_hundred_thousand_digits_are_read_in_time() {
    for unit in ["7", "1234567890", "0"] {
        let text = format!("1{}.5", unit.repeat(100_000 / unit.len()));
        let start = Instant::now();
        let value = number(&text);
        let read = start.elapsed();
        assert!(read < Duration::from_millis(500), "{read:?}");
        let start = Instant::now();
        assert_eq!(value.to_string(), text);
        println!("{unit}: read in {read:?}, written in {:?}", start.elapsed());
    }
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    /// The next 64 bits (xorshift64*).
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end
    }

    /// The text of a random decimal: mostly short, at times long.
    fn decimal(&mut self) -> String {
        let length = [1, 2, 3, 6, 17, 18, 19, 20, 40][self.below(9) as usize];
        let digits: String = (0..length).map(|_| char::from(b'0' + self.below(10) as u8)).collect();
        let sign = if self.below(3) == 0 { "-" } else { "" };
        match self.below(4) {
            0 | 1 => format!("{sign}{digits}"),
            2 => format!("{sign}{digits}e{}", self.below(60) as i64 - 30),
            _ => format!("{sign}{}.{digits}", self.below(1000)),
        }
    }
}

/// A ratio of big integers, the slow reference.
#[derive(Clone, Debug, PartialEq)]
struct Reference {
    numerator: IBig,
    denominator: UBig,
}

impl Reference {
    /// The ratio, reduced; where it is no finite decimal and too long, its 34 digits.
    fn settled(numerator: IBig, denominator: IBig) -> Reference {
        let sign = denominator.sign();
        let common = (&numerator).gcd(&denominator);
        let denominator = denominator.unsigned_abs() / &common;
        let reduced = Reference { numerator: sign * numerator / common, denominator };
        let longest =
            (&reduced.numerator).unsigned_abs().bit_len().max(reduced.denominator.bit_len());
        if longest <= 128 || reduced.is_decimal() { reduced } else { reduced.rounded() }
    }

    /// Whether the denominator has no factors but 2 and 5.
    fn is_decimal(&self) -> bool {
        let mut rest = self.denominator.clone();
        for factor in [2_u8, 5] {
            while (&rest % factor) == 0 {
                rest /= factor;
            }
        }
        rest.is_one()
    }

    /// The value rounded half to even to 34 significant digits, by trying every exponent.
    fn rounded(&self) -> Reference {
        let (ten, limit) = (UBig::from(10_u8), UBig::from(10_u8).pow(34));
        let (mut top, mut bottom) = ((&self.numerator).unsigned_abs(), self.denominator.clone());
        let mut exponent = 0_i32;
        while &top / &bottom >= limit {
            bottom *= &ten;
            exponent += 1;
        }
        while &top * &ten / &bottom < limit {
            top *= &ten;
            exponent -= 1;
        }
        let (mut digits, rest) = (&top / &bottom, &top % &bottom);
        let odd = digits.bit(0);
        let twice = rest * 2_u8;
        if twice > bottom || (twice == bottom && odd) {
            digits += 1_u8;
        }
        let power = IBig::from(10).pow(exponent.unsigned_abs() as usize);
        let digits = self.numerator.sign() * IBig::from(digits);
        if exponent >= 0 {
            Reference { numerator: digits * power, denominator: UBig::ONE }
        } else {
            Reference::settled(digits, power)
        }
    }

    /// The value of a decimal's text.
    fn of(text: &str) -> Reference {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: IBig = format!("{whole}{fraction}").parse().unwrap();
        let exponent = exponent.parse::<i64>().unwrap() - fraction.len() as i64;
        let power = IBig::from(10).pow(exponent.unsigned_abs() as usize);
        if exponent >= 0 {
            Reference::settled(digits * power, IBig::ONE)
        } else {
            Reference::settled(digits, power)
        }
    }

    /// The result of an operator; `None` for a divisor of zero.
    fn operate(&self, operator: &str, other: &Reference) -> Option<Reference> {
        let (a, b) = (&self.numerator, IBig::from(self.denominator.clone()));
        let (c, d) = (&other.numerator, IBig::from(other.denominator.clone()));
        Some(match operator {
            "+" => Reference::settled(a * &d + c * &b, b * d),
            "-" => Reference::settled(a * &d - c * &b, b * d),
            "*" => Reference::settled(a * c, b * d),
            "/" if c.is_zero() => return None,
            "/" => Reference::settled(a * d, b * c),
            _ if (c / &d).is_zero() => return None,
            _ => Reference::settled((a / b) % (c / d), IBig::ONE),
        })
    }

    /// The order of two values.
    fn compare(&self, other: &Reference) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    /// The integers that are not above and not below.
    fn floor_and_ceil(&self) -> (IBig, IBig) {
        use dashu_int::ops::DivRemEuclid;
        let divisor = IBig::from(self.denominator.clone());
        let (floor, rest) = (&self.numerator).div_rem_euclid(divisor);
        let ceil = if rest.is_zero() { floor.clone() } else { &floor + IBig::ONE };
        (floor, ceil)
    }
}

/// The value of a number's innards.
fn innards(value: &Number) -> Reference {
    let value = super::fraction::Fraction::of(value).unwrap();
    let power = IBig::from(10).pow(value.exponent.unsigned_abs() as usize);
    let denominator = IBig::from(value.denominator);
    if value.exponent >= 0 {
        Reference::settled(value.numerator * power, denominator)
    } else {
        Reference::settled(value.numerator, denominator * power)
    }
}

/// A random tree's value both ways; `None` where something is divided by zero.
fn tree(random: &mut Random, depth: u64) -> Option<(Number, Reference)> {
    if depth == 0 || random.below(5) == 0 {
        let text = random.decimal();
        return Some((number(&text), Reference::of(&text)));
    }
    let operator = ["+", "-", "*", "/", "+", "-", "*", "/", "%"][random.below(9) as usize];
    let (left, left_reference) = tree(random, depth - 1)?;
    let (right, right_reference) = tree(random, depth - 1)?;
    assert_eq!(left.compare(&right), left_reference.compare(&right_reference), "{left} {right}");
    let expected = left_reference.operate(operator, &right_reference);
    let value = operate(&left, operator, &right, LIMIT);
    let Some(expected) = expected else {
        assert_eq!(value.unwrap_err(), NumberError::DivisionByZero);
        return None;
    };
    let value = value.unwrap();
    assert_eq!(innards(&value), expected, "{left} {operator} {right}");
    Some((value, expected))
}

/// Checks everything else about a value.
fn check_value(value: &Number, expected: &Reference) {
    let (floor, ceil) = expected.floor_and_ceil();
    assert_eq!(value.floor(), Number::from_big(floor));
    assert_eq!(value.ceil(), Number::from_big(ceil));
    let text = value.to_string();
    let again = number(&text);
    let shown = if expected.is_decimal() { expected.clone() } else { expected.rounded() };
    assert_eq!(innards(&again), shown, "{text}");
    assert_eq!(again.to_string(), text);
    if expected.is_decimal() {
        assert_eq!(again, *value);
        assert_eq!(hash(&again), hash(value));
        assert_eq!(value.to_f64(), text.parse::<f64>().unwrap(), "{text}");
    }
}

#[test]
fn random_trees_agree_with_the_reference() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut values = 0;
    for _ in 0..100_000 {
        if let Some((value, expected)) = tree(&mut random, 4) {
            check_value(&value, &expected);
            values += 1;
        }
    }
    assert!(values > 50_000, "{values}");
}
