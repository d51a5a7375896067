// Files that are dropped or chosen: folders are walked, and paths are kept.

/** Number of files that are taken from a drop. */
const MOST_FILES = 50_000;
/** Names of folders and files that contain no one's work. */
const NOISE = /^(\.git|\.svn|\.hg|\.idea|\.vscode|node_modules|__pycache__|__MACOSX|target|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

/**
 * The files of a drop, with their paths from the dropped folder on. A drop of one zip is that zip.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<{path: string, file: File}[]>}
 * @throws {Error} if there are too many files
 */
export async function droppedFiles(transfer) {
  // The entries must be asked for before the first pause: the transfer is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

/** The files of a file chooser. Those of a chosen folder have paths. */
export function chosenFiles(list) {
  return [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !path.split("/").some((name) => NOISE.test(name)));
}

/** The folder that contains all files, or `null`. */
export function commonFolder(files) {
  const folders = new Set(files.map(({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : null)));
  return folders.size === 1 ? [...folders][0] : null;
}

/** The files by their paths inside the folder that contains all of them: its name is not that of a student. */
export function insideFolder(files) {
  const folder = commonFolder(files);
  return folder === null ? files : files.map(({ path, file }) => ({ path: path.slice(folder.length + 1), file }));
}

async function walk(entry, folder, found) {
  if (NOISE.test(entry.name)) return;
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    if (found.length >= MOST_FILES) throw new Error(`these are more than ${MOST_FILES.toLocaleString("en-US")} files`);
    found.push({ path, file: await new Promise((done, fail) => entry.file(done, fail)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A reader returns at most a hundred entries at a time.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const inside of some) await walk(inside, path, found);
  }
}

/** Whether these files are one archive. */
export const isZip = (files) => files.length === 1 && /\.zip$/i.test(files[0].path);
