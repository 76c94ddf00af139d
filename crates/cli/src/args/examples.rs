//! Text below the options in the help. A paragraph is one line here, and so is an entry of a list: they are broken for
//! the screen. Commands fit into 80 columns.

use zonewalk_searches::Purpose;

pub(super) const ALL: &str = "Examples:
  zonewalk check models/fischer-broken.xml --query-index 1
  zonewalk check models/train-gate.xml -q 'E<> Train(1).Bridge' --search ret
  zonewalk info models/fischer.xml -D N=20 --format json
  zonewalk simulate models/train-gate.xml --seed 7 --steps 20
  zonewalk refine models/tea-machine 'refinement: SlowMachine <= Machine'

`zonewalk help searches` explains which search to use.

Exit status: 0 success; 1 some query is not satisfied; 2 usage error, invalid model or run-time error in \
     the model; 3 some query is undecided; 70 bug in zonewalk; 130 interrupted.";

pub(super) const CHECK: &str = "Examples:
  zonewalk check models/fischer-broken.xml --query-index 1
  zonewalk check models/fischer.xml -q 'E<> Process(2).critical' --search rlc
  zonewalk check models/bridge.xta models/bridge.q --timeout 30s --format json
  zonewalk check models/fischer-broken.xml --timeout 5s --trace-file trace.json
  zonewalk check models/fischer.xml --query-index 1 --sweep N=2..5 --sweep K=1,2

Searches: bfs, dfs and rdfs explore the whole zone graph: they find errors and prove their absence. greedy \
     and astar do the same, but explore first what an estimate says is close to \
     the goal. drs (deep random search) finds and proves; highway and random only \
     find. sem, ret, rlc and rlc-a make random walks with exact times; com makes \
     walks in which every process commits to what it has drawn; guided makes short \
     walks from the states that came closest to the goal; smc makes walks by the \
     stochastic semantics. Walks find rare and deep errors, and prove nothing. auto \
     runs walks, rdfs, greedy and bfs in parallel: the first to find the answer \
     stops the others. `E[]`, `A<>`, `-->`, `sup`, `inf` and `bounds` are decided by \
     auto, bfs, dfs and rdfs.

The same seed and number of threads give the same answer and the same trace on every machine. With auto, \
     the answer is the same, and so is the trace if a walk finds it at once.

Exit status: 0 every query is satisfied; 1 some query is not satisfied; 3 otherwise, if some query is \
     undecided; 2 usage error, invalid model or query, or run-time error in the \
     model; 70 bug in zonewalk; 130 interrupted. With --expect: 0 if all answers are \
     as recorded, 1 if not. With --strict: 1 if there is a warning about an answer, unless \
     2, 70 or 130 applies.";

pub(super) const EXPLORE: &str = "Examples:
  zonewalk explore models/train-gate.xml
  zonewalk explore models/fischer.xml --search rlc --max-walks 100
  zonewalk explore models/fischer.xml --search bfs
  zonewalk explore models/scheduler.xml --timeout 10s --format json
  zonewalk explore models/fischer.xml --coverage html:coverage.html

Exit status: 0 all states were explored, or all walks made; 3 stopped by a limit; 2 usage error, invalid \
     model, or run-time error in the model; 130 interrupted.";

pub(super) const JUDGE: &str = "Examples:
  zonewalk check models/fischer.xml --query-index 1 --certificate fischer.cert
  zonewalk judge models/fischer.xml fischer.cert --query-index 1
  zonewalk judge models/fischer.xml fischer.cert --query-index 1 --sample 1000
  zonewalk judge models/fischer.xml fischer.cert --query-index 1 --lint

Model, query and constants are those of the command line: nothing is concluded from what the file says \
     about them. docs/certificates.md has the format, and what a certificate must fulfil.

Exit status: 0 accepted; 1 refused, or findings with --lint; 2 usage error, invalid model, query or file, or \
     something that the judge does not cover; 3 stopped by a limit, or nothing to object to in a sample; \
     130 interrupted.";

pub(super) const DRAW: &str = "Examples:
  zonewalk draw models/train-gate.xml -o train-gate.svg
  zonewalk draw models/bridge.xta --template Person -o person.svg
  zonewalk draw models/tea-machine -o tea-machine.dot

Positions are those of the file. Where it has none, as in .xta, .ta and ECDAR projects, the locations are \
     laid out in layers, the initial one at the top.

Exit status: 0 the file is written; 2 usage error or invalid model.";

pub(super) const VIEW: &str = "Examples:
  zonewalk view models/fischer-broken.xml trace.json -o trace.html
  zonewalk view models/tea-machine run.json -o run.html
  zonewalk view models/fischer-broken.xml trace.json --chart gantt -o trace.svg

The page is one file without any network access. The trace is replayed by the reference interpreter first. \
     `zonewalk check MODEL --report html:FILE` writes a page with all answers and \
     their traces.

Exit status: 0 the file is written; 2 usage error, invalid model, or a trace that is none of the model's.";

pub(super) const REFINE: &str = "Examples:
  zonewalk refine models/tea-machine
  zonewalk refine models/tea-machine 'refinement: Machine <= SlowMachine'
  zonewalk refine models/tea-machine --query-index 2 --trace-file run.json
  zonewalk refine models/narrow --search ret --max-walks 1000 --format json

Queries: `refinement: S <= T`, `consistency: S`, `determinism: S`, `implementation: S`, `specification: S`, \
     `reachability: S @ init -> C.Location`, `get-component: S save-as N`, `prune: S \
     save-as N`. Systems are names of components, combined by `&&` (conjunction), \
     `||` (parallel composition) and `//` (quotient).

symbolic explores everything and decides every query. ret, rcf and smc make random walks: they find \
     violations of a refinement, and prove nothing. auto runs symbolic, and ret in \
     parallel if that takes longer. Every run shown has been checked by an \
     interpreter that shares no code with the searches.

save-as N lets later queries use the component; with --output DIR it also writes DIR/Components/N.json, and \
     replaces an existing file only with --force.

Exit status: 0 every query is satisfied; 1 some query is not satisfied; 3 otherwise, if some query is \
     undecided; 2 usage error, invalid project or query; 70 bug in zonewalk; 130 \
     interrupted. With --expect: 0 if all answers are as recorded, 1 if not.";

pub(super) const REPLAY: &str = "Examples:
  zonewalk check models/fischer-broken.xml --query-index 1 --trace-file t.json
  zonewalk replay models/fischer-broken.xml t.json
  zonewalk replay models/fischer-broken.xml t.json --state -1
  zonewalk refine models/tea-machine --query-index 2 --trace-file run.json
  zonewalk replay models/tea-machine run.json

Everything in the trace is checked: the initial state, every delay and transition, what each of them \
     changes, and whether the trace ends where its query says. For a run of `refine`, every step of both \
     sides is checked, and the rule at its end.

Exit status: 0 valid; 1 invalid (reports the step and the reason); 2 usage error, invalid model, or a \
     file that is not a trace.";

pub(super) const INFO: &str = "Examples:
  zonewalk info models/fischer.xml
  zonewalk info models/bridge.xta models/bridge.q
  zonewalk info models/fischer.xml -q 'E<> Process(2).critical' --format json
  cat model.xml | zonewalk info -

Exit status: 0 the model is well-formed, whatever its queries; 2 otherwise.";

/// With the names of the checks.
pub(super) fn lint() -> String {
    let mut text = LINT.to_owned();
    text.push_str("\n\nChecks:\n");
    for check in zonewalk_lint::Check::ALL {
        text.push_str(&format!("  {:<12}{}\n", check.name(), check.summary()));
    }
    text.push('\n');
    text.push_str(LINT_STATUS);
    text
}

const LINT: &str = "Examples:
  zonewalk lint models/crossing.ta
  zonewalk lint models/train-gate.xml -D N=2 --skip zeno,variables
  zonewalk lint models/bridge.xta --only deadlock --format json";

const LINT_STATUS: &str = "A deadlock counts as intended where a process has come to a location without outgoing edges, and where \
     a query that mentions deadlock holds. Locations that a query names are not reported as unreachable.

Exit status: 0 no findings; 1 findings that are proved; 3 otherwise, if a limit cut a check short or what was \
     not found is not proved; 2 usage error or invalid model; 130 interrupted.";

pub(super) const SIMULATE: &str = "Examples:
  zonewalk simulate models/fischer.xml
  zonewalk simulate models/train-gate.xml -D N=2 --seed 7 --steps 50
  zonewalk simulate models/heartbeat.xml --interactive
  zonewalk simulate models/fischer.xml --save run.json --trace-format gantt
  zonewalk simulate models/fischer.xml --from run.json --steps 4

The same seed gives the same run on every machine.

Exit status: 0 the run was made; 2 invalid model or run-time error in the model.";

#[cfg(feature = "serve")]
pub(super) const SERVE: &str = "Examples:
  zonewalk serve models/fischer-broken.xml
  zonewalk serve models/bridge.xta --port 8080 --timeout 60s

Prints an address with an access token: open it in a browser of this machine. All tabs share one run. The model is \
     loaded again when its file changes. The other options are those of check, for queries. Ctrl-C ends the server.

Exit status: 0 ended by Ctrl-C; 2 usage error, invalid model, or the port is taken.";

pub(super) const VERIFYTA: &str = "Examples:
  zonewalk verifyta models/bridge.xta models/bridge.q
  zonewalk verifyta -q -s -t1 -o0 models/fischer-broken.xml
  zonewalk verifyta -t 0 -f trace models/fischer-broken.xml

One-letter options can be combined: -qs, -t0, -o2. For scripts that call verifyta, put \
     `exec zonewalk verifyta \"$@\"` into a file of that name. For everything else, use `zonewalk check`.

Exit status: 0 every formula was decided, whatever the answers; 1 usage error, invalid model or query, \
     run-time error in the model, or an undecided formula; 70 bug in zonewalk; 130 interrupted.";

pub(super) const COMPLETIONS: &str = "Examples:
  zonewalk completions bash >> ~/.bash_completion
  zonewalk completions zsh > ~/.zfunc/_zonewalk
  zonewalk completions fish > ~/.config/fish/completions/zonewalk.fish";

pub(super) const MAN: &str = "Examples:
  zonewalk man > ~/.local/share/man/man1/zonewalk.1
  zonewalk man check > ~/.local/share/man/man1/zonewalk-check.1";

/// Which search to use, by the table of searches.
pub(super) fn searches() -> String {
    let mut text = "Which search to use\n".to_owned();
    for purpose in Purpose::ALL {
        text.push('\n');
        if let Some(heading) = purpose.heading() {
            text.push_str(heading);
            text.push('\n');
        }
        for search in purpose.searches() {
            let info = search.info();
            text.push_str(&format!("{:<10}{}\n", info.name, info.advice));
        }
    }
    text.push('\n');
    text.push_str(RULES_OF_THUMB);
    text
}

const RULES_OF_THUMB: &str = "Rules of thumb. No answer within a minute: run `zonewalk info MODEL`, which shows the engines \
     that support the model. Out of memory: --search ret, or drs with --cutoff. A long trace: --trace \
     shortest. Stopwatches, which only walks support exactly: --search ret.";

pub(super) const GENERATE: &str = "Examples:
  zonewalk generate --list
  zonewalk generate fischer -n 20 --param buggy=weak -o fischer-20.xml
  zonewalk generate milner -n 500 | zonewalk check - --query-index 1
  zonewalk generate milner-tioa -n 12 -o milner-12";

#[cfg(feature = "papers")]
pub(super) const BENCH: &str = "Examples:
  zonewalk bench --quick
  zonewalk bench fmics-9 --models fmics2021 --seeds 5 > table.md
  zonewalk bench fmics --models fmics2021 --format json --timeout 300s

  zonewalk bench drs --models corpus > drs.md
  zonewalk bench highway --models corpus --svg plots --format json
  zonewalk bench setta-5 --timeout 20s > leaders.md
  zonewalk bench mcta-2 --models corpus/mcta --row C_9

fmics: Kiviriga, Larsen and Nyman, FMICS 2021. drs: Grosu, Huang, Smolka, Tan and Tripakis, deep random \
     search. highway: Engels, Groote, van Weerdenburg and Willemse, 2009. setta: Kiviriga, Larsen and Nyman, \
     SETTA 2020. mcta: Wehrle and Kupferschmid, FORMATS 2012. Without --models, each row is \
     measured on the closest member of zonewalk's own families; those times can be compared with each \
     other, but not with the paper.";
