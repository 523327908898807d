import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { NewDocument } from 'sri-core';
import { packContents, packDictionary, toDictionary, unpackDictionary } from './contents-codec.js';
import type { ContentsTable, CoreTables, DictionariesTable } from './schema.js';

/** The contents of new documents, ready to be inserted. */
export interface PackedBatch {
  readonly contents: readonly ContentsTable[];
  /** Dictionaries that `contents` refer to and the database does not have yet; to be inserted before them. */
  readonly dictionaries: readonly DictionariesTable[];
  /** To be called once these are committed, so that later batches use the dictionaries without asking. */
  committed(): void;
}

/** Packs contents, against dictionaries that it finds, makes and remembers. */
export interface ContentsPacker {
  /** Done before the transaction, so that no lock is held while compressing. */
  pack(db: Kysely<CoreTables>, added: readonly NewDocument[]): Promise<PackedBatch>;
}

export function createContentsPacker(): ContentsPacker {
  const stored = new Map<string, Dictionary>();

  function remember(name: string, dictionary: Dictionary): void {
    stored.delete(name);
    stored.set(name, dictionary);
    for (const oldest of stored.keys()) {
      if (stored.size <= MOST_REMEMBERED) break;
      stored.delete(oldest);
    }
  }

  async function find(db: Kysely<CoreTables>, use: DictionaryUse): Promise<Dictionary | null> {
    const row = await db
      .selectFrom('sri_dictionaries')
      .select(['id', 'body'])
      .where('issuer_id', '=', use.issuer_id)
      .where('environment', '=', use.environment)
      .where('document_type', '=', use.document_type)
      .where('certificate', '=', use.certificate)
      .limit(1)
      .executeTakeFirst();
    return row ? { id: row.id, bytes: unpackDictionary(row.body) } : null;
  }

  return {
    async pack(db, added) {
      const made = new Map<string, { readonly dictionary: Dictionary; readonly row: DictionariesTable }>();

      async function choose({ document, contents }: NewDocument): Promise<Dictionary | null> {
        if (document.sequential < FIRST_WORTHWHILE) return null;
        const use = useOf(document, contents.signedXml);
        const name = Object.values(use).join(' ');
        const known = stored.get(name) ?? made.get(name)?.dictionary;
        if (known) return known;
        const found = await find(db, use);
        if (found) {
          remember(name, found);
          return found;
        }
        const bytes = toDictionary(contents);
        const dictionary = { id: digest(bytes), bytes };
        made.set(name, { dictionary, row: { id: dictionary.id, ...use, body: packDictionary(bytes) } });
        return dictionary;
      }

      const contents: ContentsTable[] = [];
      for (const one of added) {
        const dictionary = await choose(one);
        const body = packContents(one.contents, dictionary?.bytes ?? null);
        contents.push({ document_id: one.document.id, dictionary_id: dictionary?.id ?? null, body });
        if (contents.length % PACKED_AT_A_STRETCH === 0) await setImmediate();
      }
      return {
        contents,
        dictionaries: [...made.values()].map(({ row }) => row),
        committed() {
          for (const [name, { dictionary }] of made) remember(name, dictionary);
        },
      };
    },
  };
}

// --- internal ---

interface Dictionary {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** What a dictionary is for: documents that have the most in common. */
type DictionaryUse = Omit<DictionariesTable, 'id' | 'body'>;

/** A dictionary costs as much as a document stored without one, so that issuers with very few go without. */
const FIRST_WORTHWHILE = 4;

/** About 10 kB each. */
const MOST_REMEMBERED = 500;

/** About 3 ms of work, after which others get their turn. */
const PACKED_AT_A_STRETCH = 32;

function useOf(document: NewDocument['document'], signedXml: string): DictionaryUse {
  return {
    issuer_id: document.issuerId,
    environment: document.environment,
    document_type: document.documentType,
    certificate: certificateMark(signedXml),
  };
}

/**
 * The end of the signing certificate as it stands in the XML, word by word: part of its authority's signature, which no
 * other certificate shares. Empty when there is none.
 */
function certificateMark(signedXml: string): string {
  const start = signedXml.indexOf('X509Certificate>');
  const end = signedXml.indexOf('</', start);
  return start < 0 || end < 0
    ? ''
    : signedXml.slice(Math.max(start + 'X509Certificate>'.length, end - MARK_LENGTH), end);
}

const MARK_LENGTH = 64;

function digest(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 32);
}
