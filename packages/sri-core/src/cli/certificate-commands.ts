import { toSigningCertificate } from '../signing/certificate.js';
import { type OpenedP12, openP12 } from '../signing/p12.js';
import type { SigningCertificate } from '../signing/signer.js';
import { type CliText, daysLeft } from './cli-text.js';
import { type CommandOptions, defineCommand, textOption } from './command.js';
import { isKnownAuthority } from './diagnosis/certificate-findings.js';
import { CommandFailure, UsageError } from './failure.js';
import { MAX_P12_BYTES, readInputFile } from './input-file.js';
import { FORCE_OPTION, writeOutputFile } from './output-file.js';
import { openWithPassword, PASSWORD_OPTIONS, readP12Password } from './p12-password.js';
import { readableName } from './readable-name.js';
import { toLines, toTable } from './table.js';
import { readWhole } from './whole-number.js';

/** `cert inspect` */
export const inspectCertificateCommand = defineCommand({
  about: {
    es: 'Abre el P12 como lo abre el servidor y dice qué certificado firma y por qué. No muestra la clave.\nTermina en 1 cuando con él no se puede firmar ahora.',
    en: 'Opens the P12 as the server does, and tells which certificate signs and why. The key is not shown.\nEnds with 1 when it cannot sign now.',
  },
  args: [
    {
      name: 'file',
      description: {
        es: 'Un .p12 o .pfx; o un certificado .crt, .cer o .pem',
        en: 'A .p12 or .pfx; or a certificate .crt, .cer or .pem',
      },
    },
  ],
  options: PASSWORD_OPTIONS,
  async run(call) {
    const path = call.args[0] ?? '';
    const bytes = await readInputFile(path, { maxBytes: MAX_P12_BYTES });
    const plain = readPlainCertificate(bytes);
    if (plain) {
      const facts = describe(plain);
      return {
        json: { ok: true, certificate: facts },
        text: toLines(readable(facts), call.language),
        notices: [NO_KEY],
      };
    }
    const opened = await openWithPassword(await readP12Password(call), (password) =>
      openP12(bytes, password, { allowOutOfDate: true }),
    );
    const certificate = describe(opened.certificate);
    const choice = opened.choice.map((entry) => ({ ...entry, why: REASONS[entry.reason][call.language] }));
    const rows = choice.map(({ chosen, subject, serialNumber, why }) => [
      chosen ? '→' : '',
      subject,
      serialNumber,
      why,
    ]);
    const headings = ['', 'holder', 'serial', 'why'];
    return {
      json: { ok: certificate.inForce, certificate, keyBits: bitsOf(opened), chain: opened.chain.length, choice },
      text: `${toLines({ ...readable(certificate), keyBits: bitsOf(opened), chain: opened.chain.length }, call.language)}\n\n${toTable(headings, rows, call.language)}`,
      notices: noticesOf(certificate),
      passed: certificate.inForce,
    };
  },
});

const MAKE_OPTIONS = {
  out: textOption('file', { es: 'Dónde; si no, prueba.p12', en: 'Where; default prueba.p12' }),
  ruc: textOption('digits', { es: '13 dígitos; si no, 1799999990001', en: '13 digits; default 1799999990001' }),
  name: textOption('text', { es: 'Titular', en: 'Holder' }),
  days: textOption('n', { es: 'Cuánto rige; si no, 730', en: 'How long it is in force; default 730' }),
  layout: textOption('bce|security-data', {
    es: 'La forma: Banco Central (dos pares de claves) o Security Data; si no, bce',
    en: 'The form: Banco Central (two key pairs) or Security Data; default bce',
  }),
  force: FORCE_OPTION,
  ...PASSWORD_OPTIONS,
} as const satisfies CommandOptions;

/** `cert make-test` */
export const makeTestCertificateCommand = defineCommand({
  about: {
    es: 'Para el simulador y las pruebas: ningún SRI admite lo que firma. Contraseña: «prueba» si no se da otra.',
    en: 'For the simulator and tests: no SRI takes what it signs. Password: «prueba» unless another one is given.',
  },
  options: MAKE_OPTIONS,
  async run(call) {
    const { layout, name } = call.options;
    const ruc = call.options.ruc ?? '1799999990001';
    if (!/^\d{13}$/.test(ruc)) throw new UsageError({ es: 'Un RUC tiene 13 dígitos.', en: 'A RUC has 13 digits.' });
    if (layout !== null && layout !== 'bce' && layout !== 'security-data') {
      throw new UsageError({ es: '--layout es bce o security-data.', en: '--layout is bce or security-data.' });
    }
    const span = readWhole('--days', call.options.days ?? '730', 1, 3650);
    const given = call.options['password-file'] !== null || call.env['SRI_P12_PASSWORD'] !== undefined;
    const password = given ? await readP12Password(call) : 'prueba';
    const validFrom = new Date(Date.now() - DAY_MS);
    const validTo = new Date(Date.now() + span * DAY_MS);
    const { createTestP12 } = await import('../testing/test-p12.js');
    const p12 = await createTestP12({
      ruc,
      password,
      validFrom,
      validTo,
      layout: layout === 'security-data' ? 'securityData' : 'bancoCentral',
      ...(name === null ? {} : { commonName: name }),
    });
    const path = call.options.out ?? 'prueba.p12';
    await writeOutputFile(path, p12, { force: call.options.force, secret: true });
    const facts = { file: path, ruc, validTo: validTo.toISOString(), bytes: p12.length };
    return {
      json: { ok: true, ...facts },
      text: toLines(facts, call.language),
      notices: given ? [] : [DEFAULT_PASSWORD],
    };
  },
});

// --- internal ---

const DAY_MS = 86_400_000;
const NO_KEY: CliText = {
  es: 'Es un certificado sin clave privada: con él no se firma. Se firma con un .p12 o .pfx.',
  en: 'This is a certificate without a private key: it does not sign. A .p12 or .pfx does.',
};
const DEFAULT_PASSWORD: CliText = { es: 'Contraseña: prueba', en: 'Password: prueba' };
const UNKNOWN_AUTHORITY: CliText = {
  es: 'No se conoce a quien lo emitió: el SRI solo admite entidades acreditadas en Ecuador. El simulador sí lo admite.',
  en: 'Who issued it is not known: the SRI takes entities accredited in Ecuador only. The simulator takes it.',
};

/** Why each certificate of a container is used or skipped. */
const REASONS: Readonly<Record<OpenedP12['choice'][number]['reason'], { readonly es: string; readonly en: string }>> = {
  chosen: { es: 'firma', en: 'signs' },
  isAuthority: { es: 'es de una autoridad, no de un titular', en: 'is an authority’s, no holder’s' },
  noPrivateKey: { es: 'no trae su clave privada', en: 'comes without its private key' },
  unsupportedKey: { es: 'su clave no es RSA de 2048 a 4096 bits', en: 'its key is not RSA of 2048 to 4096 bits' },
  notForSigning: { es: 'es de cifrado, no de firma', en: 'is for encryption, not for signing' },
  expired: { es: 'está vencido', en: 'has expired' },
  notYetValid: { es: 'todavía no rige', en: 'is not in force yet' },
  notPreferred: { es: 'hay otro mejor', en: 'another one is better' },
};

function describe(certificate: SigningCertificate) {
  const { validFrom, validTo, ruc, issuerName, serialNumber, fingerprint, x509 } = certificate;
  const now = new Date();
  return {
    holder: /^CN=(.*)$/m.exec(x509.subject)?.[1] ?? null,
    ruc,
    issuerName,
    knownAuthority: isKnownAuthority(issuerName),
    serialNumber,
    fingerprint,
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    daysLeft: Math.floor((validTo.getTime() - now.getTime()) / DAY_MS),
    inForce: validFrom <= now && now <= validTo,
  };
}

/** The facts for a person. With `--json` the issuer name is exactly as a signature must hold it. */
function readable(facts: ReturnType<typeof describe>) {
  return { ...facts, issuerName: readableName(facts.issuerName) };
}

function noticesOf({ inForce, daysLeft: days, knownAuthority, ruc }: ReturnType<typeof describe>): readonly CliText[] {
  const left = daysLeft(days);
  const notices: CliText[] = [];
  if (!inForce) {
    notices.push(
      days < 0
        ? {
            es: 'Está VENCIDO: renuévelo con su entidad de certificación.',
            en: 'It has EXPIRED: renew it with its authority.',
          }
        : {
            es: 'Todavía no rige: revise la fecha del equipo.',
            en: 'It is not in force yet: check the machine’s date.',
          },
    );
  } else if (days <= 30) {
    notices.push({ es: `Vence en ${left.es}: renuévelo ya.`, en: `It expires in ${left.en}: renew it now.` });
  }
  if (!knownAuthority) notices.push(UNKNOWN_AUTHORITY);
  if (ruc === null) {
    notices.push({
      es: 'No se pudo leer un RUC en él; el SRI exige que sea el del emisor.',
      en: 'No RUC could be read in it; the SRI asks for the issuer’s.',
    });
  }
  return notices;
}

/** PEM or DER of a single certificate; null for anything else. */
function readPlainCertificate(bytes: Buffer): SigningCertificate | null {
  const head = bytes.subarray(0, 4096).toString('latin1');
  if (head.includes('-----BEGIN') && head.includes('PRIVATE KEY')) {
    throw new CommandFailure('CERTIFICATE_INVALID', {
      es: 'Es una clave privada en PEM. Se necesita el P12: openssl pkcs12 -export la une con su certificado.',
      en: 'This is a private key in PEM. The P12 is needed: openssl pkcs12 -export joins it with its certificate.',
    });
  }
  try {
    return toSigningCertificate(bytes);
  } catch {
    return null;
  }
}

function bitsOf({ privateKey }: OpenedP12): number | null {
  return privateKey.asymmetricKeyDetails?.modulusLength ?? null;
}
