//! A report as one page that needs nothing else: for a screen, and for a printer.

use std::fmt::Write;

use data_encoding::BASE64;

use super::report::{Block, Report};
use crate::draw::{Esc, SPRITE};

/// How the page and its drawings look. The PDF's drawings use the second too.
const PAGE_STYLE: &str = include_str!("../../assets/report.css");
pub(super) const DRAWING_STYLE: &str = include_str!("../../assets/drawing.css");

/// The page.
pub(super) fn page(report: &Report) -> String {
    let mut html = String::with_capacity(1 << 16);
    // Writing to a string cannot fail.
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{PAGE_STYLE}{DRAWING_STYLE}\
         </style>\n</head>\n<body>\n{SPRITE}\n<main>\n<header><p>{}</p><h1>{title}</h1></header>\n",
        Esc(&report.subtitle),
        title = Esc(&report.title),
    );
    for block in &report.blocks {
        put(&mut html, block);
        html.push('\n');
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn put(html: &mut String, block: &Block) {
    let _ = match block {
        Block::Heading(text) => write!(html, "<h2>{}</h2>", Esc(text)),
        Block::Subheading(text) => write!(html, "<h3>{}</h3>", Esc(text)),
        Block::Text(text) => write!(html, "<p>{}</p>", Esc(text)),
        Block::Notice(text) => write!(html, "<p class=\"notice\">{}</p>", Esc(text)),
        Block::Lines(text) => write!(html, "<pre>{}</pre>", Esc(text)),
        Block::Facts(facts) => {
            html.push_str("<dl>");
            for (label, value) in facts {
                let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", Esc(label), Esc(value));
            }
            write!(html, "</dl>")
        }
        Block::List(lines) => {
            html.push_str("<ul>");
            for line in lines {
                let _ = write!(html, "<li>{}</li>", Esc(line));
            }
            write!(html, "</ul>")
        }
        Block::Table { head, rows } => {
            html.push_str("<table><thead><tr>");
            for name in *head {
                let _ = write!(html, "<th scope=\"col\">{}</th>", Esc(name));
            }
            html.push_str("</tr></thead><tbody>");
            for row in rows {
                html.push_str("<tr>");
                for cell in row {
                    let _ = write!(html, "<td>{}</td>", Esc(cell));
                }
                html.push_str("</tr>");
            }
            write!(html, "</tbody></table>")
        }
        Block::Still { jpeg, caption } => write!(
            html,
            "<figure><img alt=\"{caption}\" src=\"data:image/jpeg;base64,{}\"><figcaption>{caption}</figcaption></figure>",
            BASE64.encode(jpeg),
            caption = Esc(caption),
        ),
        Block::Drawing { svg, caption } => {
            write!(html, "<figure>{svg}<figcaption>{}</figcaption></figure>", Esc(caption))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_anybody_wrote_becomes_markup_and_nothing_is_fetched_from_elsewhere() {
        let evil = "<script src=http://x>\"'".to_owned();
        let blocks = vec![
            Block::Heading(evil.clone()),
            Block::Subheading(evil.clone()),
            Block::Text(evil.clone()),
            Block::Notice(evil.clone()),
            Block::Lines(evil.clone()),
            Block::Facts(vec![(evil.clone(), evil.clone())]),
            Block::List(vec![evil.clone()]),
            Block::Table { head: &["<b>"], rows: vec![vec![evil.clone()]] },
            Block::Still { jpeg: vec![1], caption: evil.clone() },
            Block::Drawing { svg: String::new(), caption: evil.clone() },
        ];
        let html = page(&Report { title: evil.clone(), subtitle: evil, blocks });
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        let outside = html.replace("http://x", "");
        assert!(!outside.contains("http"), "{html}");
    }
}
