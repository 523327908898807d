import { isWritableText, type Language } from 'sri-core';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { invalid, Refusal, type RuleFailure, ruleFailure } from '../platform/errors/refusal.js';
import { LANGUAGES } from '../platform/language.js';
import { AGREEMENT_TYPES, type AgreementType } from './agreement.js';
import type { AgreementRules } from './agreement-standing.js';
import { readPlaceholders } from './fill-agreement.js';
import {
  type AgreementTexts,
  currentAgreements,
  insertAgreementVersion,
  lastPublishedAt,
  markAllAgreementsDue,
} from './rows.js';
import { DPA } from './texts/dpa.js';
import { PRIVACY } from './texts/privacy.js';
import { TERMS } from './texts/terms.js';

/** Dependencies of publishing agreements. */
export interface AgreementDeps extends AgreementRules, WriteDeps {
  /** Missing copies are not created: a read answers without them. */
  readonly readOnly: boolean;
}

/** The longest name of a version, in characters. */
export const MAX_VERSION_LENGTH = 50;

/**
 * Publishes the texts that come with the server, for each type without a version. A repeat does nothing, nor does a
 * call where agreements are switched off. Several processes may call it at once.
 */
export async function publishShippedAgreements(parts: AgreementDeps): Promise<void> {
  const { agreementsEnabled, database, clock, newId } = parts;
  if (!agreementsEnabled) return;
  const published = await database.read(currentAgreements);
  const missing = AGREEMENT_TYPES.filter((type) => !published.some(({ documentType }) => documentType === type));
  if (missing.length === 0) return;
  const publishedAt = clock.now();
  await database.transaction(async (tables) => {
    for (const documentType of missing) {
      const { version, texts } = SHIPPED_AGREEMENTS[documentType];
      await insertAgreementVersion(tables, { id: newId(publishedAt), documentType, version, texts, publishedAt });
    }
    await markAllAgreementsDue(tables);
  });
}

/**
 * Puts a version of an agreement in force, for the operator. Every account gets a copy within a minute. Pending copies
 * of earlier versions are superseded; accepted copies stay.
 *
 * @param agreement.version 1 to 50 printable ASCII characters; it also travels in headers.
 * @param agreement.texts Markdown, which may hold `{{businessName}}`, `{{ruc}}`, `{{email}}`, `{{date}}` and
 *   `{{version}}`.
 * @throws Refusal VALIDATION_FAILED; CONFLICT when the type has a version of that name.
 */
export async function publishAgreement(
  { database, clock, newId }: AgreementDeps,
  agreement: { readonly documentType: AgreementType; readonly version: string; readonly texts: AgreementTexts },
): Promise<void> {
  requirePublishable(agreement);
  await database.transaction(async (tables) => {
    // Behind a version from far ahead, of a clock that was since corrected, it would never be in force.
    const after = await lastPublishedAt(tables, agreement.documentType);
    const publishedAt = new Date(Math.max(clock.now().getTime(), after + 1));
    const id = newId(publishedAt);
    const stored = await insertAgreementVersion(tables, { ...agreement, id, publishedAt });
    if (!stored) throw new Refusal('CONFLICT', { reason: 'VERSION_ALREADY_PUBLISHED' });
    await markAllAgreementsDue(tables);
  });
}

// --- internal ---

const MAX_TEXT_BYTES = 256 * 1024;

function requirePublishable({ version, texts }: { readonly version: string; readonly texts: AgreementTexts }): void {
  const failures: RuleFailure[] = [];
  if (version.length > MAX_VERSION_LENGTH) {
    failures.push(ruleFailure('version', 'maxLength', { max: MAX_VERSION_LENGTH }));
  } else if (!/^[!-~]+(?: [!-~]+)*$/.test(version)) failures.push(ruleFailure('version', 'text'));
  for (const language of LANGUAGES) {
    const text = texts[language];
    const { unknown, allowed } = readPlaceholders(text);
    if (text.trim() === '') failures.push(ruleFailure('contentMarkdown', 'required'));
    else if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
      failures.push(ruleFailure('contentMarkdown', 'maxBytes', { max: MAX_TEXT_BYTES }));
    else if (!isWritableText(text)) failures.push(ruleFailure('contentMarkdown', 'text'));
    else if (unknown) failures.push(ruleFailure('contentMarkdown', 'placeholder', { allowed: allowed.join(', ') }));
  }
  if (failures.length > 0) throw invalid(failures);
}

/** An agreement that comes with the server, in Markdown with placeholders. */
interface ShippedAgreement {
  readonly version: string;
  readonly texts: Readonly<Record<Language, string>>;
}

/**
 * The agreements that come with the server: neutral texts without a company name. The operator publishes own texts in
 * their place.
 */
const SHIPPED_AGREEMENTS: Readonly<Record<AgreementType, ShippedAgreement>> = {
  TERMS: { version: '1.0', texts: TERMS },
  PRIVACY: { version: '1.0', texts: PRIVACY },
  DPA: { version: '1.0', texts: DPA },
};
