import { makeZip } from 'client-zip';

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly input: string | Uint8Array;
  readonly lastModified: Date;
}

/** An archive of files, however many. */
export async function* archiveOf(files: AsyncGenerator<ArchivedFile>): AsyncGenerator<Uint8Array> {
  let count = 0;
  const next = async () => {
    const step = await files.next();
    if (!step.done) count += 1;
    return step;
  };
  // Only this generator ends the files: the archive would throw its own error into them.
  const reader = makeZip({ [Symbol.asyncIterator]: () => ({ next }) }).getReader();
  try {
    for (let step = await reader.read(); !step.done; ) {
      const following = await reader.read();
      if (following.done && count > MOST_IN_END) yield* longEnd(step.value, count);
      yield step.value;
      step = following;
    }
  } finally {
    await files.return(undefined);
    await reader.cancel();
  }
}

// --- internal ---

/** The files that the end of an archive can count. */
const MOST_IN_END = 0xffff;

/**
 * The records that count more files (ZIP64), before the end of the archive. client-zip writes them for an archive of
 * 4 GiB, but not for many files.
 */
function* longEnd(end: Uint8Array, files: number): Generator<Uint8Array> {
  const view = Buffer.from(end);
  const [size, start] = [view.readUInt32LE(12), view.readUInt32LE(16)];
  if (start === 0xffffffff) return;
  const records = Buffer.alloc(76);
  records.writeUInt32LE(0x06064b50, 0);
  records.writeUInt32LE(44, 4);
  records.writeUInt16LE(45, 12);
  records.writeUInt16LE(45, 14);
  records.writeUInt32LE(files, 24);
  records.writeUInt32LE(files, 32);
  records.writeUInt32LE(size, 40);
  records.writeUInt32LE(start, 48);
  records.writeUInt32LE(0x07064b50, 56);
  // Both sizes fit in 4 GiB, but their sum may not.
  records.writeBigUInt64LE(BigInt(start + size), 64);
  records.writeUInt32LE(1, 72);
  yield records;
}
