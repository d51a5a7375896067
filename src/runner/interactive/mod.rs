//! Interactive problems: the program and the interactor run concurrently, connected by pipes that are relayed and
//! recorded.

mod relay;
mod session;

pub(super) use session::{Interaction, InteractionCell, InteractionInput, run_both};
