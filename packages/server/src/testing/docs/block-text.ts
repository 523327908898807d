import type { Language } from 'sri-core';
import type { Fence } from './fences.js';
import { MADE_BLOCKS } from './made-blocks.js';
import { proofOf } from './proofs.js';
import { quotedText, toQuotation } from './quoted-file.js';

/** The source of a block: its text and its proof. */
export interface BlockSource {
  readonly text: string;
  /** The CI step that proves it. */
  readonly proof: string;
}

/**
 * Finds the source that a page names on the line before a block: `<!-- from: path/in/repo#region -->` for a file that
 * CI runs, `<!-- made of: … -->` for output of the program itself.
 *
 * @throws Error that names what is missing: the comment, the file, its part, or its CI step.
 */
export async function findSource(fence: Fence, language: Language): Promise<BlockSource> {
  const [, kind, name = ''] = /^(from|made of): (.+)$/.exec(fence.comment ?? '') ?? [];
  if (kind === 'made of') {
    const make = MADE_BLOCKS[name];
    if (!make) throw new Error(`nothing makes «${name}»`);
    return { text: await make(language), proof: 'made of the program' };
  }
  if (kind !== 'from') throw new Error('no «<!-- from: path#region -->» stands on the line before it');
  const quotation = toQuotation(name);
  const text = quotedText(quotation);
  const proof = proofOf(quotation.path);
  if (proof === null) throw new Error(`nothing in CI runs ${quotation.path}`);
  return { text, proof };
}
