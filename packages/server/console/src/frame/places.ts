/** The addresses of the console. */
export const home = '/console';

/** The addresses of its pages. */
export const AtPath = {
  signIn: '/console/sign-in',
  register: '/console/register',
  recover: '/console/recover',
  start: '/console/start',
  documents: '/console/documents',
  issuers: '/console/issuers',
  keys: '/console/keys',
  webhooks: '/console/webhooks',
  notifications: '/console/notifications',
  account: '/console/account',
  mails: '/console/written-mails',
} as const;

/** The page of a document. */
export const documentAt = (accessKey: string) => `${AtPath.documents}/${accessKey}`;

/** The list with a filter. */
export const documentsWith = (filter: Readonly<Record<string, string>>) =>
  `${AtPath.documents}?${new URLSearchParams(filter)}`;

/** The form of a new document, optionally from another one. `how` is `correct` to correct that document. */
export function newAt(documentType: string, from?: string, how?: 'correct'): string {
  const query = new URLSearchParams({ ...(from ? { from } : {}), ...(how ? { how } : {}) });
  return `/console/new/${documentType}${query.size === 0 ? '' : `?${query}`}`;
}
