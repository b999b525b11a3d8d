//! The replay as a JUnit report, which Jenkins, GitLab and GitHub all read.

use std::fs;
use std::path::Path;

use anyhow::Context;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Case, Verdict};
use crate::audit::several;

/// Writes the report.
pub(super) fn write(file: &Path, cases: &[Case]) -> anyhow::Result<()> {
    let naming = || format!("cannot write {}", file.display());
    fs::write(file, report(cases).to_string().with_context(naming)?).with_context(naming)
}

fn report(cases: &[Case]) -> Report {
    let took = cases.iter().map(|case| case.took).sum();
    let mut suite = TestSuite::new("fairdeal replay");
    suite.set_time(took);
    suite.add_test_cases(cases.iter().map(test_case));
    let mut report = Report::new("fairdeal replay");
    report.set_time(took);
    report.add_test_suite(suite);
    report
}

fn test_case(case: &Case) -> TestCase {
    let path = &case.fixture.path;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new("")).display().to_string();
    let mut test = TestCase::new(name.into_owned(), status(&case.verdict));
    test.set_classname(folder);
    test.set_time(case.took);
    test
}

fn status(verdict: &Verdict) -> TestCaseStatus {
    let (kind, message, text) = match verdict {
        Verdict::AsExpected { .. } | Verdict::Written(..) => return TestCaseStatus::success(),
        Verdict::Differs(differences) => {
            let lines: Vec<_> = differences.iter().map(ToString::to_string).collect();
            let message = format!("{} from what is expected", several(lines.len() as u64, "difference"));
            (NonSuccessKind::Failure, message, lines.join("\n"))
        }
        Verdict::Unreadable(error) => (NonSuccessKind::Error, "could not be replayed".into(), format!("{error:#}")),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_type("fairdeal").set_description(text);
    status
}
