//! Accounts, invitations and tokens, and the validation of names.

use serde::Serialize;

use crate::model::Diagnostic;
use crate::unzip::name::misleading_character;

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
    /// The login name.
    pub login: String,
    /// The display name.
    pub name: String,
    /// The role, which determines the permissions.
    pub role: PersonRole,
    /// Whether the account is disabled, so that the person can't log in.
    pub disabled: bool,
    /// Creation time, in milliseconds since the Unix epoch.
    pub created: i64,
}

/// The validated login and name of an account to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    login: String,
    name: String,
}

impl NewAccount {
    /// Validates the login and the name of an account.
    ///
    /// # Errors
    /// Fails if the login has characters other than ASCII letters, digits and `._-@+`, if the name has characters that
    /// control how text is shown, or if either is empty or too long.
    pub fn new(login: &str, name: &str) -> Result<NewAccount, Diagnostic> {
        let login = login.trim().to_ascii_lowercase();
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-@+".contains(c);
        let problem = if let Some(wrong) = login.chars().find(|c| !allowed(*c)) {
            Some(format!("the login contains the invalid character `{}`", wrong.escape_debug()))
        } else if login.is_empty() {
            Some("the login is empty".to_owned())
        } else if login.len() > LONGEST_LOGIN {
            Some(format!("the login has {} characters, but at most {LONGEST_LOGIN} are allowed", login.len()))
        } else {
            None
        };
        if let Some(message) = problem {
            return Err(Diagnostic::new(message).help(format!(
                "a login has 1 to {LONGEST_LOGIN} characters: letters (a to z), digits, and `.`, `_`, `-`, `@` and `+`"
            )));
        }
        Ok(NewAccount { login, name: checked_name(name)? })
    }

    /// Returns the login, in lower case.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// Returns the display name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Validates a name. Returns the name without surrounding whitespace and invisible characters, and with each run of
/// whitespace replaced by one space. Control characters and characters that change the direction of text are rejected,
/// since they would change the appearance of adjacent text.
pub(super) fn checked_name(name: &str) -> Result<String, Diagnostic> {
    let visible: String = name.chars().filter(|c| !invisible(*c)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    let name = words.join(" ");
    let length = name.chars().count();
    let problem = if let Some(character) = misleading_character(&name) {
        format!("the name contains {character}; remove it")
    } else if name.is_empty() {
        "the name is empty".to_owned()
    } else if length > LONGEST_NAME {
        format!("the name has {length} characters, but at most {LONGEST_NAME} are allowed")
    } else {
        return Ok(name);
    };
    Err(Diagnostic::new(problem))
}

/// Returns whether a character is never visible. Names with and without such a character look equal. Joiners, which
/// some scripts need, are not included.
fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Parses a list of names: the first column of a CSV file with `,`, `;` or tabs as the separator, or one name per line.
/// If the first field of the first line is `name`, ignoring case, the line is skipped as a header. Lines whose first
/// field is blank are skipped too.
///
/// # Errors
/// Fails if a name is invalid, or if there are no names or too many.
pub fn names_of_list(text: &str) -> Result<Vec<String>, Diagnostic> {
    let text = text.trim_start_matches('\u{feff}');
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let field = first_field(line);
        if field.trim().is_empty() || (number == 0 && field.trim().eq_ignore_ascii_case("name")) {
            continue;
        }
        names.push(
            checked_name(&field)
                .map_err(|error| Diagnostic { message: format!("line {}: {}", number + 1, error.message), ..error })?,
        );
    }
    match names.len() {
        0 => Err(Diagnostic::new("the list contains no names")
            .help("write one name per line, or use a CSV file whose first column contains the names")),
        1..=MOST_NAMES => Ok(names),
        found => Err(Diagnostic::new(format!("the list contains {found} names, but at most {MOST_NAMES} are allowed"))
            .help("split the list")),
    }
}

/// Returns the first field of a line of CSV. A field in quotes may contain separators.
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

/// The data from which an invitation is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvitation {
    /// Role of the accounts that are created with the invitation.
    pub role: PersonRole,
    /// Name of the account to create; `None` if the person chooses it.
    pub name: Option<String>,
    /// Id of the account whose password the invitation resets; `None` if the invitation creates accounts.
    pub person: Option<String>,
    /// Whether the invitation can be accepted only once.
    pub single_use: bool,
}

/// A stored invitation that has not expired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invitation {
    /// The id, which is used to revoke the invitation.
    pub id: String,
    /// Role of the accounts that are created with the invitation.
    pub role: PersonRole,
    /// Name of the account to create; `None` if the person chooses it.
    pub name: Option<String>,
    /// Id of the account whose password the invitation resets; `None` if the invitation creates accounts.
    #[serde(skip)]
    pub person: Option<String>,
    /// Whether the invitation can be accepted only once.
    pub single_use: bool,
    /// Time of expiry, in milliseconds since the Unix epoch.
    pub expires: i64,
}

/// The record of an API token of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonalToken {
    /// The id, which is used to revoke the token.
    pub id: String,
    /// Name of the token, chosen by the person.
    pub name: String,
    /// Creation time, in milliseconds since the Unix epoch.
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
        assert_eq!(NewAccount::new("a", "\u{feff}A\u{200b}nn\u{ad}").unwrap().name(), "Ann");
        for name in ["", "  ", "\u{200b}", "a\u{7}b", "a\u{202e}b", "\u{2066}a", "\u{61c}a", &"a".repeat(101)] {
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
