//! Personal data: what is found in a text, and what only looks like it.

use mentci_detect::{Detector, Group, Kind};

/// Each line: a text, and what it is redacted to.
fn check(cases: &[(&str, &str)]) {
    let detector = Detector::group(Group::Personal);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, wanted)| {
            let got = detector.redact(text).text;
            (got != *wanted).then(|| format!("{text}\n   gives {got}\n  wanted {wanted}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Texts in which nothing is found.
fn check_clean(texts: &[&str]) {
    check(&texts.iter().map(|text| (*text, *text)).collect::<Vec<_>>());
}

#[test]
fn e_mail() {
    check(&[
        ("ann@example.com", "[EMAIL]"),
        ("Write to ann.lee+news@mail.example.co.uk.", "Write to [EMAIL]."),
        ("<ann@example.com>, bob@example.org", "<[EMAIL]>, [EMAIL]"),
        ("mailto:ann@example.com?subject=x", "mailto:[EMAIL]?subject=x"),
        ("?email=ann@example.com&x=1", "?email=[EMAIL]&x=1"),
        ("o'neil@example.ie", "[EMAIL]"),
        ("'ann@example.com'", "'[EMAIL]'"),
        ("jörg@example.de", "[EMAIL]"),
        ("почта: юзер@пример.рф", "почта: [EMAIL]"),
        ("邮箱是ann@example.cn", "邮箱是[EMAIL]"),
        ("a_b%c@sub-domain.example.museum", "[EMAIL]"),
        ("root@host1.internal:/srv", "[EMAIL]:/srv"),
        ("x@xn--e1afmkfd.xn--p1ai", "[EMAIL]"),
        ("ann@example.com\nbob@example.com", "[EMAIL]\n[EMAIL]"),
    ]);
}

#[test]
fn no_e_mail() {
    check_clean(&[
        "git@github.com:mentci/mentci.git",
        "git@example.org/mentci",
        "@app.route(\"/\")",
        "@media screen",
        "left-pad@1.3.0",
        "react@latest",
        "image@2x.png",
        "getty@tty1.service",
        "user@localhost",
        "a @ b.com",
        "@ann@",
        "ann@",
        "ann@.com",
        "ann@example..com",
        "ann@example.c",
        "com.example.Thing@1b2c3d4e",
        "$@.x",
    ]);
}

#[test]
fn phone() {
    check(&[
        ("+1-555-867-5309", "[PHONE]"),
        ("Call +1 (555) 867-5309 now", "Call [PHONE] now"),
        ("(555) 867-5309", "[PHONE]"),
        ("555-867-5309.", "[PHONE]."),
        ("1-555-867-5309", "[PHONE]"),
        ("555.867.5309", "[PHONE]"),
        ("+15558675309", "[PHONE]"),
        ("+44 20 7946 0958", "[PHONE]"),
        ("+49 (0) 30 901820", "[PHONE]"),
        ("+49-89-636-48018", "[PHONE]"),
        ("tel: 020 7946 0958", "tel: [PHONE]"),
        ("phone=5558675309", "phone=[PHONE]"),
        ("mobile 867-5309", "mobile [PHONE]"),
        ("fax 0 30 / +49 30 12345678", "fax 0 30 / [PHONE]"),
        ("Тел: +7 (999) 123-45-67", "Тел: [RU_PHONE]"),
        ("8(999)1234567", "[RU_PHONE]"),
        ("8 (495) 123-45-67", "[RU_PHONE]"),
    ]);
}

#[test]
fn no_phone() {
    check_clean(&[
        "1700000000",
        "1700000000123",
        "2024-01-15T10:20:30+0100",
        "2024-01-15 10:20:30.123456",
        "order 5558675309",
        "commit 5558675309abcdef",
        "550e8400-e29b-41d4-a716-446655440000",
        "12345678-1234-1234-1234-123456789012",
        "x = 1234567 + 7654321",
        "100-200-3000",
        "911-555-1234567",
        "1.2.3-4.5.6",
        "0.5558675309",
        "$555-867-5309",
        "pages 123-456",
        "200 300 4000",
        "ISBN 978-3-16-148410-0",
        "10:20:30 555-867",
    ]);
}

#[test]
fn card() {
    check(&[
        ("4111 1111 1111 1111", "[CREDIT_CARD]"),
        ("4111-1111-1111-1111", "[CREDIT_CARD]"),
        ("4111111111111111", "[CREDIT_CARD]"),
        ("card 4111111111111111, thanks", "card [CREDIT_CARD], thanks"),
        ("5555555555554444", "[CREDIT_CARD]"),
        ("2223003122003222", "[CREDIT_CARD]"),
        ("378282246310005", "[CREDIT_CARD]"),
        ("3782 822463 10005", "[CREDIT_CARD]"),
        ("6011111111111117", "[CREDIT_CARD]"),
        ("3530111333300000", "[CREDIT_CARD]"),
        ("30569309025904", "[CREDIT_CARD]"),
        ("visa 4222222222222", "visa [CREDIT_CARD]"),
        ("2200 0000 0000 0053", "[CREDIT_CARD]"),
    ]);
}

#[test]
fn no_card() {
    check_clean(&[
        "4111 1111 1111 1112",
        "1234 5678 9012 3456",
        "0000 0000 0000 0000",
        "4111111111111111a",
        "a4111111111111111",
        "0.4111111111111111",
        "4222222222222",
        "1700000000000000",
        "1234567812345670",
        "4111 1111-1111 1111",
        "4111  1111  1111  1111",
        "id_4111111111111111",
        "4111.1111.1111.1111",
    ]);
}

#[test]
fn social_security() {
    check(&[
        ("123-45-6789", "[SSN]"),
        ("My SSN is 123-45-6789.", "My SSN is [SSN]."),
        ("ssn 123 45 6789", "ssn [SSN]"),
        ("ssn=123456789", "ssn=[SSN]"),
        ("Social Security: 123456789", "Social Security: [SSN]"),
        ("(078-05-1120)", "([SSN])"),
    ]);
    check_clean(&[
        "000-45-6789",
        "666-45-6789",
        "900-45-6789",
        "123-00-6789",
        "123-45-0000",
        "123456789",
        "123 45 6789",
        "1123-45-6789",
        "123-45-67890",
        "x123-45-6789",
        "123-45-6789-1",
        "1.123-45-6789",
    ]);
}

#[test]
fn iban() {
    check(&[
        ("DE89370400440532013000", "[IBAN]"),
        ("DE89 3704 0044 0532 0130 00", "[IBAN]"),
        ("GB29NWBK60161331926819", "[IBAN]"),
        ("FR14 2004 1010 0505 0001 3M02 606", "[IBAN]"),
        ("NL91ABNA0417164300.", "[IBAN]."),
        ("NO9386011117947", "[IBAN]"),
        ("iban:CH9300762011623852957", "iban:[IBAN]"),
        ("BE68539007547034", "[IBAN]"),
        ("ES9121000418450200051332", "[IBAN]"),
        ("IT60X0542811101000000123456", "[IBAN]"),
        ("PL61109010140000071219812874", "[IBAN]"),
        ("MT84MALT011000012345MTLCAST001S", "[IBAN]"),
    ]);
    check_clean(&[
        "DE89370400440532013001",
        "DE8937040044053201300",
        "XX89370400440532013000",
        "ADE89370400440532013000",
        "DE89370400440532013000A",
        "de_89370400440532013000",
        "DE89",
        "FR2024",
        "NO 12",
        "US64SVBKUS6S3300958879",
        "AB12CD34EF56",
        "GB29 not an account",
    ]);
}

#[test]
fn address() {
    check(&[
        ("192.168.1.1", "[IP_ADDRESS]"),
        ("0.0.0.0", "[IP_ADDRESS]"),
        ("255.255.255.255", "[IP_ADDRESS]"),
        ("http://127.0.0.1:8080/x", "http://[IP_ADDRESS]:8080/x"),
        ("10.0.0.0/8", "[IP_ADDRESS]/8"),
        ("10.0.0.1-10.0.0.9", "[IP_ADDRESS]-[IP_ADDRESS]"),
        ("at 8.8.8.8.", "at [IP_ADDRESS]."),
        ("ssh root@203.0.113.9", "ssh root@[IP_ADDRESS]"),
        ("[2001:db8::8a2e:370:7334]:443", "[[IP_ADDRESS]]:443"),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", "[IP_ADDRESS]"),
        ("fe80::1ff:fe23:4567:890a%eth0", "[IP_ADDRESS]%eth0"),
        ("host version 10.1.2.3", "host version [IP_ADDRESS]"),
        ("localhost/127.0.0.1", "localhost/[IP_ADDRESS]"),
    ]);
}

#[test]
fn no_address() {
    check_clean(&[
        "v1.2.3.4",
        "version 1.2.3.4",
        "Version=4.0.0.0, Culture=neutral",
        "1.2.3",
        "1.2.3.4.5",
        "1.3.6.1.4.1",
        "999.999.999.999",
        "256.1.1.1",
        "01.02.03.04",
        "pkg-1.2.3.4.tar.gz",
        "1.2.3.4-beta",
        "lib==1.2.3.4",
        "Chrome/120.0.0.0 Safari/537.36",
        "see section 1.2.3.4",
        "# 1.2.3.4 Scope",
        "std::fs::read",
        "a::b",
        "10:20:30",
        "00:1a:2b:3c:4d:5e",
        "x[::1]",
        "sha256:1234:5678",
        "key:1:2:3",
    ]);
}

#[test]
fn papers() {
    check(&[
        ("Passport: AB1234567", "Passport: [PASSPORT]"),
        ("passport no. 123456789", "passport no. [PASSPORT]"),
        ("passport_number = \"C01234567\"", "passport_number = \"[PASSPORT]\""),
        ("Паспорт: 45 06 123456", "Паспорт: [RU_PASSPORT]"),
        ("паспорт 4506 123456", "паспорт [RU_PASSPORT]"),
        ("INN: 7707083893", "INN: [INN]"),
        ("https://example.com/inn/7707083893", "https://example.com/inn/[INN]"),
        ("ИНН 500100732259", "ИНН [INN]"),
        ("СНИЛС: 112-233-445 95", "СНИЛС: [SNILS]"),
    ]);
    check_clean(&[
        "Model X123456 is available",
        "Product AB123456 ships tomorrow",
        "AB1234567",
        "passport control at gate 12",
        "the passport package, version 0.7.0",
        "passport.js 2024",
        "45 06 123456",
        "INN: 7707083890",
        "7707083893",
        "the inn has 12 rooms",
        "СНИЛС: 112-233-445 00",
        "112-233-445",
    ]);
}

#[test]
fn date_of_birth() {
    check(&[
        ("DOB: 01/02/1990", "DOB: [DATE_OF_BIRTH]"),
        ("date of birth 1990-02-01", "date of birth [DATE_OF_BIRTH]"),
        ("born on 1 February 1990 in", "born on [DATE_OF_BIRTH] in"),
        ("born February 1, 1990", "born [DATE_OF_BIRTH]"),
        ("born 1st Feb. 1990", "born [DATE_OF_BIRTH]"),
        ("birthday=31.12.85", "birthday=[DATE_OF_BIRTH]"),
        ("dateOfBirth: '1990-2-1'", "dateOfBirth: '[DATE_OF_BIRTH]'"),
        ("дата рождения: 01.02.1990", "дата рождения: [DATE_OF_BIRTH]"),
        ("geboren am 3.4.1975", "geboren am [DATE_OF_BIRTH]"),
    ]);
    check_clean(&[
        "2024-01-15",
        "01/02/1990",
        "released 1 February 1990",
        "airborne 01/02/1990",
        "dob: 99/99/1990",
        "dob: 1990",
        "born in 1990",
        "birth rate 1/2",
        "doberman 01/02/1990",
        "dob: unknown",
        "borne 1990-02-01",
        "birth: 1790-13-01",
    ]);
}

#[test]
fn russian_numbers_are_phones_for_who_asks_only_for_phones() {
    let detector = Detector::new([Kind::Phone], []).unwrap();
    assert_eq!(detector.redact("+7 900 123-45-67").text, "[PHONE]");
    assert_eq!(Kind::RuPhone.also("+7 900 123-45-67"), Some(Kind::Phone));
    assert_eq!(Kind::RuPhone.also("8(999)1234567"), None);
}

#[test]
fn look_alikes_of_plain_letters() {
    let detector = Detector::all();
    for (text, wanted) in [
        ("ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ", "[EMAIL]"),
        ("連絡先：ａｎｎ．ｂ＠ｅｘａｍｐｌｅ．ｃｏ．ｊｐ。", "連絡先：[EMAIL]。"),
        ("ann＠example.com, bob", "[EMAIL], bob"),
        ("to ann＠example．com.", "to [EMAIL]."),
        ("ann@ｅｘａｍｐｌｅ．ｃｏｍ x", "[EMAIL] x"),
        ("ａｎｎ@example.com", "[EMAIL]"),
        ("ann﹫example﹒com", "[EMAIL]"),
        ("card 4111\u{a0}1111\u{a0}1111\u{a0}1111!", "card [CREDIT_CARD]!"),
        ("4111\u{2009}1111\u{2009}1111\u{2009}1111", "[CREDIT_CARD]"),
        ("é ４１１１１１１１１１１１１１１１ é", "é [CREDIT_CARD] é"),
        ("41111\u{200b}11111111111", "[CREDIT_CARD]"),
        ("ssn 536\u{2011}90\u{2011}4399", "ssn [SSN]"),
        ("GB82\u{a0}WEST\u{a0}1234\u{a0}5698\u{a0}7654\u{a0}32", "[IBAN]"),
        ("gb82west12345698765432", "[IBAN]"),
    ] {
        assert_eq!(detector.redact(text).text, wanted);
        assert!(detector.has_any(text), "{text}");
    }
    for text in [
        "＠",
        "＠ａｎｎ",
        "ａ＠ｂ",
        "１０：００＠会議室",
        "ｉｃｏｎ＠２ｘ．ｐｎｇ",
        "＠＠＠．ｃｏｍ",
        "gB82west12345698765432",
        "a\u{a0}–\u{a0}b",
    ] {
        assert_eq!(detector.redact(text).text, text);
    }
}

#[test]
fn cards_that_were_read_as_decimals() {
    let detector = Detector::all();
    for (text, wanted) in [
        ("4111111111111111.0", "[CREDIT_CARD]"),
        ("card,4111111111111111.00,x", "card,[CREDIT_CARD],x"),
        ("n: 4111111111111111.0.", "n: [CREDIT_CARD]."),
        ("4111111111111111.", "[CREDIT_CARD]."),
    ] {
        assert_eq!(detector.redact(text).text, wanted);
    }
    for text in ["4111111111111111.5", "4111111111111111.05", "0.4111111111111111", "4111111111111112.0"] {
        assert_eq!(detector.redact(text).text, text);
    }
    let value = serde_json::json!({ "n": 4_111_111_111_111_111.0_f64, "x": 1.5 });
    assert_eq!(detector.redact_value(value).value, serde_json::json!({ "n": "[CREDIT_CARD]", "x": 1.5 }));
}

#[test]
fn addresses_of_every_writing_are_found() {
    let cases = [
        ("jürgen@example.com", "[EMAIL]"),
        ("用户@例子.广告 wrote", "[EMAIL] wrote"),
        ("write to उपयोगकर्ता@example.com", "write to [EMAIL]"),
        ("\"ann lee\"@example.com", "[EMAIL]"),
        ("to: \"ann.lee\"@example.com, x", "to: [EMAIL], x"),
        ("ann\u{200b}lee@example.com", "[EMAIL]"),
        ("ann@exam\u{200d}ple.com", "[EMAIL]"),
        ("ann\u{ad}@example\u{feff}.com", "[EMAIL]"),
        ("a\u{200b}b and c", "a\u{200b}b and c"),
        ("{\"a\": \"@example.com\"}", "{\"a\": \"@example.com\"}"),
        ("import x from \"@scope/pack.js\"", "import x from \"@scope/pack.js\""),
    ];
    for (text, redacted) in cases {
        assert_eq!(Detector::group(Group::Personal).redact(text).text, redacted, "{text}");
    }
}
