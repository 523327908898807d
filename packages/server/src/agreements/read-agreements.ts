import { type Language, type LocalizedText, translate } from 'sri-core';
import { Refusal } from '../platform/errors/refusal.js';
import type { AgreementType, TenantAgreement } from './agreement.js';
import { type AgreementStanding, publishedAgreements, readAgreementStanding } from './agreement-standing.js';
import { type AGREEMENT_PLACEHOLDERS, fillAgreement } from './fill-agreement.js';
import { generateAgreementsOf } from './generate-agreements.js';
import type { AgreementDeps } from './publish-agreements.js';
import { listTenantAgreements, readAgreementTexts, readTenantAgreementText } from './rows.js';

/** The agreements that an account still has to accept. Creates missing copies first. */
export async function readOwnStanding(parts: AgreementDeps, tenantId: string): Promise<AgreementStanding> {
  await generateAgreementsOf(parts, tenantId);
  return parts.database.read((tables) => readAgreementStanding(parts, tables, tenantId));
}

/** Every copy of an account, newest first. Creates missing copies first. */
export async function readOwnAgreements(parts: AgreementDeps, tenantId: string): Promise<readonly TenantAgreement[]> {
  await generateAgreementsOf(parts, tenantId);
  return parts.database.read((tables) => listTenantAgreements(tables, tenantId));
}

/**
 * An account's copy of the version in force, with its Markdown. Without one: its copy that is not superseded.
 *
 * @throws Refusal AGREEMENT_NOT_FOUND
 */
export async function readOwnAgreement(
  parts: AgreementDeps,
  tenantId: string,
  type: AgreementType,
): Promise<{ readonly agreement: TenantAgreement; readonly content: string }> {
  const published = await publishedAgreements(parts);
  const copies = (await readOwnAgreements(parts, tenantId)).filter(({ documentType }) => documentType === type);
  const current = published.find(({ documentType }) => documentType === type);
  const agreement =
    copies.find(({ templateVersion }) => templateVersion === current?.version) ??
    copies.find(({ status }) => status !== 'SUPERSEDED');
  if (!agreement) throw new Refusal('AGREEMENT_NOT_FOUND');
  const content = await parts.database.read((tables) => readTenantAgreementText(tables, tenantId, agreement.id));
  return { agreement, content };
}

/**
 * The public text of the version in force, with names in place of an account's data.
 *
 * @throws Refusal AGREEMENT_NOT_FOUND
 */
export async function readPublishedAgreement(
  parts: AgreementDeps,
  type: AgreementType,
  language: Language,
): Promise<{ readonly version: string; readonly content: string }> {
  const published = (await publishedAgreements(parts)).find(({ documentType }) => documentType === type);
  if (!published) throw new Refusal('AGREEMENT_NOT_FOUND');
  const texts = await parts.database.read((tables) => readAgreementTexts(tables, published.id));
  const shown = (name: Exclude<(typeof AGREEMENT_PLACEHOLDERS)[number], 'version'>) => translate(NAMES[name], language);
  const content = fillAgreement(texts[language], {
    businessName: shown('businessName'),
    ruc: shown('ruc'),
    email: shown('email'),
    date: shown('date'),
    version: published.version,
  });
  return { version: published.version, content };
}

// --- internal ---

const NAMES: Readonly<Record<Exclude<(typeof AGREEMENT_PLACEHOLDERS)[number], 'version'>, LocalizedText>> = {
  businessName: { es: '[razón social]', en: '[business name]' },
  ruc: { es: '[RUC]', en: '[RUC]' },
  email: { es: '[correo]', en: '[e-mail]' },
  date: { es: '[fecha]', en: '[date]' },
};
