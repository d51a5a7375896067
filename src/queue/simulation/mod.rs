//! A deterministic simulation of workers, network, doorbell, coordinators and store. A seed decides every crash, delay,
//! duplicate, loss and change of order.

mod audit;
mod random;
mod seeds;
mod sim_coordinator;
mod sim_worker;
mod swarm;
mod world;
mod world_checks;
