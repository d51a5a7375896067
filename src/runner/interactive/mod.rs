//! Interactive problems: the program and the interactor run concurrently, connected by pipes. The interactor
//! records the data if it can; otherwise, the data is relayed and recorded.

mod relay;
mod session;

pub(super) use session::{Interaction, InteractionCell, InteractionInput, run_both};
