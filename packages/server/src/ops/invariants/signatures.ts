import { type Environment, verifyXml } from 'sri-core';
import { FIRST_ID } from 'sri-storage-adapters';
import type { BrokenRow, Invariant, InvariantDeps } from './invariant.js';

/** Signed files are stored as they were signed, and so are the texts that the SRI sent instead. */
export const SIGNATURE_INVARIANTS: readonly Invariant[] = [{ name: 'signature-verifies', find: findBroken }];

// --- internal ---

/** The number of ids in memory at a time. */
const IDS_AT_A_TIME = 2_000;

type Row = Awaited<ReturnType<typeof readPage>>[number];

async function findBroken(parts: InvariantDeps, limit: number): Promise<readonly BrokenRow[]> {
  const every = await stepOver(parts);
  const broken: BrokenRow[] = [];
  let after = FIRST_ID;
  let position = 0;
  for (;;) {
    const rows = await readPage(parts, after);
    const last = rows.at(-1);
    if (!last) return broken;
    after = last.id;
    for (const row of rows) {
      position += 1;
      if (position % every !== 0) continue;
      const explanation = await judge(parts, row);
      if (explanation !== null) broken.push({ object: `document ${row.id}`, explanation });
      if (broken.length >= limit) return broken;
    }
  }
}

/** The distance between two checked documents. */
async function stepOver({ database, signatures }: InvariantDeps): Promise<number> {
  if (signatures === 'all') return 1;
  const { documents } = await database.read((tables) =>
    tables
      .selectFrom('sri_documents')
      .select(({ fn }) => fn.countAll<number | string>().as('documents'))
      .executeTakeFirstOrThrow(),
  );
  return signatures > 0 ? Math.max(1, Math.floor(Number(documents) / signatures)) : Number.POSITIVE_INFINITY;
}

function readPage({ database }: InvariantDeps, after: string) {
  return database.read((tables) =>
    tables
      .selectFrom('sri_documents')
      .select(['id', 'issuer_id', 'environment', 'access_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_AT_A_TIME)
      .execute(),
  );
}

/** @returns the fault of the signature; null without one. */
async function judge({ storage }: InvariantDeps, row: Row): Promise<string | null> {
  const scope = { issuerId: row.issuer_id, environment: row.environment as Environment };
  let texts: readonly string[];
  try {
    const contents = await storage.readContents(scope, row.access_key);
    // Another invariant reports missing files.
    if (!contents) return null;
    texts = [contents.signedXml, contents.authorizedXml ?? []].flat();
  } catch {
    return 'its contents cannot be unpacked';
  }
  if (!texts.every((text) => text.includes(`<claveAcceso>${row.access_key}</claveAcceso>`))) {
    // The document may have been corrected since the read of its row.
    const still = await storage.readContents(scope, row.access_key);
    if (still?.signedXml === texts[0]) return 'what was signed has another access key';
  }
  for (const text of texts) {
    const { valid, checks } = await verifyXml(text);
    if (valid) continue;
    const failed = checks.filter(({ ok }) => !ok).map(({ check }) => check);
    return `its signature does not verify: ${failed.join(', ')}`;
  }
  return null;
}
