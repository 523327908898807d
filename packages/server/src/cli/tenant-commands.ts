import { DOCUMENT_TYPES, isDocumentType, LAST_SEQUENTIAL } from 'sri-core';
import { showEvent, showTenant } from '../admin/shown.js';
import {
  findTenants,
  promoteTenant,
  readTenantEvents,
  setTier,
  suspend,
  unsuspend,
  verifyTenant,
} from '../admin/tenant-administration.js';
import type { FirstNumber } from '../store/promotion.js';
import { TIERS } from '../tenancy/plans.js';
import { SUSPENSION_REASONS, TENANT_STATUSES, type Tenant } from '../tenancy/tenant.js';
import { type Command, type CommandCall, type CommandResult, UsageError } from './command.js';
import {
  chooseFrom,
  findTenantId,
  PAGE_OPTIONS,
  readArgument,
  readPage,
  readText,
  requireId,
  requireText,
} from './read-options.js';
import { toLines, toTable } from './table.js';

const TENANT = { name: 'account', description: 'Its id, RUC or e-mail address' };

/** Commands about accounts. */
export const TENANT_COMMANDS: readonly Command[] = [
  {
    name: 'admin tenants',
    summary: 'List accounts, newest first',
    options: {
      status: { type: 'string', value: 'status', description: TENANT_STATUSES.join(', ') },
      tier: { type: 'string', value: 'tier', description: TIERS.join(', ') },
      ruc: { type: 'string', value: 'digits', description: 'Part of the RUC' },
      email: { type: 'string', value: 'text', description: 'Part of the e-mail address' },
      ...PAGE_OPTIONS,
    },
    async run(call) {
      const status = readText(call, 'status');
      const tier = readText(call, 'tier');
      const filter = {
        status: status === null ? null : chooseFrom('--status', status, TENANT_STATUSES),
        tier: tier === null ? null : chooseFrom('--tier', tier, TIERS),
        ruc: readText(call, 'ruc'),
        email: readText(call, 'email'),
        ...readPage(call),
      };
      const { services } = await call.open();
      const { tenants, total } = await findTenants(services, filter);
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
        ),
      };
    },
  },
  {
    name: 'admin events',
    summary: 'Show what happened to an account, oldest first',
    args: [TENANT],
    async run(call) {
      const { services } = await call.open();
      const events = (await readTenantEvents(services, await namedTenant(call))).map(showEvent);
      const rows = events.map(({ createdAt, eventType, detail }) => [createdAt, eventType, detail]);
      return { json: { ok: true, events }, text: toTable(['at', 'event', 'detail'], rows) };
    },
  },
  {
    name: 'admin suspend',
    summary: 'Suspend an account: it reads, and neither issues nor changes anything',
    args: [TENANT],
    options: { reason: { type: 'string', value: 'reason', description: SUSPENSION_REASONS.join(', ') } },
    async run(call) {
      const reason = chooseFrom('--reason', requireText(call, 'reason'), SUSPENSION_REASONS);
      return changeTenant(call, async (tenantId, { services, operator }) =>
        suspend(services, operator, { tenantId, reason }),
      );
    },
  },
  {
    name: 'admin unsuspend',
    summary: 'End a suspension: the account stands where it stood before',
    args: [TENANT],
    run: (call) => changeTenant(call, (tenantId, { services, operator }) => unsuspend(services, operator, tenantId)),
  },
  {
    name: 'admin set-tier',
    summary: 'Give an account a tier without a payment',
    about: 'Refused while an active subscription says what the tier is.',
    args: [TENANT, { name: 'tier', description: TIERS.join(', ') }],
    async run(call) {
      const tier = chooseFrom('The tier', readArgument(call, 1), TIERS);
      return changeTenant(call, (tenantId, { services, operator }) => setTier(services, operator, { tenantId, tier }));
    },
  },
  {
    name: 'admin verify',
    summary: "Take an account's e-mail address for verified",
    about: 'For an account whose verification mail cannot arrive. Links that were sent end.',
    args: [TENANT],
    run: (call) => changeTenant(call, (tenantId, { services, operator }) => verifyTenant(services, operator, tenantId)),
  },
  {
    name: 'admin promote',
    summary: 'Move an account to production, for good',
    about: 'Prints the tokens of its production keys, this once. They are stored nowhere: hand them over now.',
    args: [TENANT],
    options: {
      'first-number': {
        type: 'string',
        multiple: true,
        value: 'issuer:type:n',
        description: 'Where a counter of production begins, such as <issuer id>:01:1201. May be repeated',
      },
    },
    async run(call) {
      const firstNumbers = readFirstNumbers(call);
      const { services } = await call.open();
      const tenantId = await namedTenant(call);
      const { tenant, keys } = await promoteTenant(services, operatorOf(call), { tenantId, request: { firstNumbers } });
      const rows = keys.map(({ label, apiKey }) => [label, apiKey]);
      return {
        json: { ok: true, apiKeys: keys, tenant: showTenant(tenant), environment: tenant.environment },
        text: `${toLines(showTenant(tenant))}\n\n${toTable(['key', 'token'], rows)}`,
        notices: ['The tokens above are shown this once.'],
      };
    },
  },
];

/** Who works at the command line. */
export function operatorOf({ actor }: CommandCall) {
  return { actor, channel: 'CLI' } as const;
}

// --- internal ---

async function namedTenant(call: CommandCall): Promise<string> {
  const { services } = await call.open();
  return findTenantId(services, readArgument(call, 0));
}

async function changeTenant(
  call: CommandCall,
  change: (
    tenantId: string,
    by: {
      readonly services: Awaited<ReturnType<CommandCall['open']>>['services'];
      readonly operator: ReturnType<typeof operatorOf>;
    },
  ) => Promise<Tenant>,
): Promise<CommandResult> {
  const { services } = await call.open();
  const tenant = showTenant(await change(await namedTenant(call), { services, operator: operatorOf(call) }));
  return { json: { ok: true, tenant }, text: toLines(tenant) };
}

function readFirstNumbers({ options }: CommandCall): readonly FirstNumber[] {
  const texts = [options['first-number'] ?? []].flat().map(String);
  return texts.map((text) => {
    const [issuer = '', documentType = '', number = ''] = text.split(':');
    const sequential = Number(number);
    if (!isDocumentType(documentType)) throw new UsageError(`The type is one of ${DOCUMENT_TYPES.join(', ')}.`);
    if (!/^\d{1,9}$/.test(number) || sequential < 1 || sequential > LAST_SEQUENTIAL) {
      throw new UsageError(`A first number is from 1 to ${LAST_SEQUENTIAL}.`);
    }
    return { issuerId: requireId('The issuer', issuer), documentType, sequential };
  });
}
