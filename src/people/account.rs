//! Accounts and invitations, and the rules for their names. Pure.

use serde::Serialize;

use crate::model::Diagnostic;

use super::PersonRole;

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 100;
/// Maximum length of a login, in characters.
const LONGEST_LOGIN: usize = 64;
/// Maximum number of names in a list.
const MOST_NAMES: usize = 2_000;

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The id: 32 hexadecimal digits.
    pub id: String,
    /// The name with which the person logs in.
    pub login: String,
    /// The name that others see.
    pub name: String,
    /// What the person may do.
    pub role: PersonRole,
    /// Whether the person may no longer log in.
    pub disabled: bool,
    /// When the account was made, in milliseconds since 1970.
    pub created: i64,
}

/// An account to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    login: String,
    name: String,
}

impl NewAccount {
    /// Checks the names of an account.
    ///
    /// # Errors
    /// Fails if the login has other characters than ASCII letters, digits and `._-@+`, or if a name is empty or too long.
    pub fn new(login: &str, name: &str) -> Result<NewAccount, Diagnostic> {
        let login = login.trim().to_ascii_lowercase();
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-@+".contains(c);
        if login.is_empty() || login.len() > LONGEST_LOGIN || !login.chars().all(allowed) {
            return Err(Diagnostic::new("the login is not valid").help(format!(
                "a login has 1 to {LONGEST_LOGIN} letters (a to z), digits and the characters . _ - @ +"
            )));
        }
        Ok(NewAccount { login, name: checked_name(name)? })
    }

    /// The login, in lower case.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Returns a name without blanks at its ends and without repeated ones.
pub(super) fn checked_name(name: &str) -> Result<String, Diagnostic> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Diagnostic::new("the name is not valid").help(format!("a name has 1 to {LONGEST_NAME} characters")));
    }
    Ok(name)
}

/// The names of a list: the first column of a CSV file with `,` or `;`, or one name a line. A first line `name` is a header.
///
/// # Errors
/// Fails if a name is too long, or if there are no names or too many.
pub fn names_of_list(text: &str) -> Result<Vec<String>, Diagnostic> {
    let text = text.trim_start_matches('\u{feff}');
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let field = first_field(line);
        if field.trim().is_empty() || (number == 0 && field.trim().eq_ignore_ascii_case("name")) {
            continue;
        }
        names.push(checked_name(&field).map_err(|error| {
            Diagnostic::new(format!("line {}: {}", number + 1, error.message)).help(error.help.unwrap_or_default())
        })?);
    }
    if names.is_empty() || names.len() > MOST_NAMES {
        return Err(Diagnostic::new(format!("the list has {} names", names.len()))
            .help(format!("give 1 to {MOST_NAMES} names, one a line, or a CSV file whose first column has them")));
    }
    Ok(names)
}

/// The first field of a line of CSV. A field in quotes may contain separators.
fn first_field(line: &str) -> String {
    let line = line.trim();
    let Some(quoted) = line.strip_prefix('"') else {
        return line.split([',', ';', '\t']).next().unwrap_or("").to_owned();
    };
    let mut field = String::new();
    let mut letters = quoted.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => break,
            letter => field.push(letter),
        }
    }
    field
}

/// An invitation to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvitation {
    /// The role of those who accept it.
    pub role: PersonRole,
    /// The name of the one who accepts it; without one, everybody chooses their own.
    pub name: Option<String>,
    /// The account whose password is set anew.
    pub person: Option<String>,
    /// Whether only one person can accept it.
    pub single_use: bool,
}

/// An invitation that can be accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invitation {
    /// The id, with which it is revoked.
    pub id: String,
    /// The role of those who accept it.
    pub role: PersonRole,
    /// The name of the one who accepts it.
    pub name: Option<String>,
    /// The account whose password is set anew.
    #[serde(skip)]
    pub person: Option<String>,
    /// Whether only one person can accept it.
    pub single_use: bool,
    /// When it ends, in milliseconds since 1970.
    pub expires: i64,
}

/// A token for programs of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonalToken {
    /// The id, with which it is revoked.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_lower_case_and_names_are_trimmed() {
        let new = NewAccount::new(" Zoe.Q ", "  Zoë   Quist ").unwrap();
        assert_eq!((new.login(), new.name()), ("zoe.q", "Zoë Quist"));
        for login in ["", "a b", "zoë", "a/b", "<b>", &"a".repeat(65)] {
            assert!(NewAccount::new(login, "A").is_err(), "{login}");
        }
        for name in ["", "  ", "a\u{7}b", &"a".repeat(101)] {
            assert!(NewAccount::new("a", name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_list_of_names_is_lines_or_the_first_column() {
        let names = |text: &str| names_of_list(text).unwrap();
        assert_eq!(names("\u{feff}Name,Mail\r\nAnn A,a@x\r\n\r\nZoë;z@x\n"), ["Ann A", "Zoë"]);
        assert_eq!(names("\"Quist, \"\"Z\"\"\",1\nB"), ["Quist, \"Z\"", "B"]);
        assert!(names_of_list("name\n\n").is_err());
        let error = names_of_list(&format!("A\n{}", "b".repeat(101))).unwrap_err();
        assert!(error.message.starts_with("line 2: "), "{}", error.message);
    }
}
