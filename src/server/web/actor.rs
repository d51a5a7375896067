//! The person who sent a request, and their permissions.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::people::{Account, PersonRole};

use super::error::{WebError, WebResult};
use super::guard::Visit;

/// Id of the owner, who has no account.
pub(super) const LOCAL_PERSON: &str = "local";

/// The person who sent a request. On a server without accounts, this is always the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Actor {
    person: Arc<str>,
    name: Arc<str>,
    role: PersonRole,
}

impl Actor {
    /// Returns the owner: the user who started the server.
    pub(super) fn owner() -> Actor {
        Actor { person: LOCAL_PERSON.into(), name: "Owner".into(), role: PersonRole::Owner }
    }

    /// Creates the actor for the holder of an account.
    pub(super) fn of(account: &Account) -> Actor {
        Actor { person: account.id.as_str().into(), name: account.name.as_str().into(), role: account.role }
    }

    /// Returns the display name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the role in the class, for pages that show the role or hide controls. Handlers must check permissions
    /// with the methods below instead.
    pub(super) fn role(&self) -> PersonRole {
        self.role
    }

    /// Returns whether the actor may see the work of everyone.
    pub(super) fn sees_all(&self) -> bool {
        self.role.sees_all()
    }

    /// Returns the id of the person, which is stored with the person's submissions, matches and searches.
    pub(super) fn person(&self) -> &str {
        &self.person
    }

    /// Returns whether the actor may see the work of `person`.
    pub(super) fn sees_work_of(&self, person: &str) -> bool {
        self.role.sees_all() || &*self.person == person
    }

    /// Requires permission to change the work of `person`. Only teachers and the owner may change the work of others.
    pub(super) fn require_change_of(&self, person: &str) -> WebResult<()> {
        if &*self.person == person { Ok(()) } else { self.require_teacher() }
    }

    /// Requires a role that may see all work: owner, teacher or assistant.
    pub(super) fn require_staff(&self) -> WebResult<()> {
        if self.role.sees_all() { Ok(()) } else { Err(self.forbidden(PersonRole::Assistant)) }
    }

    /// Requires a role that manages the class: owner or teacher.
    pub(super) fn require_teacher(&self) -> WebResult<()> {
        if self.role.manages() { Ok(()) } else { Err(self.forbidden(PersonRole::Teacher)) }
    }

    fn forbidden(&self, least: PersonRole) -> WebError {
        let (least, own) = (least.name(), self.role.name());
        let message = format!("this request requires at least the role `{least}`, but your role is `{own}`");
        WebError::new(StatusCode::FORBIDDEN, message)
    }
}

/// Extracts the sender of a request. Requests from unknown senders are rejected with status 401.
impl<S: Sync> FromRequestParts<S> for Actor {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> WebResult<Actor> {
        let actor = parts.extensions.get::<Visit>().and_then(|visit| visit.actor.clone());
        actor.ok_or_else(|| WebError::new(StatusCode::UNAUTHORIZED, "this request requires a login"))
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
