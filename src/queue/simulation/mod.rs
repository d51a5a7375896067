//! A deterministic simulation of workers, network, doorbell, coordinators and store. A seed determines every crash, and
//! every delay, duplication, loss and reordering of messages.

mod audit;
mod random;
mod seeds;
mod sim_coordinator;
mod sim_worker;
mod swarm;
mod world;
mod world_checks;
