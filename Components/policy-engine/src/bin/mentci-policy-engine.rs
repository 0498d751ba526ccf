//! `mentci-policy-engine`: the first system's name for `policy-engine`.

fn main() -> std::process::ExitCode {
    mentci_policy_engine::main()
}
