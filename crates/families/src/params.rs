//! Values of the parameters of a family in one member.

use crate::error::Error;
pub(crate) use crate::spec::ParamSpec;

/// The values of a family's parameters in one member.
#[derive(Clone, Debug)]
pub(crate) struct Params {
    specs: &'static [ParamSpec],
    /// By position in `specs`.
    values: Vec<i64>,
}

impl Params {
    /// Reads the given values and fills in defaults.
    pub(crate) fn read(
        family: &'static str,
        specs: &'static [ParamSpec],
        given: &[(String, String)],
    ) -> Result<Self, Error> {
        let mut values: Vec<Option<i64>> = vec![None; specs.len()];
        for (name, text) in given {
            let Some(i) = specs.iter().position(|spec| spec.name == name) else {
                return Err(Error::unknown_parameter(
                    family,
                    name,
                    specs.iter().map(|spec| spec.name),
                ));
            };
            if values[i].replace(read(&specs[i], text)?).is_some() {
                return Err(Error::Repeated { name: name.clone() });
            }
        }
        let values = specs.iter().zip(values);
        Ok(Params {
            specs,
            values: values
                .map(|(spec, value)| value.unwrap_or(spec.default))
                .collect(),
        })
    }

    /// The value of a parameter. Requires: the family has it.
    pub(crate) fn get(&self, name: &str) -> i64 {
        let i = self.specs.iter().position(|spec| spec.name == name);
        self.values[i.expect("a family asks for parameters of its own")]
    }

    /// The command that writes this member again.
    pub(crate) fn command(&self, family: &str) -> String {
        let mut command = format!("zonewalk generate {family}");
        for (spec, &value) in self.specs.iter().zip(&self.values) {
            let text = spec.text(value);
            command += &match spec.name {
                "n" => format!(" -n {text}"),
                name => format!(" --param {name}={text}"),
            };
        }
        command
    }
}

/// The value of a parameter, as the user wrote it: a number, or the word for it.
fn read(spec: &ParamSpec, text: &str) -> Result<i64, Error> {
    let text = text.trim();
    if let Some(i) = spec.words.iter().position(|word| *word == text) {
        return Ok(spec.min + i as i64);
    }
    let value = text.parse().map_err(|_| Error::NotAValue {
        param: *spec,
        text: text.to_owned(),
    })?;
    if value < spec.min || value > spec.max {
        return Err(Error::OutOfRange { param: *spec, value });
    }
    Ok(value)
}
