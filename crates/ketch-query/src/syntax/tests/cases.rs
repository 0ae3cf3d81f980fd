//! Programs and their trees.

use super::dump::dump;

/// Programs and their trees as S-expressions.
pub(super) const CASES: &[(&str, &str)] = &[
    // Paths.
    ("", ""),
    (".", "."),
    ("..", ".."),
    (".a", r#"(index . "a")"#),
    (".a.b", r#"(index (index . "a") "b")"#),
    (".\"a b\"", r#"(index . "a b")"#),
    (".foo.\"bar\"", r#"(index (index . "foo") "bar")"#),
    (". \"a\" . \"b\"", r#"(index (index . "a") "b")"#),
    (".a.\"b\\(1)\"", r#"(index (index . "a") (text "b" 1))"#),
    (".@base64 \"x\\(1)\"", r#"(index . (text@base64 "x" 1))"#),
    (".[.a]", r#"(index . (index . "a"))"#),
    (".a[1].b[]", r#"(each (index (index (index . "a") 1) "b"))"#),
    (".[]", "(each .)"),
    (".[1:2]", "(slice . 1 2)"),
    (".[:2]", "(slice . _ 2)"),
    (".[-1:]", "(slice . (neg 1) _)"),
    (".a.[1]", r#"(index (index . "a") 1)"#),
    (".a.[]", r#"(each (index . "a"))"#),
    (".[1,2:3|4]", "(slice . (, 1 2) (| 3 4))"),
    (".and.__loc__.if", r#"(index (index (index . "and") "__loc__") "if")"#),
    ("..[0]", "(index .. 0)"),
    (".. == 1", "(== .. 1)"),
    (". .a", r#"(index . "a")"#),
    ("\"abc\".[1:]?", "error: unexpected `:`: expected an operator or `]`"),
    // `?` and `try`.
    (".a?", r#"(? (index . "a"))"#),
    (".a?.b", r#"(index (? (index . "a")) "b")"#),
    (".a??", r#"(try (? (index . "a")))"#),
    (".[]?", "(? (each .))"),
    (".[1:]?", "(? (slice . 1 _))"),
    ("(.a)?", r#"(try (index . "a"))"#),
    (".?", "(try .)"),
    ("f?", "(try f)"),
    ("try .a?", r#"(try (? (index . "a")))"#),
    ("try error(\"x\") // 1", r#"(// (try (error "x")) 1)"#),
    ("try 1 catch 2 + 3", "(+ (try 1 2) 3)"),
    ("try try 1 catch 2 catch 3", "(try (try 1 2) 3)"),
    ("try -1 catch -2", "(try (neg 1) (neg 2))"),
    ("try -try 1 catch 2", "(try (neg (try 1 2)))"),
    ("1 * try 2 * 3", "(* (* 1 (try 2)) 3)"),
    // Operators.
    ("1 + 2 * 3 - 4", "(- (+ 1 (* 2 3)) 4)"),
    ("1 - 2 - 3", "(- (- 1 2) 3)"),
    ("1 / 2 % 3 * 4", "(* (% (/ 1 2) 3) 4)"),
    ("1 // 2 // 3", "(// 1 (// 2 3))"),
    ("1 | 2 | 3", "(| 1 (| 2 3))"),
    ("1, 2, 3", "(, (, 1 2) 3)"),
    ("1, 2 | 3, 4", "(| (, 1 2) (, 3 4))"),
    ("1 or 2 and 3 or 4", "(or (or 1 (and 2 3)) 4)"),
    ("1 < 2 and 3 != 4", "(and (< 1 2) (!= 3 4))"),
    (".a = 1 // 2", r#"(// (= (index . "a") 1) 2)"#),
    ("1 // .a = 2", r#"(// 1 (= (index . "a") 2))"#),
    (".a |= . or 1", r#"(|= (index . "a") (or . 1))"#),
    (".a += 1 | .b //= 2", r#"(| (+= (index . "a") 1) (//= (index . "b") 2))"#),
    ("1 + -2", "(+ 1 (neg 2))"),
    ("-1 * 2", "(* (neg 1) 2)"),
    ("- - .a[0]?", r#"(neg (neg (? (index (index . "a") 0))))"#),
    ("1 -1", "(- 1 1)"),
    ("a/b//c", "(// (/ a b) c)"),
    // Bindings and definitions.
    ("1 as $x | 2 as $y | [$x,$y]", "(as 1 $x (as 2 $y (array (, $x $y))))"),
    ("1 + 2 as $x | $x * 2, 3", "(as (+ 1 2) $x (, (* $x 2) 3))"),
    ("1, 2 as $x | 3, 4", "(, 1 (as 2 $x (, 3 4)))"),
    ("1 | 2 as $x | 3 | 4", "(| 1 (as 2 $x (| 3 4)))"),
    ("-1 as $x | $x", "(as (neg 1) $x $x)"),
    (". as [$a, {b: $c}] | 1", r#"(as . [$a {"b":$c}] 1)"#),
    (
        ". as {$a, $b: [$c], \"d\": $e, \"f\\(1)\": $g, (1|h): $i, if: $j} | 1",
        r#"(as . {$a="a" $b="b":[$c] "d":$e (text "f" 1):$g (| 1 h):$i "if":$j} 1)"#,
    ),
    (". as [$a] ?// {$a} ?// $a | $a", r#"(as . [$a] ?// {$a="a"} ?// $a $a)"#),
    ("def f: 1; f", "(def f () 1) f"),
    ("def f(g; $x): g + $x; f(1; 2)", "(def f (g $x) (+ g $x)) (f 1 2)"),
    ("def f: def g: 1; g; f", "(def f () (in (def g () 1) g)) f"),
    ("1 | def f: 2; f, 3 | 4", "(| 1 (in (def f () 2) (| (, f 3) 4)))"),
    ("def a::b: 1; a::b, c::d(1)", "(def a::b () 1) (, a::b (c::d 1))"),
    ("def f: 1; def g: f;", "(def f () 1) (def g () f)"),
    ("label $x | 1, break $x | 2", "(label $x (| (, 1 (break $x)) 2))"),
    ("1, label $x | 2, 3", "(, 1 (label $x (, 2 3)))"),
    ("reduce .[] as $x (0; . + $x) | 1", "(| (reduce (each .) $x 0 (+ . $x)) 1)"),
    (
        "reduce 1 + 2 as [$x] ?// $x (0; 1, 2)[0]",
        "(index (reduce (+ 1 2) [$x] ?// $x 0 (, 1 2)) 0)",
    ),
    ("foreach .[] as {$a} (0; 1)", r#"(foreach (each .) {$a="a"} 0 1)"#),
    ("foreach (1,2) as $x (0; 1; [.])?", "(try (foreach (, 1 2) $x 0 1 (array .)))"),
    ("if 1 then 2 end", "(if 1 2)"),
    ("if 1 then 2 else 3 end.a", r#"(index (if 1 2 3) "a")"#),
    (
        "if 1|2 then 3,4 elif 5 then 6 else def f: 7; f end",
        "(if (| 1 2) (, 3 4) 5 6 (in (def f () 7) f))",
    ),
    ("$x, $a::b, $ENV, $__prog_args", "(, (, (, $x $a::b) $ENV) $__prog_args)"),
    ("1\n| $__loc__, {\n$__loc__}", r#"(| 1 (, (loc 2) (object ("__loc__" (loc 3)))))"#),
    // Strings and numbers.
    (r#""a\n\"\\\/\b\f\r\t\u00e9\ud83d\ude00\ude00""#, r#""a\n\"\\/\u{8}\u{c}\r\té😀�""#),
    (r#""\(1)\("a")b\("c\("d" | .)")""#, r#"(text 1 (| . "a") "b" (text "c" (| "d" .)))"#),
    (r#"@base64 "x\(1, 2)y""#, r#"(text@base64 "x" (, 1 2) "y")"#),
    (r#"@base64 "x" | @json"#, r#"(| "x" @json)"#),
    (r#""\((1) | (2))" + """#, r#"(+ (text (| 1 2)) "")"#),
    ("1, 1., .5, 1e3, 1.5E-3, 007, 1.e1", "(, (, (, (, (, (, 1 1.) .5) 1e3) 1.5E-3) 007) 1.e1)"),
    // Collections.
    ("[], [1], [1, 2 | 3], {}", "(, (, (, (array) (array 1)) (array (| (, 1 2) 3))) (object))"),
    (
        "{a, $x, \"b\", \"c\\(1)\": 2, (1|3): 4, @base64 \"x\": 1, if: 5, then, $y: 6,}",
        concat!(
            r#"(object ("a" (index . "a")) ("x" $x) ("b" (index . "b")) ((text "c" 1) 2) ((| 1 3) 4) "#,
            r#"("x" 1) ("if" 5) ("then" (index . "then")) ($y 6))"#,
        ),
    ),
    ("{\"a\\(1)\"}", r#"(object ((text "a" 1) (index . (text "a" 1))))"#),
    ("{a: 1 | 2 | 3, b: 1 + 2 // 3}", r#"(object ("a" (| 1 (| 2 3))) ("b" (// (+ 1 2) 3)))"#),
    (
        "{a: reduce 1 as $x (2; 3), b: -1, a::b: 2}",
        r#"(object ("a" (reduce 1 $x 2 3)) ("b" (neg 1)) ("a::b" 2))"#,
    ),
    ("{(1,2|tostring): 3}", r#"(object ((| (, 1 2) tostring) 3))"#),
    ("{a: 1}.a", r#"(index (object ("a" 1)) "a")"#),
    ("f(1; 2, 3 | 4), g (5)", "(, (f 1 (| (, 2 3) 4)) (g 5))"),
    ("true, null(1)", "(, true (null 1))"),
    // Directives.
    (
        "module {a: [1, null]}; import \"x\\u0041\" as m; import \"y\" as $d {z: {}}; include \"i\"; 1",
        concat!(
            r#"(module (object ("a" (array (, 1 null))))) (import "xA" m) "#,
            r#"(import "y" $d (object ("z" (object)))) (import "i" *) 1"#,
        ),
    ),
    ("include \"a\" {b: 1}; def f: 1;", r#"(import "a" * (object ("b" 1))) (def f () 1)"#),
    // Comments and spaces.
    ("# a\n1 # b\\\nc\n, 2 # d\\\\\n, 3", "(, (, 1 2) 3)"),
    ("1 # a\\\r\nb\r\n, 2 #\\x\n\t, 3 #", "(, (, 1 2) 3)"),
    ("1 # a\r b\n + 2", "(+ 1 2)"),
];

#[test]
fn trees() {
    for (source, tree) in CASES {
        assert_eq!(dump(source), *tree, "{source}");
    }
    println!("{} cases", CASES.len());
}

/// The text that the span of the last expression covers.
#[test]
fn spans() {
    for (source, covered) in [
        (".a.bc", "bc"),
        (".a . \"b\"", "\"b\""),
        (".a[1]", "[1]"),
        (".a[ ]", "[ ]"),
        (".[1:]", "[1:]"),
        ("1 + 2", "+"),
        ("1 | 2", "|"),
        ("1 and 2", "and"),
        (".a += 2", "+="),
        ("-(1)", "-"),
        ("f(1)", "f"),
        ("f", "f"),
        ("$x", "$x"),
        (".a?", "?"),
        ("(1) as $x | (2)", "(1) as $x | (2)"),
        ("try (1) catch (2)", "try (1) catch (2)"),
        ("[ 1 ]", "[ 1 ]"),
        ("{ a }", "{ a }"),
        ("@json \"a\\(1)\" ", "@json \"a\\(1)\""),
        (" \"ab\" ", "\"ab\""),
        ("if 1 then 2 end", "if 1 then 2 end"),
        ("reduce 1 as $x (2; 3)", "reduce 1 as $x (2; 3)"),
        ("1 | label $x | (2)", "|"),
        ("label $x | (2)", "label $x | (2)"),
        ("[def f: 1; (2)]", "[def f: 1; (2)]"),
        ("break $x", "break $x"),
    ] {
        let tree = super::super::parse(source).expect("a program");
        let body = tree.body.expect("a body");
        let span = tree.spans[body.0 as usize];
        assert_eq!(&source[span.start as usize..span.end as usize], covered, "{source}");
    }
}
