//! Runs compilers and run-time systems of many languages under the system call filter, with only the required folders.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints what it skips")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use nimatron::model::{ByteSize, Limits, TimeSpan};
use nimatron::sandbox::{Cancel, CellCommand, CellSpec, ForkServer, Input, Mount, Namespaced, Output, Sandbox};

/// A language: its compiler (empty if there is none), the command that runs a program, and a program that reads `20 22`
/// and prints 42.
struct Language {
    name: &'static str,
    source: &'static str,
    text: &'static str,
    compile: &'static [&'static str],
    run: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "C",
        source: "a.c",
        text: "#include <stdio.h>\nint main(void){int a,b;scanf(\"%d %d\",&a,&b);printf(\"%d\\n\",a+b);}",
        compile: &["gcc", "-O2", "-o", "a", "a.c"],
        run: &["{dir}/a"],
    },
    Language {
        name: "C++ with threads",
        source: "a.cc",
        text: "#include <iostream>\n#include <thread>\nint main(){int a,b,c;std::cin>>a>>b;\
               std::thread t([&]{c=a+b;});t.join();std::cout<<c<<\"\\n\";}",
        compile: &["g++", "-O2", "-pthread", "-o", "a", "a.cc"],
        run: &["{dir}/a"],
    },
    Language {
        name: "Rust",
        source: "a.rs",
        text: "fn main(){let mut s=String::new();std::io::stdin().read_line(&mut s).unwrap();\
               println!(\"{}\",s.split_whitespace().map(|x|x.parse::<i32>().unwrap()).sum::<i32>());}",
        compile: &["rustc", "-O", "-o", "a", "a.rs"],
        run: &["{dir}/a"],
    },
    Language {
        name: "Python",
        source: "a.py",
        text: "import threading, subprocess, multiprocessing\nprint(sum(map(int, input().split())))\n",
        compile: &[],
        run: &["python3", "{dir}/a.py"],
    },
    Language {
        name: "PyPy",
        source: "a.py",
        text: "print(sum(map(int, input().split())))\n",
        compile: &[],
        run: &["pypy3", "{dir}/a.py"],
    },
    Language {
        name: "Java",
        source: "Main.java",
        text: "public class Main{public static void main(String[] x){var s=new java.util.Scanner(System.in);\
               System.out.println(s.nextInt()+s.nextInt());}}",
        compile: &["javac", "Main.java"],
        run: &["java", "-Xmx128m", "-Xss64m", "-cp", "{dir}", "Main"],
    },
    Language {
        name: "JavaScript",
        source: "a.js",
        text: "const [a,b]=require('fs').readFileSync(0,'utf8').split(' ').map(Number);console.log(a+b);",
        compile: &[],
        run: &["node", "{dir}/a.js"],
    },
    Language {
        name: "Go",
        source: "a.go",
        text: "package main\nimport \"fmt\"\nfunc main(){var a,b int;fmt.Scan(&a,&b);c:=make(chan int);\
               go func(){c<-a+b}();fmt.Println(<-c)}",
        compile: &["go", "build", "-o", "a", "a.go"],
        run: &["{dir}/a"],
    },
    Language {
        name: "C#",
        source: "a.cs",
        text: "class P{static void Main(){var s=System.Console.ReadLine().Split(' ');\
               System.Console.WriteLine(int.Parse(s[0])+int.Parse(s[1]));}}",
        compile: &["mcs", "-out:a.exe", "a.cs"],
        run: &["mono", "{dir}/a.exe"],
    },
    Language {
        name: "Kotlin",
        source: "a.kt",
        text: "fun main(){println(readLine()!!.split(\" \").map{it.toInt()}.sum())}",
        compile: &["kotlinc", "a.kt", "-include-runtime", "-d", "a.jar"],
        run: &["java", "-jar", "{dir}/a.jar"],
    },
    Language {
        name: "Haskell",
        source: "a.hs",
        text: "main = interact (\\s -> show (sum (map read (words s) :: [Int])) ++ \"\\n\")\n",
        compile: &["ghc", "-O", "-o", "a", "a.hs"],
        run: &["{dir}/a"],
    },
    Language {
        name: "OCaml",
        source: "a.ml",
        text: "let () = Scanf.scanf \" %d %d\" (fun a b -> Printf.printf \"%d\\n\" (a+b))\n",
        compile: &["ocamlc", "-o", "a", "a.ml"],
        run: &["{dir}/a"],
    },
    Language {
        name: "Pascal",
        source: "a.pas",
        text: "var a,b:longint; begin read(a,b); writeln(a+b); end.\n",
        compile: &["fpc", "-O2", "-oa", "a.pas"],
        run: &["{dir}/a"],
    },
    Language {
        name: "Ruby",
        source: "a.rb",
        text: "puts gets.split.map(&:to_i).sum\n",
        compile: &[],
        run: &["ruby", "{dir}/a.rb"],
    },
    Language {
        name: "Lua",
        source: "a.lua",
        text: "local a,b = io.read('n','n')\nprint(a+b)\n",
        compile: &[],
        run: &["lua", "{dir}/a.lua"],
    },
];

/// Finds a program on the PATH, and resolves shims of tools in a home directory (rustup, pyenv).
fn find(name: &str) -> Option<(PathBuf, Option<PathBuf>)> {
    let ask = |tool: &str, arguments: &[&str]| {
        let output = std::process::Command::new(tool).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then(|| PathBuf::from(text))
    };
    if name == "rustc" {
        let home = ask("rustc", &["--print", "sysroot"])?;
        return Some((home.join("bin/rustc"), Some(home)));
    }
    if name == "python3" {
        let program = ask("python3", &["-c", "import sys; print(sys.executable)"])?;
        let home = ask("python3", &["-c", "import sys; print(sys.base_prefix)"])?;
        return Some((program, (!home.starts_with("/usr")).then_some(home)));
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|program| program.is_file())?;
    Some((found, None))
}

fn task(argv: Vec<OsString>, dir: Option<PathBuf>, input: &str, processes: u32) -> CellCommand {
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, input.as_bytes()).unwrap();
    let env = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/tmp"),
        ("LANG", "C.UTF-8"),
        ("GOCACHE", "/tmp/go"),
        ("GO111MODULE", "off"),
    ];
    CellCommand {
        argv,
        env: env.map(|(name, value)| (name.into(), value.into())).to_vec(),
        dir,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::File(file),
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: false,
        limits: Limits {
            cpu: TimeSpan::seconds(60),
            wall: TimeSpan::seconds(120),
            memory: ByteSize::mib(2048),
            output: ByteSize::mib(256),
            processes,
        },
        early_stop: None,
        address_space: None,
        keep_stderr: 4_000,
    }
}

fn argv(words: &[&str], program: &Path, dir: &Path) -> Vec<OsString> {
    let fill = |word: &&str| OsString::from(word.replace("{dir}", &dir.display().to_string()));
    let mut argv: Vec<OsString> = words.iter().map(fill).collect();
    if !words[0].starts_with('{') {
        argv[0] = program.into();
    }
    argv
}

fn try_language(sandbox: &dyn Sandbox, language: &Language) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join(language.source), language.text).unwrap();
    let place = |words: &[&str]| match words.first() {
        Some(name) if !name.starts_with('{') => find(name).ok_or_else(|| format!("skipped: no {name} here")),
        _ => Ok((PathBuf::new(), None)),
    };
    let room = |home: Option<PathBuf>, writable: bool| CellSpec {
        slot: 0,
        mounts: home.map(Mount::read).into_iter().chain([Mount { path: dir.path().into(), writable }]).collect(),
        scratch: ByteSize::mib(256),
    };
    if !language.compile.is_empty() {
        let (program, home) = place(language.compile)?;
        let mut cell = sandbox.open(&room(home, true)).map_err(|fault| fault.to_string())?;
        let task = task(argv(language.compile, &program, dir.path()), Some(dir.path().into()), "", 256);
        let run = cell.run(task).map_err(|fault| fault.to_string())?;
        if !run.execution.exit.success() || run.execution.breach.is_some() {
            return Err(format!("compile: {:?} {}", run.execution, String::from_utf8_lossy(&run.stdout)));
        }
    }
    let (program, home) = place(language.run)?;
    let mut cell = sandbox.open(&room(home, false)).map_err(|fault| fault.to_string())?;
    for round in 0..2 {
        let run = cell
            .run(task(argv(language.run, &program, dir.path()), None, "20 22", 64))
            .map_err(|fault| fault.to_string())?;
        if run.stdout != b"42\n" || !run.execution.exit.success() || run.execution.breach.is_some() {
            return Err(format!("run {round}: {:?} {}", run.execution, String::from_utf8_lossy(&run.stdout)));
        }
        println!("{}: {}, {}", language.name, run.execution.usage.cpu, run.execution.usage.memory.human());
    }
    Ok(())
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_language_that_is_here_compiles_and_runs_behind_walls() {
    let server = ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let Some(sandbox) = [nimatron::model::Level::A, nimatron::model::Level::B]
        .into_iter()
        .find_map(|level| Namespaced::at(level, server.clone(), Cancel::new().unwrap()).ok())
    else {
        println!("skipped: namespaces are not available");
        return;
    };
    let mut failures = Vec::new();
    for language in LANGUAGES {
        match try_language(&sandbox, language) {
            Err(reason) if reason.starts_with("skipped") => println!("{}: {reason}", language.name),
            Err(reason) => failures.push(format!("{}: {reason}", language.name)),
            Ok(()) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
