import { translate } from 'sri-core';
import {
  type CliText,
  CommandFailure,
  type CommandOptions,
  flagOption,
  textOption,
  toLines,
  UsageError,
} from 'sri-core/cli';
import { findTenant } from '../../accounts/rows.js';
import type { Tenant } from '../../accounts/tenant.js';
import { acceptAgreements } from '../../agreements/accept-agreements.js';
import { readOwnStanding } from '../../agreements/read-agreements.js';
import { currentAgreements } from '../../agreements/rows.js';
import { listIssuers } from '../../issuers/rows.js';
import { listActiveKeys } from '../../keys/rows.js';
import type { PromotedKey } from '../../onboarding/promote.js';
import { onBehalfOf, promoteTenant, verifyTenant } from '../../operator/administer-tenants.js';
import { showTenant } from '../../operator/schemas.js';
import { listSandboxTenants } from '../../operator/tenant-rows.js';
import type { Services } from '../../platform/http/services.js';
import { examine, printFinding } from '../doctor/examine.js';
import { defineServerCommand, operatorOf, type ServerCall } from '../frame/command.js';
import { type Intent, requireConfirmation, YES_OPTION } from '../frame/confirmation.js';
import {
  describePromotion,
  FIRST_NUMBER_OPTION,
  keysTable,
  printNewKeys,
  readFirstNumbers,
} from '../frame/promotion.js';
import { findTenantId } from '../frame/read-options.js';
import { draftEnvFile, type EnvDraft } from './env-file.js';

const PROMOTE_OPTIONS = {
  ...YES_OPTION,
  ...FIRST_NUMBER_OPTION,
  'env-file': textOption('file', { es: 'Dónde está SRI_API_KEY (.env)', en: 'Where SRI_API_KEY is (.env)' }),
  'show-keys': flagOption({
    es: 'Muestra las claves nuevas, esta única vez, y deja el archivo como está',
    en: 'Shows the new keys, this once, and leaves the file as it is',
  }),
} as const satisfies CommandOptions;

type PromoteCall = ServerCall<typeof PROMOTE_OPTIONS>;

/** `promote` */
export const promoteCommand = defineServerCommand({
  about: {
    es: 'Revisa lo mismo que doctor, acepta los acuerdos si los hay, pasa la cuenta a producción y pone su clave nueva en\n.env, en lugar de la de pruebas. Antes muestra qué pasará y pide escribir el RUC.',
    en: 'Checks what doctor checks, accepts agreements where there are any, moves the account to production and puts its\nnew key into .env, in the place of the one for tests. Shows first what will happen, and asks for the RUC.',
  },
  args: [
    {
      name: 'account',
      optional: true,
      description: {
        es: 'Su id, RUC o correo; si no, la única cuenta en pruebas',
        en: 'Its id, RUC or e-mail address; default the only account in the sandbox',
      },
    },
  ],
  options: PROMOTE_OPTIONS,
  async run(call) {
    const firstNumbers = readFirstNumbers(call);
    const { services } = await call.open();
    const tenant = await namedTenant(services, call.args[0] ?? null);
    await requireHealthy(services, tenant, call);
    const env = call.options['show-keys'] ? null : await draftFor(services, tenant, call);
    let promoted: Tenant;
    let keys: readonly PromotedKey[] = [];
    const keep = async (made: readonly PromotedKey[]) => {
      if (env) await env.write(made[0]?.apiKey ?? '');
      else await printNewKeys(call, made);
      keys = made;
    };
    try {
      await requireConfirmation(call, () => describe(services, tenant, call));
      await makeReady(services, tenant, call);
      const request = { firstNumbers, keep };
      ({ tenant: promoted } = await promoteTenant(services, operatorOf(call), { tenantId: tenant.id, request }));
    } catch (error) {
      if (keys.length === 0) await env?.discard();
      else call.terminal.complain(`${translate(reportDoubt(keys, env), call.language)}\n`);
      throw error;
    }
    return reportPromoted(promoted, keys, { env, call });
  },
});

// --- internal ---

/** The answer to the commit may be lost, and only the database knows whether the keys are valid. */
function reportDoubt(keys: readonly PromotedKey[], env: EnvDraft | null): CliText {
  const place = env?.path ?? keys.map(({ apiKey }) => apiKey).join(', ');
  return {
    es: `No se sabe si la cuenta pasó a producción: lo dice «sri-server admin tenants». Si pasó, su clave es la de ${place}; si no, repita la orden.`,
    en: `It is not known whether the account is in production: «sri-server admin tenants» tells. If it is, its key is in ${place}; otherwise run this again.`,
  };
}

/** @throws CommandFailure NOT_READY, with doctor's findings, if something prevents issuing. */
async function requireHealthy(services: Services, tenant: Tenant, call: PromoteCall): Promise<void> {
  const found = await examine({ ...call, options: { reconcile: false, keys: null, invariants: false } });
  const issuers = await services.database.read((tables) => listIssuers(tables, onBehalfOf(tenant)));
  const own = new Set(issuers.map(({ id }) => id));
  const findings = found.filter(({ issuerId }) => issuerId === undefined || own.has(issuerId));
  const shown = (verdict: string) =>
    findings
      .filter((finding) => finding.verdict === verdict)
      .flatMap((finding) => printFinding(finding, call.language));
  const refusals = shown('fail');
  if (refusals.length > 0) {
    const text = refusals.join('\n');
    throw new CommandFailure('NOT_READY', {
      es: `Algo impide emitir; nada cambió.\n${text}`,
      en: `Something prevents issuing; nothing has changed.\n${text}`,
    });
  }
  if (!call.json) for (const line of shown('warn')) call.terminal.complain(`${line}\n`);
}

async function namedTenant(services: Services, name: string | null): Promise<Tenant> {
  if (name !== null) return readTenant(services, await findTenantId(services, name));
  const [only, ...more] = await services.database.read(listSandboxTenants);
  if (only && more.length === 0) return only;
  throw new UsageError(
    only
      ? { es: 'Hay varias cuentas en pruebas: nombre una.', en: 'There are several accounts in the sandbox: name one.' }
      : { es: 'No hay una cuenta en pruebas.', en: 'There is no account in the sandbox.' },
  );
}

async function readTenant({ database }: Services, tenantId: string): Promise<Tenant> {
  const tenant = await database.read((tables) => findTenant(tables, tenantId));
  if (!tenant) throw new UsageError({ es: 'No hay tal cuenta.', en: 'There is no such account.' });
  return tenant;
}

/** The file that gets the new key. It must hold the only key of the account, so that no new key is lost. */
async function draftFor(services: Services, tenant: Tenant, { options }: PromoteCall): Promise<EnvDraft> {
  const keys = await services.database.read((tables) =>
    listActiveKeys(tables, onBehalfOf(tenant), { withUnlisted: true }),
  );
  const env = await draftEnvFile(options['env-file'] ?? '.env', KEY_VARIABLE);
  if (keys.length === 1 && (env.value === null || env.value.endsWith(keys[0]?.last4 ?? ''))) return env;
  await env.discard();
  throw new UsageError(
    keys.length === 1
      ? {
          es: `${KEY_VARIABLE} de ese archivo es la clave de otra cuenta: agregue --show-keys para ver la nueva.`,
          en: `${KEY_VARIABLE} in that file is another account's key: add --show-keys to see the new one.`,
        }
      : {
          es: `La cuenta tiene ${keys.length} claves y el archivo lleva una: agregue --show-keys para verlas todas.`,
          en: `The account has ${keys.length} keys and the file holds one: add --show-keys to see all of them.`,
        },
  );
}

const KEY_VARIABLE = 'SRI_API_KEY';

async function describe(services: Services, tenant: Tenant, call: PromoteCall): Promise<Intent> {
  const { summary, word } = await describePromotion(services, tenant.id, call);
  const { outdated } = await readOwnStanding(services.agreements, tenant.id);
  const names = outdated.map(({ documentType, currentVersion }) => `${documentType} ${currentVersion}`).join(', ');
  const agreements: CliText[] =
    names === '' ? [] : [{ es: `Se aceptan los acuerdos: ${names}.`, en: `Agreements are accepted: ${names}.` }];
  return { summary: [...summary, ...agreements], word };
}

/** What promoting needs and the operator of their own server can supply: agreements, and with USE=own the address. */
async function makeReady(services: Services, tenant: Tenant, call: PromoteCall): Promise<void> {
  if (call.config().use === 'own' && tenant.status === 'PENDING_VERIFICATION') {
    await verifyTenant(services, operatorOf(call), tenant.id);
  }
  const { outdated } = await readOwnStanding(services.agreements, tenant.id);
  if (outdated.length === 0) return;
  const published = await services.database.read(currentAgreements);
  await acceptAgreements(services.agreements, tenant.id, {
    termsVersion: published.find(({ documentType }) => documentType === 'TERMS')?.version ?? '',
    byName: call.actor,
    fromAddress: '127.0.0.1',
    userAgent: 'sri-server promote',
  });
}

async function reportPromoted(
  tenant: Tenant,
  keys: readonly PromotedKey[],
  { env, call }: { readonly env: EnvDraft | null; readonly call: PromoteCall },
) {
  const place = call.options['env-file'] ?? '.env';
  // A key that could not be written is printed: it is stored nowhere else.
  const isWritten =
    env !== null &&
    (await env.commit().then(
      () => true,
      () => false,
    ));
  if (!isWritten) await env?.discard();
  const shown = isWritten ? null : keys;
  // Without a file they are printed already.
  const table = shown && env ? keysTable(shown, call.language) : null;
  return {
    json: {
      ok: true,
      tenant: showTenant(tenant),
      environment: tenant.environment,
      keyWrittenTo: isWritten ? place : null,
      ...(shown ? { apiKeys: shown } : {}),
    },
    text: [toLines(showTenant(tenant), call.language), ...(table ? ['', table] : [])].join('\n'),
    notices: [
      isWritten
        ? { es: `La clave de producción está en ${place}.`, en: `The production key is in ${place}.` }
        : { es: 'Las claves de arriba se muestran solo esta vez.', en: 'The tokens above are shown this once.' },
    ],
  };
}
