//! argv of the compiler.

use clap::Args;

use crate::model_arguments::typed;

#[expect(clippy::struct_excessive_bools, reason = "each is a flag that is typed")]
#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// Write nothing; exit 1 when something is out of date
    #[arg(long)]
    pub(crate) check: bool,
    /// Show the lines that change
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show each line with its place in the law, and what a model made of it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Let a model shorten the lines, or leave what it said aside, whatever `digest.condense` says
    #[arg(long, value_name = "HOW", conflicts_with = "check")]
    pub(crate) condense: Option<CondenseHow>,
    /// With `--condense model`, the model that shortens: provider/name, or script:PATH [default: `digest.condense_model`, else `model.name`]
    #[arg(long, value_name = "NAME", conflicts_with = "check")]
    pub(crate) model: Option<String>,
    /// Publish nothing and exit with 2 when the model gives no answer
    #[arg(long, conflicts_with = "check")]
    pub(crate) require_model: bool,
}

/// Where shorter lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CondenseHow {
    /// A model is asked about what the lock does not hold
    Model,
    /// Every line is the deterministic one
    Deterministic,
}

impl Compile {
    /// What the flags say as settings, which stand over every other layer.
    pub(crate) fn settings(&self) -> Vec<String> {
        let how = match (self.condense, self.require_model) {
            (Some(CondenseHow::Deterministic), _) => Some("deterministic"),
            (Some(CondenseHow::Model), _) | (None, true) => Some("model"),
            (None, false) => None,
        };
        let how = how.map(|how| format!("--condense digest.condense={how}"));
        let model = self.model.as_deref().map(typed);
        let model = model.map(|model| format!("--model digest.condense_model={model}"));
        how.into_iter().chain(model).collect()
    }

    /// Flags that contradict each other, and what to say instead.
    pub(crate) fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let asks = matches!(self.condense, Some(CondenseHow::Model));
        if self.require_model && self.condense.is_some() && !asks {
            return Some((
                "`--require-model` and `--condense deterministic` contradict each other",
                "`--condense model --require-model` publishes nothing without a model's answer",
            ));
        }
        (self.model.is_some() && !asks).then_some((
            "`--model` names who shortens the lines, and nobody is asked without `--condense model`",
            "say `--condense model --model NAME`, or leave `--model` out",
        ))
    }
}
