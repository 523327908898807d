import { translate } from 'sri-core';
import { CommandFailure, readInputFile, textOption, toLines, toTable, toText, UsageError } from 'sri-core/cli';
import { TIERS } from '../accounts/plans.js';
import { AGREEMENT_TYPES } from '../agreements/agreement.js';
import { BILLING_INTERVALS } from '../billing/account.js';
import { publishAgreementAs } from '../operator/administer-agreements.js';
import { retryJob } from '../operator/administer-jobs.js';
import { listPrices, publishPrice, withdrawPrice } from '../operator/administer-prices.js';
import { listAuditEntries } from '../operator/audit-rows.js';
import { listFailedJobs } from '../operator/failed-job-rows.js';
import { readPriceText, readTimestamp } from '../operator/price-draft.js';
import { rotateMasterKey } from '../operator/rotate-master-key.js';
import { showAuditEntry, showJob, showPrice } from '../operator/schemas.js';
import type { Services } from '../platform/http/services.js';
import { countByMasterKey } from '../platform/secrets/secret-rows.js';
import { MasterKeyNeededError } from '../platform/secrets/vault.js';
import { defineServerCommand, operatorOf } from './frame/command.js';
import { chooseFrom, PAGE_OPTIONS, readPage, requireId, requireText } from './frame/read-options.js';

/** More than an agreement may have, which its own rule says. */
const MAX_AGREEMENT_BYTES = 1024 * 1024;

const NO_OTHER_KEY = { es: 'Ya no hace falta ninguna otra clave.', en: 'No other key is needed any more.' };

const refusalNaming = (members: Readonly<Record<string, unknown>>) =>
  new CommandFailure(
    'MASTER_KEY_STILL_NEEDED',
    {
      es: 'Algunos secretos siguen bajo otra clave. Ejecútelo de nuevo con esa clave en MASTER_KEYS.',
      en: 'Some secrets are still under another key. Run it again with that key in MASTER_KEYS.',
    },
    members,
  );

/** Nothing is sealed while a master key of the database is missing. */
async function refuseRotation({ database, vault }: Services, error: unknown): Promise<never> {
  if (!(error instanceof MasterKeyNeededError)) throw error;
  const counts = await database.read(countByMasterKey);
  throw refusalNaming({ currentMasterKeyId: vault.currentMasterKeyId, stillNeeded: Object.fromEntries(counts) });
}

/** Commands about the server as a whole. */
export const SERVER_COMMANDS = {
  publishPrice: defineServerCommand({
    about: {
      es: 'Se avisa a cada cuenta activa, una vez. Las renovaciones anteriores conservan el precio de ahora.',
      en: 'Active accounts are notified once each. Renewals due before then keep the current price.',
    },
    args: [
      { name: 'tier', description: TIERS.slice(1).join(', ') },
      { name: 'interval', description: BILLING_INTERVALS.join(', ') },
      {
        name: 'usd',
        description: { es: 'El precio nuevo antes de IVA, como 25.00', en: 'The new price before IVA, such as 25.00' },
      },
    ],
    options: {
      from: textOption('moment', {
        es: 'Cuándo entra en vigencia, como 2027-03-01T05:00:00Z',
        en: 'When it takes effect, such as 2027-03-01T05:00:00Z',
      }),
    },
    async run(call) {
      const newPriceUsd = readPriceText(call.args[2] ?? '');
      if (newPriceUsd === null)
        throw new UsageError({
          es: 'Un precio es mayor que cero, con dos decimales a lo sumo.',
          en: 'A price is above zero, with at most two decimals.',
        });
      const effectiveAt = readTimestamp(requireText('--from', call.options.from));
      if (effectiveAt === null)
        throw new UsageError({
          es: '--from es una fecha y hora ISO 8601 con su zona.',
          en: '--from is a date and time in ISO 8601 with its zone.',
        });
      const draft = {
        tier: chooseFrom({ es: 'El plan', en: 'The tier' }, call.args[0] ?? '', TIERS),
        billingInterval: chooseFrom({ es: 'El intervalo', en: 'The interval' }, call.args[1] ?? '', BILLING_INTERVALS),
        newPriceUsd,
        effectiveAt,
      };
      const price = showPrice(await publishPrice((await call.open()).services, operatorOf(call), draft));
      return { json: { ok: true, price }, text: toLines(price, call.language) };
    },
  }),
  withdrawPrice: defineServerCommand({
    about: {
      es: 'Se avisa a las cuentas que recibieron el aviso del precio. Para corregir uno, retírelo y publique otro.',
      en: 'The accounts that know of the price are notified. To correct one, withdraw it and publish another.',
    },
    args: [{ name: 'price', description: { es: 'Su id', en: 'Its id' } }],
    async run(call) {
      const id = requireId({ es: 'El precio', en: 'The price' }, call.args[0] ?? '');
      const price = showPrice(await withdrawPrice((await call.open()).services, operatorOf(call), id));
      return { json: { ok: true, price }, text: toLines(price, call.language) };
    },
  }),
  listPrices: defineServerCommand({
    async run(call) {
      const prices = await listPrices((await call.open()).services);
      const shown = prices.map((price) => ({ ...showPrice(price), notifiedTenants: price.notifiedTenants }));
      return {
        json: { ok: true, prices: shown },
        text: toTable(
          ['id', 'tier', 'interval', 'USD before', 'USD', 'from', 'published', 'withdrawn', 'notified'],
          shown.map((price) => [
            price.tierPriceId,
            price.tier,
            price.billingInterval,
            price.previousPriceUsd.toFixed(2),
            price.newPriceUsd.toFixed(2),
            price.effectiveAt,
            price.publishedAt,
            price.withdrawnAt,
            price.notifiedTenants,
          ]),
          call.language,
        ),
      };
    },
  }),
  publishAgreement: defineServerCommand({
    args: [
      { name: 'type', description: AGREEMENT_TYPES.join(', ') },
      { name: 'version', description: { es: 'Su nombre, como 2.0', en: 'Its name, such as 2.0' } },
    ],
    options: {
      es: textOption('file', { es: 'El texto en español, Markdown', en: 'The text in Spanish, Markdown' }),
      en: textOption('file', {
        es: 'El texto en inglés; si no, el mismo',
        en: 'The text in English; default: the same',
      }),
    },
    async run(call) {
      const documentType = chooseFrom({ es: 'El tipo', en: 'The type' }, call.args[0] ?? '', AGREEMENT_TYPES);
      const version = call.args[1] ?? '';
      const read = async (path: string) => toText(await readInputFile(path, { maxBytes: MAX_AGREEMENT_BYTES }), path);
      const es = await read(requireText('--es', call.options.es));
      const english = call.options.en;
      const en = english === null ? es : await read(english);
      const draft = { documentType, version, texts: { es, en } };
      await publishAgreementAs((await call.open()).services, operatorOf(call), draft);
      const agreement = { documentType, version };
      return { json: { ok: true, agreement }, text: toLines(agreement, call.language) };
    },
  }),
  listJobs: defineServerCommand({
    options: PAGE_OPTIONS,
    async run(call) {
      const pagination = readPage(call);
      const { database } = (await call.open()).services;
      const { jobs, total } = await database.read((tables) => listFailedJobs(tables, pagination));
      const shown = jobs.map((job) => showJob(job, call.language));
      return {
        json: { ok: true, jobs: shown, pagination: { total, ...pagination } },
        text: toTable(
          ['id', 'kind', 'what', 'account', 'attempts', 'last error'],
          shown.map((job) => [
            job.id,
            job.kind,
            job.subject ?? job.accessKey,
            job.tenantId,
            job.attemptCount,
            job.lastError,
          ]),
          call.language,
        ),
      };
    },
  }),
  retryJob: defineServerCommand({
    about: { es: 'Un servidor en marcha lo retoma en segundos.', en: 'A running server takes it up within seconds.' },
    args: [{ name: 'job', description: { es: 'Su id, como lo muestra la lista', en: 'Its id, as the list shows it' } }],
    async run(call) {
      const id = requireId({ es: 'Un trabajo', en: 'A job' }, call.args[0] ?? '');
      const job = await retryJob((await call.open()).services, operatorOf(call), id);
      const shown = { ...showJob(job, call.language), status: 'PENDING', attemptCount: 0, lastError: null };
      return { json: { ok: true, job: shown }, text: toLines(shown, call.language) };
    },
  }),
  rotateMasterKey: defineServerCommand({
    about: {
      es: [
        'Reinicie cada servidor con la clave nueva primero y la anterior detrás (nueva:…,vieja:…), y luego ejecute esto; los',
        'servidores siguen trabajando. Se puede interrumpir y repetir. Cuando diga que no hace falta otra clave, quite la',
        'anterior de MASTER_KEYS y reinicie. Los respaldos de antes todavía la necesitan.',
      ].join('\n'),
      en: [
        'Restart every server with the new key first and the former one behind it (new:…,old:…), then run this; servers',
        'keep working. It may be interrupted and run again. Once it says that no other key is needed, remove the former',
        'one from MASTER_KEYS and restart. Older backups still need it.',
      ].join('\n'),
    },
    async run(call) {
      const { services } = await call.open();
      const rotation = await rotateMasterKey(services, operatorOf(call)).catch((error: unknown) =>
        refuseRotation(services, error),
      );
      const { currentMasterKeyId, rewrapped, unreadable, stillNeeded } = rotation;
      if (unreadable.length > 0 || Object.keys(stillNeeded).length > 0) {
        throw refusalNaming({ ...rotation });
      }
      return {
        json: { ok: true, ...rotation },
        text: `${toLines({ current: currentMasterKeyId, ...rewrapped }, call.language)}\n${translate(NO_OTHER_KEY, call.language)}`,
      };
    },
  }),
  audit: defineServerCommand({
    options: {
      target: textOption('id', {
        es: 'Lo hecho a esa cuenta, pago u otra cosa',
        en: 'Done to that account, payment or other thing',
      }),
      action: textOption('name', { es: 'Como tenant.suspend', en: 'Such as tenant.suspend' }),
      ...PAGE_OPTIONS,
    },
    async run(call) {
      const pagination = readPage(call);
      const filter = { targetId: call.options.target, action: call.options.action, ...pagination };
      const { services } = await call.open();
      const { entries, total } = await services.database.read((tables) => listAuditEntries(tables, filter));
      const shown = entries.map(showAuditEntry);
      return {
        json: { ok: true, entries: shown, pagination: { total, ...pagination } },
        text: toTable(
          ['at', 'who', 'by', 'what', 'to', 'before', 'after'],
          shown.map((entry) => [
            entry.createdAt,
            entry.actor,
            entry.channel,
            entry.action,
            entry.targetId,
            entry.before,
            entry.after,
          ]),
          call.language,
        ),
      };
    },
  }),
} as const;
