//! `problem.yaml` as written (`Spec`) and as meant (`Problem`).
