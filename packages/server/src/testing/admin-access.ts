import type { TestServer } from './test-server.js';
import { sendJson } from './test-tenant.js';

/** The token of a test server's operator. */
export const ADMIN_TOKEN = 'token-del-operador-de-pruebas';
/** Settings of a server that has an operator. */
export const ADMIN_SETTINGS = { ADMIN_TOKEN: `ana:${ADMIN_TOKEN},luis:otro-token-del-operador` } as const;

type Shown = Readonly<Record<string, unknown>>;

/** The members of answers to the operator; each answer has some of them. */
export interface AdminBody {
  readonly code: string;
  readonly reason?: string;
  readonly errors: readonly { readonly field: string; readonly rule: string }[];
  readonly tenant: Shown & { readonly status: string; readonly subscriptionTier: string };
  readonly tenants: readonly (Shown & { readonly id: string; readonly ruc: string })[];
  readonly events: readonly { readonly eventType: string; readonly detail: Shown | null }[];
  readonly environment: string;
  readonly apiKeys: readonly { readonly label: string | null; readonly apiKey: string }[];
  readonly payment: Shown & { readonly id: string; readonly status: string };
  readonly payments: readonly (Shown & { readonly id: string })[];
  readonly proofs: readonly (Shown & { readonly id: string; readonly active: boolean })[];
  readonly invoice: Shown;
  readonly price: Shown & { readonly tierPriceId: string };
  readonly prices: readonly Shown[];
  readonly jobs: readonly (Shown & { readonly id: string; readonly kind: string })[];
  readonly job: Shown;
  readonly entries: readonly (Shown & { readonly action: string })[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
}

/** An answer to the operator. */
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the answer is a file. */
  readonly body: AdminBody;
  /** The content of a file; empty otherwise. */
  readonly bytes: Buffer;
}

/** Sends a request as the operator. */
export async function askAsOperator(
  server: TestServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<AdminAnswer> {
  const response = await sendJson(server, method, `/v1/admin/${path}`, { 'x-admin-token': ADMIN_TOKEN }, body);
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status, headers, bytes, body: (isJson ? JSON.parse(bytes.toString('utf8')) : {}) as AdminBody };
}

/** The newest entries of the record of what operators did, those of one target. */
export async function auditOf(server: TestServer, target: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await askAsOperator(server, 'GET', `audit?limit=100&target=${encodeURIComponent(target)}`);
  return body.entries;
}
