//! Accessibility of the pages: keyboard, screen reader, contrast.
//!
//! Names are those that the browser itself computes for screen readers; contrast is that of the Web Content Accessibility Guidelines (2.2,
//! success criterion 1.4.3): 4.5 to 1, and 3 to 1 for large text.

use crate::{expect_silence, folder, open, report, run, url, zonewalk};
use serde_json::{Value, json};
use zonewalk_testkit::browser::Browser;

/// Roles of elements that must have a name.
const NAMED: [&str; 15] = [
    "button",
    "checkbox",
    "combobox",
    "image",
    "img",
    "link",
    "listbox",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "svgRoot",
    "tab",
    "tabpanel",
    "textbox",
];

/// Every text that is seen, with the contrast to what is behind it, where that is too small.
const CONTRAST: &str = r#"
const parse = (text) => { const m = text.match(/[\d.]+/g); if (!m) return null; const [r, g, b, a = 1] = m.map(Number);
  return text.startsWith('color(srgb') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a]; };
const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
const behind = (node) => { const layers = []; for (let at = node; at; at = at.parentElement) {
    const c = parse(getComputedStyle(at).backgroundColor); if (c && c[3] > 0) { layers.push(c); if (c[3] === 1) break; } }
  let color = [255, 255, 255]; for (const layer of layers.reverse()) color = over(layer, color); return color; };
const bad = []; let count = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = walker.nextNode(); text; text = walker.nextNode()) {
  const node = text.parentElement;
  if (!text.textContent.trim() || node.closest('script, style, title, datalist, .sr-only, [hidden], option')) continue;
  const box = node.getBoundingClientRect(); if (!box.width || !box.height) continue;
  const style = getComputedStyle(node);
  if (style.visibility === 'hidden') continue;
  const isSvg = node instanceof SVGElement;
  // Text in bars, pills and lit locations has a shape behind it.
  const shape = isSvg && node.classList.contains('bar-name') ? node.previousElementSibling : isSvg && node.classList.contains('pill-name') ? node.previousElementSibling : isSvg && node.classList.contains('sign') ? node.parentElement.querySelector('.disc') : null;
  const back = shape ? parse(getComputedStyle(shape).fill) : behind(isSvg ? node.ownerSVGElement.parentElement : node);
  const ink = parse(isSvg ? style.fill : style.color);
  if (!ink || !back) continue;
  const [a, b] = [light(over(ink, back)), light(back)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  count += 1;
  if (ratio < (isLarge ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${node.tagName}.${node.getAttribute('class')}: ${text.textContent.trim().slice(0, 40)}`);
}
return [count, [...new Set(bad)]];
"#;

/// Checks the accessibility tree of the open page.
pub(crate) fn expect_access(browser: &mut Browser, what: &str) {
    browser.call("Accessibility.enable", &json!({}));
    let tree = browser.call("Accessibility.getFullAXTree", &json!({}));
    let mut named = 0;
    for node in tree["nodes"].as_array().unwrap() {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        if node["ignored"] == true || !NAMED.contains(&role) {
            continue;
        }
        let name = node["name"]["value"].as_str().unwrap_or_default();
        assert!(!name.trim().is_empty(), "{what}: a {role} has no name: {node}");
        named += 1;
    }
    assert!(named > 0, "{what}");
    let structure = run(
        browser,
        "const ids = [...document.querySelectorAll('[id]')].map((node) => node.id); \
         const twice = ids.filter((id, i) => ids.indexOf(id) !== i); \
         const lost = [...document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-activedescendant], label[for]')] \
           .flatMap((node) => ['aria-controls', 'aria-labelledby', 'aria-activedescendant', 'for'].map((name) => node.getAttribute(name))) \
           .filter((id) => id && !document.getElementById(id)); \
         return [document.documentElement.lang, document.querySelectorAll('h1').length, document.querySelectorAll('main').length, twice, lost]",
    );
    assert_eq!(structure, json!(["en", 1, 1, [], []]), "{what}");
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        // Colours change slowly.
        std::thread::sleep(std::time::Duration::from_millis(250));
        let found = run(browser, CONTRAST);
        assert!(found[0].as_u64() >= Some(5), "{what}: {found}");
        assert_eq!(found[1], json!([]), "{what}, {scheme}");
    }
}

/// All that can have the focus gets it by Tab, in the order of the page, is seen then, and lets it go.
fn expect_keyboard(browser: &mut Browser) {
    let wanted = run(
        browser,
        "document.activeElement.blur(); window.scrollTo(0, 0); \
         return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')] \
           .filter((node) => !node.disabled && node.tabIndex >= 0 && node.getClientRects().length).length",
    );
    let wanted = wanted.as_u64().unwrap();
    let mut order = Vec::new();
    for _ in 0..wanted + 3 {
        for kind in ["rawKeyDown", "keyUp"] {
            let tab = json!({"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9});
            browser.call("Input.dispatchKeyEvent", &tab);
        }
        let now = run(
            browser,
            "const at = document.activeElement; if (!at || at === document.body) return null; \
             const all = [...document.querySelectorAll('*')]; const style = getComputedStyle(at); \
             return [all.indexOf(at), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, `${at.tagName} ${at.id}`]",
        );
        if now.is_null() {
            break;
        }
        assert_eq!(now[1], true, "the focus is not seen: {now}");
        order.push(now[0].as_u64().unwrap());
    }
    assert_eq!(
        order.len() as u64,
        wanted,
        "Tab reaches everything, and leaves the page"
    );
    assert!(order.is_sorted(), "{order:?}");
}

pub(crate) fn controls_have_names_and_text_is_readable(browser: &mut Browser) {
    let (page, _) = report(
        "access",
        &[
            "check",
            "models/train-gate.xml",
            "-q",
            "E<> Train(1).Starting",
            "-q",
            "A[] not deadlock",
            "--search",
            "bfs",
        ],
    );
    open(browser, &url(&page));
    for view in ["automata", "sequence", "gantt", "plots"] {
        run(
            browser,
            &format!("zonewalk.app.show('{view}'); zonewalk.app.go(4)"),
        );
        expect_access(browser, view);
    }
    // The check finds what is wrong.
    run(
        browser,
        "const bad = document.createElement('p'); bad.id = 'bad'; bad.textContent = 'too faint'; bad.style.color = '#888'; \
         bad.style.background = '#777'; document.querySelector('main').append(bad)",
    );
    assert!(
        run(browser, CONTRAST)[1][0]
            .as_str()
            .unwrap()
            .contains("too faint")
    );
    run(browser, "document.getElementById('bad').remove()");
    run(browser, "zonewalk.app.show('automata')");
    expect_keyboard(browser);
    // On paper: the steps and the state as they are, without controls.
    browser.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    let printed = run(
        browser,
        "window.dispatchEvent(new Event('beforeprint')); \
         const seen = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length).length; \
         return [seen('.bar'), seen('#steps .row'), seen('.result')]",
    );
    let steps = run(browser, "return zonewalk.app.run.end + 1");
    assert_eq!(printed, json!([0, steps, 2]));
    browser.call("Emulation.setEmulatedMedia", &json!({"media": ""}));
    // The page about coverage has no script, and is as readable.
    let folder = folder("access");
    let file = folder.join("coverage.html");
    let option = format!("html:{}", file.display());
    zonewalk(&[
        "explore",
        "models/train-gate.xml",
        "--max-walks",
        "1",
        "--max-steps",
        "3",
        "--coverage",
        &option,
    ]);
    browser.open(&url(&file));
    let pictures: Value = run(
        browser,
        "return document.querySelectorAll('svg.automaton .never').length > 0",
    );
    assert_eq!(pictures, true);
    expect_access(browser, "coverage");
    expect_silence(browser);
}
