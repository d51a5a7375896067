// Creates uncompressed zip archives, so that a dropped folder can be uploaded as one file.

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** Computes the CRC-32 checksum, as used by zip and gzip. */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Flag for file names in UTF-8. */
const UTF8 = 0x0800;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Maximum size and number of entries of an archive without Zip64. */
const MOST_BYTES = 0xffffffff;
const MOST_ENTRIES = 0xffff;

/**
 * Creates a zip archive of these files.
 *
 * @param {{path: string, file: Blob & {lastModified?: number}}[]} files
 * @returns {Promise<Blob>}
 * @throws {Error} if there are too many files, or if they are too large
 */
export async function zipOf(files) {
  if (files.length > MOST_ENTRIES) throw new Error(`these are more than ${MOST_ENTRIES.toLocaleString("en-US")} files`);
  const parts = [];
  const central = [];
  let offset = 0;
  for (const { path, file } of files) {
    const content = new Uint8Array(await file.arrayBuffer());
    const name = new TextEncoder().encode(path);
    const entry = [VERSION, UTF8, 0, ...dosTime(file.lastModified ?? 0)];
    const sizes = [crc32(content), content.length, content.length];
    parts.push(record(LOCAL, entry, sizes, [name.length, 0]), name, file);
    central.push(record(CENTRAL, [VERSION, ...entry], sizes, [name.length, 0, 0, 0, 0], [0, offset]), name);
    offset += 30 + name.length + content.length;
    if (offset > MOST_BYTES) throw new Error("these files are larger than 4 GiB");
  }
  const length = central.reduce((sum, part) => sum + part.length, 0);
  parts.push(...central, record(END, [0, 0, files.length, files.length], [length, offset], [0]));
  return new Blob(parts, { type: "application/zip" });
}

/** Encodes a record: its signature, followed by alternating groups of 16-bit and 32-bit numbers. */
function record(signature, ...groups) {
  const widths = groups.map((_, index) => (index % 2 === 0 ? 2 : 4));
  const bytes = new Uint8Array(4 + groups.reduce((sum, group, index) => sum + group.length * widths[index], 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  groups.forEach((group, index) => {
    for (const value of group) {
      if (widths[index] === 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += widths[index];
    }
  });
  return bytes;
}

/** Converts a time to the two numbers in a zip: local time since 1980, in steps of two seconds. */
function dosTime(ms) {
  const date = new Date(Math.max(ms, Date.UTC(1980, 0, 2)));
  return [
    (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1),
    ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(),
  ];
}
