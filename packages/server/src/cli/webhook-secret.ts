import { CommandFailure, UsageError } from 'sri-core/cli';

/**
 * The secret of an endpoint in the variable. It must be exactly the server's secret: with an added or missing
 * character, only one of the two signatures would match.
 * @throws UsageError without one; CommandFailure WEBHOOK_SECRET_INVALID
 */
export function readWebhookSecret(env: Readonly<Record<string, string | undefined>>): string {
  const secret = env['SRI_WEBHOOK_SECRET'] ?? '';
  if (secret.trim() === '')
    throw new UsageError({ es: 'Falta SRI_WEBHOOK_SECRET.', en: 'SRI_WEBHOOK_SECRET is missing.' });
  const wrong = FAULTS.find(({ isIn }) => isIn(secret));
  if (!wrong) return secret;
  throw new CommandFailure(
    'WEBHOOK_SECRET_INVALID',
    { es: `SRI_WEBHOOK_SECRET ${wrong.es}`, en: `SRI_WEBHOOK_SECRET ${wrong.en}` },
    { reason: wrong.reason },
  );
}

// --- internal ---

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Common copying mistakes, in the order of the checks. The secret itself is never printed. */
const FAULTS: readonly {
  readonly reason: string;
  readonly es: string;
  readonly en: string;
  isIn(secret: string): boolean;
}[] = [
  {
    reason: 'spaces',
    es: 'tiene espacios o saltos de línea al principio o al final. Quítelos también donde lo lee su receptor.',
    en: 'has spaces or line breaks at its beginning or end. Remove them where your receiver reads it, too.',
    isIn: (secret) => secret !== secret.trim(),
  },
  {
    reason: 'prefix',
    es: 'no empieza con whsec_. El secreto se usa entero, con su prefijo.',
    en: 'does not begin with whsec_. The secret is used whole, with its prefix.',
    isIn: (secret) => !secret.startsWith(PREFIX),
  },
  {
    reason: 'letters',
    es: 'tiene signos que un secreto no lleva: después de whsec_ van letras, números, + y /, y un = al final.',
    en: 'has signs that no secret has: after whsec_ come letters, digits, + and /, and one = at the end.',
    isIn: (secret) => !/^[A-Za-z0-9+/]*={0,2}$/.test(secret.slice(PREFIX.length)),
  },
  {
    reason: 'length',
    es: 'no está entero o le sobra algo: después de whsec_ van 44 signos, el último un =. Cópielo de nuevo, o cámbielo con POST /v1/webhooks/:id/rotate-secret.',
    en: 'is not whole, or has something too much: after whsec_ come 44 signs, the last one a =. Copy it again, or change it with POST /v1/webhooks/:id/rotate-secret.',
    isIn(secret) {
      const text = secret.slice(PREFIX.length);
      const bytes = Buffer.from(text, 'base64');
      return bytes.length !== SECRET_BYTES || bytes.toString('base64') !== text;
    },
  },
];
