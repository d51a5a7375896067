//! Interactive problems: the program and the interactor run concurrently, connected by pipes whose data is relayed and
//! recorded.

mod relay;
mod session;

pub(super) use session::{Interaction, InteractionCell, InteractionInput, run_both};
