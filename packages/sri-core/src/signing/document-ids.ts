import type { Element } from '@xmldom/xmldom';
import { elementsOf } from '../xml/elements.js';

/** The ids of a document; references of a signature point to them. */
export interface DocumentIds {
  readonly all: ReadonlySet<string>;
  /** Repeated ids, whatever the name of their attributes. */
  readonly duplicates: readonly string[];
}

/** Every value of an attribute that some software reads as an id: `id`, `Id` and `ID`, with or without a prefix. */
export function documentIds(root: Element): DocumentIds {
  const all = new Set<string>();
  const duplicates = new Set<string>();
  for (const element of elementsOf(root)) {
    for (const value of idsOf(element)) (all.has(value) ? duplicates : all).add(value);
  }
  return { all, duplicates: [...duplicates] };
}

/** The ids of one element. */
export function idsOf(element: Element): readonly string[] {
  const values: string[] = [];
  for (const { name, value } of element.attributes) if (ID_NAME.test(name)) values.push(value);
  return values;
}

// --- internal ---

const ID_NAME = /^(?:[^:]*:)?(?:id|Id|ID)$/;
