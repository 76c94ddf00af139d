//! Scalable families of timed models, each with its queries and the verdicts that are expected of them.
//!
//! [`generate`] writes a member of a family as UPPAAL's XML; [`all`] lists the families with their parameters. A family
//! is one file: its parameters, and a function from their values to a model (module `model`) that reads like
//! the description of the model. To add one, write that file and name it in one of the tables below.
//!
//! Some are timed I/O automata, for refinement. Their XML has `IO` lines, and [`generate_project`] writes them as a project of
//! ECDAR. The two texts are described apart from each other, so that tests can compare them.
//!
//! Invariant: the text is a function of the family's name and the values of its parameters.

mod arbiter_tree;
mod back_loops;
mod bang_olufsen;
mod brp;
mod conference;
mod csma_cd;
mod diamond;
mod dining;
mod ecdar;
mod error;
mod family;
mod firewire;
mod fischer;
mod garage;
mod gossip;
mod layout;
mod leader_election;
mod leader_tioa;
mod lift;
mod milner;
mod milner_tioa;
mod model;
pub mod oracles;
mod othello;
mod params;
mod philips_audio;
mod plc_mutex;
mod plc_track;
mod scc;
mod scheduler;
mod spec;
mod swp;
mod train_gate;
mod xml;

pub use error::Error;
pub use family::Family;
pub use spec::ParamSpec;

use model::Model;
use params::Params;

static NETWORKS: &[Family] = &[
    fischer::FAMILY,
    csma_cd::FAMILY,
    train_gate::FAMILY,
    milner::FAMILY,
    leader_election::FAMILY,
    gossip::FAMILY,
    scheduler::FAMILY,
    philips_audio::FAMILY,
    bang_olufsen::FAMILY,
    plc_mutex::FAMILY,
    plc_track::FAMILY,
    arbiter_tree::FAMILY,
    dining::FAMILY,
    brp::FAMILY,
    swp::FAMILY,
    lift::FAMILY,
    firewire::FAMILY,
    conference::FAMILY,
    othello::FAMILY,
    garage::FAMILY,
    diamond::FAMILY,
    back_loops::FAMILY,
    scc::FAMILY,
];

static TIOA: &[Family] = &[milner_tioa::FAMILY, leader_tioa::FAMILY];

/// The families, in the order in which they are listed to the user.
pub fn all() -> impl Iterator<Item = &'static Family> {
    NETWORKS.iter().chain(TIOA)
}

/// The families of networks of timed automata.
pub fn networks() -> &'static [Family] {
    NETWORKS
}

/// The families of timed I/O automata.
pub fn tioa() -> &'static [Family] {
    TIOA
}

/// Writes a member of the family `name` as an XML document that holds its queries, the family's main goal first.
///
/// `params` are names and values as the user wrote them; a value is a number, or the word for it where the parameter
/// has words. Parameters that are left out have their defaults.
///
/// # Errors
/// An unknown family or parameter, a parameter given twice, a value that is no number or out of range, or values
/// that do not fit together.
pub fn generate(name: &str, params: &[(String, String)]) -> Result<String, Error> {
    let (model, command) = member(name, params)?;
    Ok(xml::write(&model, &command))
}

/// Writes a member of a family of timed I/O automata as a project of ECDAR: the files of a folder, each by its path there.
///
/// # Errors
/// As for [`generate`], and a family of networks.
pub fn generate_project(name: &str, params: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let (model, command) = member(name, params)?;
    if model.components.is_empty() {
        return Err(Error::NoProject {
            name: name.to_owned(),
            known: TIOA.iter().map(|family| family.name).collect(),
        });
    }
    Ok(ecdar::write(&model, &model.components, &command))
}

/// The member of a family, and the command that writes it.
fn member(name: &str, params: &[(String, String)]) -> Result<(Model, String), Error> {
    let Some(family) = all().find(|family| family.name == name) else {
        return Err(Error::unknown_family(name, all().map(|family| family.name)));
    };
    let params = Params::read(family.name, family.params, params)?;
    let model = (family.build)(&params)?;
    Ok((model, params.command(family.name)))
}
