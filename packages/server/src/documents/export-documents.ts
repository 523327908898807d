import type { DocumentFilter, Engine, IssuersScope, StoredDocument } from 'sri-core';
import { toRefusal } from '../platform/http/problem.js';
import type { Services } from '../platform/http/services.js';
import type { ExportRow } from './export-columns.js';
import { inOrder } from './in-order.js';

/** The documents that a query selects, and the caller that the work counts for. */
export interface ExportScope {
  readonly scope: IssuersScope;
  readonly filter: DocumentFilter;
  readonly caller: string;
}

/** The most documents read or printed at once, and held in memory. */
export const AT_ONCE = 16;

/** Every document of the filter: one issuer after another, by day of issue. */
export async function* walkAll(engine: Engine, { scope, filter }: ExportScope): AsyncGenerator<StoredDocument> {
  const { issuerIds, environment } = scope;
  for (const issuerId of issuerIds) {
    let from: Parameters<Engine['walk']>[2] = null;
    do {
      const step: Awaited<ReturnType<Engine['walk']>> = await engine.walk({ issuerId, environment }, filter, from);
      yield* step.documents;
      from = step.next;
    } while (from);
  }
}

/** The documents of the filter with their amounts by tax. */
export async function* readRows(services: Services, wanted: ExportScope): AsyncGenerator<ExportRow> {
  const { engine } = services;
  const groups = inOrder(inGroups(walkAll(engine, wanted)), GROUPS_AT_ONCE, async (documents) => {
    const contents = await Promise.all(
      documents.map((document) => orNull(services, document, () => engine.contents(document, document.accessKey))),
    );
    // A document without an XML has no figures.
    const xmls = contents.map((found) => found?.authorizedXml ?? found?.signedXml ?? '');
    const figures = await services.readFigures(wanted.caller, xmls);
    return documents.map((document, index) => ({ document, figures: figures[index] ?? null }));
  });
  for await (const group of groups) yield* group;
}

/**
 * The result of `make` for a document; null if that document cannot be read.
 * @throws the error of an unavailable database or service, since every document would then be missing.
 */
export async function orNull<T>(
  { logger }: Services,
  { accessKey }: StoredDocument,
  make: () => Promise<T>,
): Promise<T | null> {
  try {
    return await make();
  } catch (error) {
    if (toRefusal(error).code === 'SERVICE_UNAVAILABLE') throw error;
    logger.error(
      { accessKey, error: error instanceof Error ? error.name : 'unknown' },
      'a document cannot be exported',
    );
    return null;
  }
}

/** Joins small pieces, so that each is worth a write to the network. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

// --- internal ---

const GROUPS_AT_ONCE = 2;
const PIECE_BYTES = 64 * 1024;

async function* inGroups<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
