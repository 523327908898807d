import { diagnose } from 'sri-core/cli';
import { listInspectedIssuers } from '../../issuers/inspected-rows.js';
import { countFailedJobs } from '../../operator/failed-job-rows.js';
import type { Services } from '../../platform/http/services.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

const INSPECTED_ISSUERS = 20;
const DOCUMENTS_EACH = 3;
/** A mail or a delivery is worth a retry for so long. */
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Given-up work, and why the SRI rejected the latest signatures: «FIRMA INVÁLIDA» in plain words. */
export async function* findInRefusals(services: Services): AsyncGenerator<DoctorFinding> {
  const since = new Date(services.clock.now().getTime() - RECENT_DAYS * DAY_MS);
  const total = await services.database.read((tables) => countFailedJobs(tables, since));
  yield total === 0
    ? fine('jobs', {
        es: `Ningún comprobante se dio por perdido, y en ${RECENT_DAYS} días ningún correo ni webhook.`,
        en: `No document was given up, and no mail or delivery to a webhook in ${RECENT_DAYS} days.`,
      })
    : warn('jobs', {
        es: `Trabajos que se dieron por perdidos: ${total} (comprobantes, y correos y webhooks de ${RECENT_DAYS} días).`,
        en: `Jobs that were given up: ${total} (documents, and mails and deliveries to webhooks of ${RECENT_DAYS} days).`,
        fix: 'sri-server admin jobs list',
      });
  yield* explainSignatures(services);
}

// --- internal ---

async function* explainSignatures({ database, engine, clock }: Services): AsyncGenerator<DoctorFinding> {
  const issuers = await database.read((tables) => listInspectedIssuers(tables, INSPECTED_ISSUERS));
  for (const { id: issuerId } of issuers) {
    for (const environment of ['production', 'sandbox'] as const) {
      const scope = { issuerId, environment };
      const query = { status: 'NOT_AUTHORIZED', page: 1, limit: DOCUMENTS_EACH } as const;
      const { documents } = await engine.list(scope, query);
      for (const { accessKey } of documents) {
        const [last] = (await engine.sriResponses(scope, accessKey)).filter(({ messages }) => messages !== null);
        const message = last?.messages?.find(({ identifier }) => Number(identifier) === 39);
        if (!message) continue;
        const { signedXml } = await engine.contents(scope, accessKey);
        const { findings } = await diagnose(Buffer.from(signedXml), clock.now());
        const causes = findings.filter(({ area, verdict }) => /signature|certificate/.test(area) && verdict !== 'ok');
        yield explain(accessKey, message.additionalInfo ?? message.message, causes);
      }
    }
  }
}

type Cause = Awaited<ReturnType<typeof diagnose>>['findings'][number];

function explain(accessKey: string, said: string, causes: readonly Cause[]): DoctorFinding {
  const known = causes.length > 0;
  const sentence = (language: 'es' | 'en') =>
    causes.map(({ message, advice }) => `${message[language]} ${advice?.[language] ?? ''}`.trim()).join(' ');
  return fail('signature', {
    es: `FIRMA INVÁLIDA en ${accessKey} («${said}»). ${known ? sentence('es') : 'Aquí la firma está bien: el SRI no confía en quien emitió el certificado, o está revocado. Pregunte a su entidad de certificación.'}`,
    en: `FIRMA INVÁLIDA in ${accessKey} («${said}»). ${known ? sentence('en') : 'The signature is right here: the SRI does not trust who issued the certificate, or it was revoked. Ask your authority.'}`,
    fix: {
      es: `Corrija la causa y reconstruya con la misma clave: POST /v1/documents/${accessKey}/rebuild`,
      en: `Mend the cause and rebuild under the same key: POST /v1/documents/${accessKey}/rebuild`,
    },
  });
}
