//! The access token.

use std::fmt;
use std::hint::black_box;

/// Bytes of chance.
const LENGTH: usize = 24;

/// A secret that is known only from the printed address.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A new one, from the system's source of chance.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether a request knows it. Takes as long for every wrong guess of the right length.
    pub(crate) fn is(&self, given: &str) -> bool {
        let (known, given) = (self.0.as_bytes(), given.as_bytes());
        if known.len() != given.len() {
            return false;
        }
        let differences = known.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b));
        black_box(differences) == 0
    }

    /// For the address that is printed.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

/// Without the secret: it must not get into messages.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_secret_and_differ() {
        let (a, b) = (Token::new().expect("chance"), Token::new().expect("chance"));
        assert_eq!(a.reveal().len(), 2 * LENGTH);
        assert!(a.is(a.reveal()));
        assert!(!a.is(b.reveal()) && !a.is("") && !a.is(&a.reveal()[1..]));
        assert_eq!(format!("{a:?}"), "Token");
    }
}
