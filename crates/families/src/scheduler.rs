//! A processor with preemptive fixed-priority scheduling, shared resources and uncertain execution times.
//!
//! Inspired by M. Mikučionis et al., "Schedulability analysis using Uppaal: Herschel-Planck case study", ISoLA 2010, and
//! A. David et al., "Schedulability of Herschel-Planck revisited using statistical model checking", ISoLA 2012: execution
//! times lie between a percentage f of the worst case and the worst case, and a deadline that is met whenever all jobs
//! take their worst case is missed when some of them are faster. Stopwatches measure the processor time of each job.

mod tasks;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};
use tasks::{CRITICAL_PERCENT, Task};

/// Smaller shares of the work than this many workers have could not be divided any more.
const MAX_TASKS: i64 = 64;

pub(crate) const FAMILY: Family = Family {
    name: "scheduler",
    summary: "preemptive fixed-priority tasks with stopwatches and shared resources; a deadline is missed",
    params: &[
        ParamSpec::number("n", 10, (3, MAX_TASKS), "tasks"),
        ParamSpec::number(
            "f",
            70,
            (1, 100),
            "shortest execution times in percent of the longest",
        ),
        ParamSpec::choice(
            "protocol",
            &["ceiling", "inheritance"],
            "how the owner of a resource gets its priority: from the resource, or from the waiting tasks",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, f, protocol] = ["n", "f", "protocol"].map(|name| params.get(name));
    let inherits = protocol == 1;
    let tasks = tasks::tasks(n);

    let mut model = Model::new(
        "Preemptive scheduling by fixed priorities, with shared resources\n\
         Task 0 has the highest priority. Times are in microseconds.",
    );
    model.declare(table(&tasks, f));
    model.declare(STATE);
    model.declare(if inherits {
        INHERITANCE.to_owned()
    } else {
        ceiling(&tasks)
    });
    model.templates.push(task(inherits));
    model.system = "system Task;".to_owned();

    let is_possible = f <= CRITICAL_PERCENT;
    let why = match is_possible {
        true => "possible when the jobs before it take little more than their shortest times",
        false => "impossible, since the jobs before it take too long for that",
    };
    model.query(
        "E<> exists (i : task_t) late[i]",
        Expected::satisfied_if(is_possible),
        format!(
            "A deadline is missed: task 0's, when the last task locks resource 0 just before task 0 is released again, \
             which is {why}."
        ),
    );
    model.query(
        "E<> owner[0] == N - 1 && ready[0]",
        Expected::satisfied_if(is_possible),
        "The last task holds what task 0 needs: the same without the missed deadline.",
    );
    model.query(
        "A[] forall (i : task_t) i > 0 imply !late[i]",
        Expected::Satisfied,
        "No other task misses a deadline: all the work of half a round fits into it.",
    );
    Ok(model)
}

fn table(tasks: &[Task], f: i64) -> String {
    let n = tasks.len();
    let resources = tasks.iter().map(|task| task.resource).max().unwrap_or(0) + 1;
    let row = |field: fn(&Task) -> i64| {
        let values: Vec<_> = tasks.iter().map(|task| field(task).to_string()).collect();
        values.join(", ")
    };
    let sections: Vec<_> = tasks
        .iter()
        .map(|task| {
            let [before, locked, after] = task.sections;
            format!("            {{ {before}, {locked}, {after} }}")
        })
        .collect();
    format!(
        "
        const int NONE = -1;
        const int N = {n};        // tasks
        const int R = {resources};         // resources
        const int F = {f};        // shortest execution times in percent of the longest

        typedef int[0, N - 1] task_t;
        typedef int[0, R - 1] resource_t;
        typedef int[0, 200000] time_t;

        const time_t OFFSET[task_t] = {{ {} }};
        const time_t PERIOD[task_t] = {{ {} }};
        const time_t DEADLINE[task_t] = {{ {} }};
        const resource_t RESOURCE[task_t] = {{ {} }};

        // The longest execution times of a job's sections: before, with and after its resource.
        typedef int[0, 2] section_t;
        const time_t LONGEST[task_t][section_t] =
        {{
{}
        }};

        time_t shortest(task_t task, section_t section)
        {{
            return LONGEST[task][section] * F / 100;
        }}

        int[NONE, N - 1] owner[resource_t] = {{ {} }};        // who holds a resource
        ",
        row(|task| task.offset),
        row(|task| task.period),
        row(|task| task.deadline),
        row(|task| task.resource),
        sections.join(",\n"),
        vec!["NONE"; resources as usize].join(", "),
    )
}

const STATE: &str = "
    int[NONE, N - 1] cpu = NONE;            // the task that runs
    bool ready[task_t];                     // has a job and waits for the processor alone
    bool late[task_t];                      // has missed a deadline
    int[0, 2 * N + 1] prio[task_t];     // of the job; between two tasks' own ones there is room for a ceiling

    int[0, 2 * N] base(task_t task)
    {
        return 2 * (N - task);
    }

    // The ready job with the highest priority runs.
    void dispatch()
    {
        cpu = NONE;
        for (task : task_t)
            if (ready[task] && (cpu == NONE || prio[task] > prio[cpu]))
                cpu = task;
    }

    void release(task_t task)
    {
        ready[task] = true;
        prio[task] = base(task);
        dispatch();
    }

    void finish(task_t task)
    {
        ready[task] = false;
        prio[task] = 0;
        dispatch();
    }
";

/// Declarations for immediate priority ceilings.
fn ceiling(tasks: &[Task]) -> String {
    let resources = tasks.iter().map(|task| task.resource).max().unwrap_or(0) + 1;
    let ceiling = |resource: i64| {
        let highest = tasks.iter().position(|task| task.resource == resource);
        2 * (tasks.len() - highest.unwrap_or(0)) + 1
    };
    let ceilings: Vec<_> = (0..resources).map(|r| ceiling(r).to_string()).collect();
    format!(
        "
    // Just above the highest priority of a task that uses the resource.
    const int CEILING[resource_t] = {{ {} }};

    // While a job holds a resource, no job that uses it runs, so that no job finds it taken.
    void lock(task_t task)
    {{
        owner[RESOURCE[task]] = task;
        prio[task] = CEILING[RESOURCE[task]];
        dispatch();
    }}

    void unlock(task_t task)
    {{
        owner[RESOURCE[task]] = NONE;
        prio[task] = base(task);
        dispatch();
    }}
    ",
        ceilings.join(", ")
    )
}

/// Declarations for priority inheritance.
const INHERITANCE: &str = "
    bool waits[task_t];                     // for its resource
    chan grant[task_t];                     // gets the resource from the one who gives it up

    void lock(task_t task)
    {
        owner[RESOURCE[task]] = task;
        dispatch();
    }

    // The owner goes on with the priority of the one who waits.
    void block(task_t task)
    {
        int[NONE, N - 1] holder = owner[RESOURCE[task]];
        waits[task] = true;
        ready[task] = false;
        if (prio[holder] < prio[task])
            prio[holder] = prio[task];
        dispatch();
    }

    // The first, hence most urgent, task that waits for the resource of this one.
    int[NONE, N - 1] heir(task_t task)
    {
        for (other : task_t)
            if (waits[other] && RESOURCE[other] == RESOURCE[task])
                return other;
        return NONE;
    }

    // The heir needs no other priority than its own: those who still wait are less urgent.
    void unlock(task_t task)
    {
        int[NONE, N - 1] next = heir(task);
        owner[RESOURCE[task]] = next;
        prio[task] = base(task);
        if (next != NONE)
        {
            waits[next] = false;
            ready[next] = true;
        }
        dispatch();
    }
";

fn task(inherits: bool) -> Template {
    let mut task = Template::new("Task", "const task_t id");
    task.declare(
        "
        clock t;                   // since the release, or since the start
        clock c;                   // processor time of the section
        section_t section;
        ",
    );
    task.spacing = (340.0, 238.0);
    let starting = task.add(at(0.0, 1.0, "starting").invariant("t <= OFFSET[id]"));
    let busy = task.add(at(1.5, 1.0, "busy").invariant("c' == (cpu == id) &&\nc <= LONGEST[id][section]"));
    let waiting = task.add(at(1.5, 2.5, "waiting").invariant("t <= PERIOD[id]"));
    let over = |section: &str| format!("section == {section} && cpu == id &&\nc >= shortest(id, {section})");
    let loop_at = |x: f64, y: f64| [(1.5 + x - 0.15, 1.0 + y), (1.5 + x + 0.15, 1.0 + y)];

    for (from, when) in [(starting, "t == OFFSET[id]"), (waiting, "t == PERIOD[id]")] {
        task.edge(from, busy)
            .guard(when)
            .update("release(id)")
            .update("t = 0")
            .update("c = 0");
    }
    task.edge(busy, busy)
        .guard(format!("{} &&\nowner[RESOURCE[id]] == NONE", over("0")))
        .update("lock(id)")
        .update("section++")
        .update("c = 0")
        .via(&loop_at(-0.5, -0.6));
    let none_waits = if inherits { " &&\nheir(id) == NONE" } else { "" };
    task.edge(busy, busy)
        .guard(over("1") + none_waits)
        .update("unlock(id)")
        .update("section++")
        .update("c = 0")
        .via(&loop_at(0.4, -0.6));
    task.edge(busy, waiting)
        .guard(format!("{} &&\n(t <= DEADLINE[id] || late[id])", over("2")))
        .update("finish(id)")
        .update("section = 0")
        .update("c = 0");
    let deadline_passes = "t > DEADLINE[id] && !late[id]";
    task.edge(busy, busy)
        .guard(deadline_passes)
        .update("late[id] = true")
        .via(&loop_at(-0.9, 0.4));
    if inherits {
        let blocked = task.add(at(3.3, 1.0, "blocked"));
        task.edge(busy, blocked)
            .guard(format!("{} &&\nowner[RESOURCE[id]] != NONE", over("0")))
            .update("block(id)");
        task.edge(blocked, busy)
            .sync("grant[id]?")
            .update("section++")
            .update("c = 0");
        task.edge(blocked, blocked)
            .guard(deadline_passes)
            .update("late[id] = true");
        task.edge(busy, busy)
            .guard(format!("{} &&\nheir(id) != NONE", over("1")))
            .sync("grant[heir(id)]!")
            .update("unlock(id)")
            .update("section++")
            .update("c = 0")
            .via(&loop_at(0.9, 0.7));
    }
    task
}
