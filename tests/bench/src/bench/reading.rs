//! Reading law and counting tokens, in this process, beside the libraries underneath.

use mentci_authority::SkillName;
use mentci_compiler::{LawKind, read_law};
use mentci_source::Source;
use mentci_tokens::{Tokenizer, o200k};
use pulldown_cmark::{Options as Markdown, Parser};

use super::Rows;
use crate::options::Options;
use crate::prose;
use crate::rounds::{Step, in_turn, time};
use crate::table::{Row, Target, Unit};

pub(super) fn bench(options: &Options) -> Rows {
    let count = options.amount(300, 50);
    let name =
        |n| SkillName::parse(&prose::skill_name(n)).map_err(|_| "a made-up name is no name".to_owned());
    let skills: Vec<(LawKind, Source)> = (0..count)
        .map(|n| Ok((LawKind::Skill(name(n)?), Source::new(&format!("{n}/SKILL.md"), &prose::skill(n)))))
        .collect::<Result<_, String>>()?;
    let megabytes = megabytes(&skills);
    let law: Step<'_> = Box::new(|| {
        Ok(time(|| skills.iter().map(|(kind, source)| read_law(source, kind).norms.len()).sum::<usize>()))
    });
    let markdown: Step<'_> =
        Box::new(|| Ok(time(|| skills.iter().map(|(_, source)| events(source.text())).sum::<usize>())));
    let counted: Step<'_> = Box::new(|| {
        Ok(time(|| skills.iter().map(|(_, source)| o200k().count(source.text())).sum::<usize>()))
    });
    let bare = tiktoken::get_encoding("o200k_base").ok_or("o200k is not built in")?;
    let bare: Step<'_> =
        Box::new(|| Ok(time(|| skills.iter().map(|(_, source)| bare.count(source.text())).sum::<usize>())));
    let samples = in_turn(options.amount(11, 3), vec![law, markdown, counted, bare])?;
    let [law, markdown, counted, bare] = [0, 1, 2, 3].map(|n| megabytes / samples[n].median());
    Ok(vec![
        Row::beside(
            "reading law, one thread",
            Unit::MegabytesPerSecond,
            law,
            ("pulldown-cmark alone", markdown),
            Target::Told,
        ),
        Row::beside(
            "counting tokens, one thread",
            Unit::MegabytesPerSecond,
            counted,
            ("tiktoken alone", bare),
            Target::Told,
        ),
    ])
}

#[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
fn megabytes(skills: &[(LawKind, Source)]) -> f64 {
    skills.iter().map(|(_, source)| source.text().len()).sum::<usize>() as f64 / 1e6
}

fn events(text: &str) -> usize {
    Parser::new_ext(text, Markdown::ENABLE_TABLES).into_offset_iter().count()
}
