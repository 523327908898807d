/** The permissions of a key. A route names the scope it needs. In the order of storage and display. */
export const SCOPES = [
  'documents:write',
  'documents:read',
  'issuers:read',
  'issuers:write',
  'keys:manage',
  'billing:manage',
  'webhooks:manage',
  'tenant:manage',
  'tenant:promote',
] as const;

/** One of the nine scopes. */
export type Scope = (typeof SCOPES)[number];

/** Whether the text names a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
