import { type CommandResult, textOption, toLines, toTable } from 'sri-core/cli';
import { PLAN_NAMES } from '../accounts/plans.js';
import { findTenant } from '../accounts/rows.js';
import { SUSPENSION_REASONS, TENANT_STATUSES, type Tenant } from '../accounts/tenant.js';
import type { PromotedKey } from '../onboarding/promote.js';
import {
  openTenantEvents,
  promoteTenant,
  releaseTenant,
  setTier,
  suspend,
  unsuspend,
  verifyTenant,
} from '../operator/administer-tenants.js';
import type { Operator } from '../operator/operator.js';
import { showEvent, showTenant } from '../operator/schemas.js';
import { listTenants } from '../operator/tenant-rows.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import { defineServerCommand, operatorOf, type ServerCall } from './frame/command.js';
import { type Intent, requireConfirmation, YES_OPTION } from './frame/confirmation.js';
import { describePromotion, FIRST_NUMBER_OPTION, printNewKeys, readFirstNumbers } from './frame/promotion.js';
import { chooseFrom, findTenantId, PAGE_OPTIONS, readPage, requireText } from './frame/read-options.js';

const TENANT = { name: 'account', description: { es: 'Su id, RUC o correo', en: 'Its id, RUC or e-mail address' } };

/** Commands about accounts. */
export const TENANT_COMMANDS = {
  list: defineServerCommand({
    options: {
      status: textOption('status', TENANT_STATUSES.join(', ')),
      tier: textOption('tier', PLAN_NAMES.join(', ')),
      ruc: textOption('digits', { es: 'Parte del RUC', en: 'Part of the RUC' }),
      email: textOption('text', { es: 'Parte del correo', en: 'Part of the e-mail address' }),
      ...PAGE_OPTIONS,
    },
    async run(call) {
      const status = call.options.status;
      const tier = call.options.tier;
      const filter = {
        status: status === null ? null : chooseFrom('--status', status, TENANT_STATUSES),
        tier: tier === null ? null : chooseFrom('--tier', tier, PLAN_NAMES),
        ruc: call.options.ruc,
        email: call.options.email,
        ...readPage(call),
      };
      const { services } = await call.open();
      const { tenants, total } = await services.database.read((tables) => listTenants(tables, filter));
      const shown = tenants.map(showTenant);
      const { page, limit } = filter;
      return {
        json: { ok: true, tenants: shown, pagination: { total, page, limit } },
        text: toTable(
          ['id', 'RUC', 'name', 'e-mail', 'tier', 'status', 'environment', 'since'],
          shown.map((tenant) => [
            tenant.id,
            tenant.ruc,
            'businessName' in tenant ? tenant.businessName : null,
            tenant.email,
            tenant.subscriptionTier,
            tenant.status,
            tenant.sandbox ? 'sandbox' : 'production',
            tenant.createdAt,
          ]),
          call.language,
        ),
      };
    },
  }),
  events: defineServerCommand({
    args: [TENANT],
    async run(call) {
      const { services } = await call.open();
      const read = await openTenantEvents(services, await namedTenant(call));
      const events = (await read(null, MOST_EVENTS)).map(showEvent);
      const rows = events.map(({ createdAt, eventType, detail }) => [createdAt, eventType, detail]);
      return { json: { ok: true, events }, text: toTable(['at', 'event', 'detail'], rows, call.language) };
    },
  }),
  suspend: defineServerCommand({
    args: [TENANT],
    options: { reason: textOption('reason', SUSPENSION_REASONS.join(', ')) },
    async run(call) {
      const reason = chooseFrom('--reason', requireText('--reason', call.options.reason), SUSPENSION_REASONS);
      return changeTenant(call, (services, operator, tenantId) => suspend(services, operator, { tenantId, reason }));
    },
  }),
  unsuspend: defineServerCommand({ args: [TENANT], run: (call) => changeTenant(call, unsuspend) }),
  setTier: defineServerCommand({
    about: {
      es: 'Se rechaza mientras una suscripción activa diga cuál es el plan.',
      en: 'Refused while an active subscription says what the tier is.',
    },
    args: [TENANT, { name: 'tier', description: PLAN_NAMES.join(', ') }],
    async run(call) {
      const tier = chooseFrom({ es: 'El plan', en: 'The tier' }, call.args[1] ?? '', PLAN_NAMES);
      return changeTenant(call, (services, operator, tenantId) => setTier(services, operator, { tenantId, tier }));
    },
  }),
  verify: defineServerCommand({
    about: {
      es: 'Para una cuenta a la que no le llega el correo de verificación. Los enlaces enviados dejan de servir.',
      en: 'For an account whose verification mail cannot arrive. Links that were sent end.',
    },
    args: [TENANT],
    run: (call) => changeTenant(call, verifyTenant),
  }),
  release: defineServerCommand({
    about: {
      es: 'Cierra la cuenta y deja su RUC y su correo libres para otra. Antes pide escribir el RUC. Una cuenta verificada con\ncomprobantes en producción se rechaza.',
      en: 'Closes the account and leaves its RUC and address to another. Asks for the RUC to be typed first. A verified\naccount with documents in production is refused.',
    },
    args: [TENANT],
    options: YES_OPTION,
    async run(call) {
      const { services } = await call.open();
      const tenantId = await namedTenant(call);
      await requireConfirmation(call, () => describeRelease(services, tenantId));
      return changeTenant({ ...call, args: [tenantId] }, releaseTenant);
    },
  }),
  promote: defineServerCommand({
    about: {
      es: 'Antes muestra qué pasará y pide escribir el RUC. Imprime las claves de API de producción, solo esta vez, y después\nla cuenta, con la que empiezan a servir. No se guardan: entréguelas ahora.',
      en: 'Shows first what will happen, and asks for the RUC to be typed. Prints the tokens of its production keys, this\nonce, and then the account, when they start to work. They are stored nowhere: hand them over now.',
    },
    args: [TENANT],
    options: { ...YES_OPTION, ...FIRST_NUMBER_OPTION },
    async run(call) {
      const firstNumbers = readFirstNumbers(call);
      const { tenantId } = await requireConfirmation(call, async () => {
        const id = await namedTenant(call);
        return { tenantId: id, ...(await describePromotion((await call.open()).services, id, call)) };
      });
      const { services } = await call.open();
      const request = { firstNumbers, keep: (made: readonly PromotedKey[]) => printNewKeys(call, made) };
      const { tenant, keys } = await promoteTenant(services, operatorOf(call), { tenantId, request });
      return {
        json: { ok: true, apiKeys: keys, tenant: showTenant(tenant), environment: tenant.environment },
        text: toLines(showTenant(tenant), call.language),
        notices: [
          { es: 'Las claves de arriba se muestran solo esta vez.', en: 'The tokens above are shown this once.' },
        ],
      };
    },
  }),
} as const;

// --- internal ---

/** The command's process has memory for them. */
const MOST_EVENTS = 1_000_000;

async function namedTenant(call: ServerCall): Promise<string> {
  const { services } = await call.open();
  return findTenantId(services, call.args[0] ?? '');
}

async function changeTenant(
  call: ServerCall,
  change: (services: Services, operator: Operator, tenantId: string) => Promise<Tenant>,
): Promise<CommandResult> {
  const { services } = await call.open();
  const tenant = showTenant(await change(services, operatorOf(call), await namedTenant(call)));
  return { json: { ok: true, tenant }, text: toLines(tenant, call.language) };
}

/** What releasing an account means. */
async function describeRelease({ database }: Services, tenantId: string): Promise<Intent> {
  const tenant = await database.read((tables) => findTenant(tables, tenantId));
  if (!tenant) throw new Refusal('NOT_FOUND');
  return {
    summary: [
      {
        es: `La cuenta ${tenant.email}, RUC ${tenant.ruc}, se cierra: sus claves y enlaces dejan de servir y sus correos no salen.`,
        en: `The account ${tenant.email}, RUC ${tenant.ruc}, is closed: its keys and links end, and its mails are not sent.`,
      },
      {
        es: 'Otra cuenta podrá registrarse con ese RUC y ese correo.',
        en: 'Another account can register with that RUC and that address.',
      },
    ],
    word: tenant.ruc,
  };
}
