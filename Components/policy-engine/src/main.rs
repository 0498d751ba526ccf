//! `policy-engine`.

fn main() -> std::process::ExitCode {
    mentci_policy_engine::main()
}
