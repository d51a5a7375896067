//! Who sends a request, and what they may see and change.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::people::{Account, PersonRole};

use super::error::{WebError, WebResult};
use super::guard::Visit;

/// The person of a server without accounts.
pub(super) const LOCAL_PERSON: &str = "local";

/// Who sends a request. Without accounts it is always the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Actor {
    person: Arc<str>,
    name: Arc<str>,
    role: PersonRole,
}

impl Actor {
    /// The user who started the server.
    pub(super) fn owner() -> Actor {
        Actor { person: LOCAL_PERSON.into(), name: "Owner".into(), role: PersonRole::Owner }
    }

    /// The person of an account.
    pub(super) fn of(account: &Account) -> Actor {
        Actor { person: account.id.as_str().into(), name: account.name.as_str().into(), role: account.role }
    }

    /// The name that others see.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the person may do, for pages that say so. Decisions are made by the functions below.
    pub(super) fn role(&self) -> PersonRole {
        self.role
    }

    /// Whether the person sees the work of everybody.
    pub(super) fn sees_all(&self) -> bool {
        self.role.sees_all()
    }

    /// The id of the person: that of their submissions, matches and searches.
    pub(super) fn person(&self) -> &str {
        &self.person
    }

    /// Whether the person may see the work of `person`.
    pub(super) fn sees_work_of(&self, person: &str) -> bool {
        self.role.sees_all() || &*self.person == person
    }

    /// Allows the request for those who may stop or change the work of `person`: themselves, and teachers.
    pub(super) fn require_change_of(&self, person: &str) -> WebResult<()> {
        if &*self.person == person { Ok(()) } else { self.require_teacher() }
    }

    /// Allows the request for those who see the work of everybody: the owner, teachers and assistants.
    pub(super) fn require_staff(&self) -> WebResult<()> {
        if self.role.sees_all() { Ok(()) } else { Err(forbidden("only teachers and assistants may see this")) }
    }

    /// Allows the request for those who manage the class: the owner and teachers.
    pub(super) fn require_teacher(&self) -> WebResult<()> {
        if self.role.manages() { Ok(()) } else { Err(forbidden("only teachers may do this")) }
    }
}

fn forbidden(message: &str) -> WebError {
    WebError::new(StatusCode::FORBIDDEN, message)
}

/// A handler that takes an `Actor` is only reached by somebody who is known.
impl<S: Sync> FromRequestParts<S> for Actor {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> WebResult<Actor> {
        let actor = parts.extensions.get::<Visit>().and_then(|visit| visit.actor.clone());
        actor.ok_or_else(|| WebError::new(StatusCode::UNAUTHORIZED, "log in first"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_student_reaches_only_their_own_work() {
        for role in PersonRole::ALL {
            let actor = Actor { person: "zoë".into(), name: "Zoë".into(), role };
            assert!(actor.sees_work_of("zoë") && actor.require_change_of("zoë").is_ok());
            assert_eq!(actor.sees_work_of("ann"), role != PersonRole::Student, "{role:?}");
            assert_eq!(
                actor.require_change_of("ann").is_ok(),
                matches!(role, PersonRole::Owner | PersonRole::Teacher),
                "{role:?}"
            );
            assert_eq!(actor.require_staff().is_ok(), role != PersonRole::Student);
            assert_eq!(actor.require_teacher().is_ok(), matches!(role, PersonRole::Owner | PersonRole::Teacher));
        }
    }
}
