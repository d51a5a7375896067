// Reads dropped or chosen files. Folders are read recursively, and relative paths are kept.

/** Maximum number of files in a drop. */
const MOST_FILES = 50_000;
/** Names of folders and files that contain no submissions. */
const NOISE = /^(\.git|\.svn|\.hg|\.idea|\.vscode|node_modules|__pycache__|__MACOSX|target|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

/**
 * Returns the dropped files with their paths, which begin with the name of the dropped folder.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<{path: string, file: File}[]>}
 * @throws {Error} if there are too many files
 */
export async function droppedFiles(transfer) {
  // The entries must be read before the first `await`, since the transfer is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  // Files that are not on a disk have no entries.
  if (entries.length === 0) return chosenFiles(transfer.files);
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

/** Returns the files of a file input with their paths, which are only names unless a folder was chosen. */
export function chosenFiles(list) {
  return [...list]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !path.split("/").some((name) => NOISE.test(name)));
}

/** Returns the name of the folder that contains all files; `null` if there is none. */
export function commonFolder(files) {
  const folders = new Set(files.map(({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : null)));
  return folders.size === 1 ? [...folders][0] : null;
}

/** Returns the files with their paths inside the common folder, whose name must not be mistaken for that of a student. */
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
    // A browser may return the entries of a folder in batches of 100.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const inside of some) await walk(inside, path, found);
  }
}

/** Returns whether these files are a single zip archive. */
export const isZip = (files) => files.length === 1 && /\.zip$/i.test(files[0].path);
