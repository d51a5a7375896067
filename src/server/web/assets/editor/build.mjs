// Bundles editor.mjs and the grammars of its languages. The results stand beside this file: editor.js (what a page
// imports), core.js (the editor), language-*.js (loaded when chosen), their hashes in editor.sha256, and the licences
// of what they contain in editor.licenses.txt. The same versions give the same bytes on every machine.
//
//     npm ci && npm run build      writes the files
//     npm ci && npm run check      fails if they are not what the sources give

import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { basename, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const languages = (await readdir(`${here}languages`)).sort();
const bundled = await build({
  absWorkingDir: here,
  // Each language imports editor.mjs, so all that two files need is in one common chunk.
  entryPoints: [{ in: "editor.mjs", out: "editor" }, ...languages.map((name) => ({ in: `languages/${name}`, out: `language-${parse(name).name}` }))],
  outdir: ".",
  splitting: true,
  chunkNames: "core",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: "/* CodeMirror 6, MIT licence: see editor.licenses.txt. Built from editor.mjs by `npm run build`. */" },
  metafile: true,
  write: false,
});

const results = new Map(bundled.outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]).sort());
const hash = (code) => createHash("sha256").update(code).digest("hex");
const hashes = [...results].map(([name, code]) => `${hash(code)}  ${name}\n`);
results.set("editor.sha256", Buffer.from(hashes.join("")));
results.set("editor.licenses.txt", Buffer.from(await licenses(Object.keys(bundled.metafile.inputs))));

for (const [name, content] of results) {
  if (!process.argv.includes("--check")) {
    await writeFile(here + name, content);
  } else if (!content.equals(await readFile(here + name).catch(() => Buffer.alloc(0)))) {
    console.error(`${name} is not what editor.mjs and package-lock.json give: run \`npm run build\``);
    process.exitCode = 1;
  }
}

/** The licence texts of the packages that the input files belong to, each text once with the packages under it. */
async function licenses(inputs) {
  const names = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean);
  const byText = new Map();
  for (const name of [...new Set(names)].sort()) {
    const folder = `${here}node_modules/${name}`;
    const { version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const text = (await readFile(`${folder}/${file}`, "utf8")).trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  return [...byText].map(([text, packages]) => `${packages.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n\n`);
}
