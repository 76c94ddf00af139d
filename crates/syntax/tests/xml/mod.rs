//! The XML reader on small files: what it keeps, where it points, what it survives.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

mod damage;
mod kept;
mod messages;

use zonewalk_syntax::ast::Document;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

/// Reads a model; every diagnostic as `line:column severity code: message [element]`.
fn read(bytes: &[u8]) -> (Option<Document>, Vec<String>) {
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model("test.xml", bytes, None, &mut sources);
    let messages = diagnostics.iter().map(|d| {
        let source = sources.source(d.primary.span.start).unwrap();
        let at = source.position(d.primary.span.start);
        let severity = if d.is_error() { "error" } else { "warning" };
        let element = source.element(d.primary.span.start);
        let element = element.map(|e| format!(" [{e}]")).unwrap_or_default();
        format!(
            "{}:{} {severity} {}: {}{element}",
            at.line, at.column, d.code, d.message
        )
    });
    (document, messages.collect())
}

/// Reads a model without any diagnostic.
fn good(text: &str) -> Document {
    let (document, messages) = read(text.as_bytes());
    assert!(messages.is_empty(), "{messages:?}");
    document.unwrap()
}

/// The diagnostics of a file.
fn messages(text: &str) -> Vec<String> {
    read(text.as_bytes()).1
}

/// A template with two locations and what else it is given.
fn template(more: &str) -> String {
    format!(
        "<nta><template><name>P</name><location id='a'><name>A</name></location>\
         <location id='b'/><init ref='a'/>{more}</template><system>system P;</system></nta>"
    )
}

const TRAIN: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
	<declaration>// Global &amp; shared
const int N = 2;
chan appr[N];</declaration>
	<template>
		<name x="5" y="5">Train</name>
		<parameter>const int[0, N - 1] id</parameter>
		<declaration>clock x;</declaration>
		<location id="id0" x="-10" y="20.6" color="#ff00ff">
			<name x="1" y="2">Safe</name>
			<label kind="invariant" x="3" y="4">x &lt;= 5 &amp;&amp; id &#62;= 0</label>
			<label kind="exponentialrate">1:2</label>
			<label kind="comments">a &lt; b</label>
			<label kind="testcodeEnter">enter();</label>
		</location>
		<location id="id1"><committed/></location>
		<location id="id2"><name></name><urgent/></location>
		<branchpoint id="id3" x="1" y="1">
		</branchpoint>
		<init ref="id0"/>
		<transition id="id9" controllable="false" action="go" color="#112233">
			<source ref="id0"/>
			<target ref="id3"/>
			<label kind="select" x="7" y="8">i : int[0, 1]</label>
			<label kind="guard">x &gt; 1</label>
			<label kind="synchronisation">appr[i]!</label>
			<label kind="assignment">x = 0</label>
			<nail x="1" y="2"/>
			<nail x="3" y="4"/>
		</transition>
		<transition><source ref="id3"/><target ref="id1"/><label kind="probability">3</label></transition>
		<transition><source ref="id3"/><target ref="id2"/><label kind="guard">  </label></transition>
	</template>
	<instantiation>T0 = Train(0);</instantiation>
	<system><![CDATA[T1 = Train(1); system T0 < T1;]]></system>
</nta>
"##;
