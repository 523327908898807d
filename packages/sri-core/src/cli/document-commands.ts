import type { SignatureAlgorithm, Signer } from '../signing/signer.js';
import { fillText } from './cli-text.js';
import { type CommandOptions, defineCommand, flagOption, textOption } from './command.js';
import { UsageError } from './failure.js';
import { MAX_P12_BYTES, MAX_XML_BYTES, readInputFile, toText } from './input-file.js';
import { FORCE_OPTION, writeOutputFile } from './output-file.js';
import { openWithPassword, PASSWORD_OPTIONS, readP12Password } from './p12-password.js';
import { BODY_OPTIONS, readBodyToSign, type SignedFile } from './sign-body.js';

const SIGN_OPTIONS = {
  p12: textOption('file', { es: 'El certificado con su clave', en: 'The certificate with its key' }),
  ...PASSWORD_OPTIONS,
  out: textOption('file', { es: 'Dónde; si no, <archivo>-firmado.xml', en: 'Where; default <file>-firmado.xml' }),
  ...BODY_OPTIONS,
  sha256: flagOption({
    es: 'RSA-SHA256 en lugar de RSA-SHA1, que es lo que pide la Ficha técnica',
    en: 'RSA-SHA256 instead of RSA-SHA1, which is what the Ficha técnica asks for',
  }),
  force: FORCE_OPTION,
} as const satisfies CommandOptions;

/** `sign` */
export const signCommand = defineCommand({
  about: {
    es: [
      'Un XML queda como está y la firma XAdES-BES entra al final de su raíz, que debe llevar id="comprobante". Un JSON es el',
      'cuerpo de un comprobante de cualquier tipo, como en POST /v1/documents: se revisa, se calculan las sumas que falten, y',
      'se escribe y firma su XML con el emisor y el número dados.',
    ].join('\n'),
    en: [
      'An XML stays as it is, and the XAdES-BES signature goes in at the end of its root, which must carry id="comprobante". A',
      'JSON is the body of a document of any type, as in POST /v1/documents: it is checked, missing sums are computed, and its',
      'XML is written and signed for the given issuer and number.',
    ].join('\n'),
  },
  args: [{ name: 'file', description: { es: 'El XML sin firmar, o el JSON', en: 'The unsigned XML, or the JSON' } }],
  options: SIGN_OPTIONS,
  async run(call) {
    const path = call.args[0] ?? '';
    if (call.options.p12 === null) throw new UsageError({ es: 'Falta --p12.', en: '--p12 is missing.' });
    const given = toText(await readInputFile(path, { maxBytes: MAX_XML_BYTES, terminal: call.terminal }), path);
    const text = given.replace(/^\uFEFF/, '');
    const asBody = /^\s*\{/.test(text) ? await readBodyToSign(text, path, call.options) : null;
    const p12 = await readInputFile(call.options.p12, { maxBytes: MAX_P12_BYTES });
    const { signerFromP12 } = await import('../signing/p12.js');
    const signer = await openWithPassword(await readP12Password(call), (password) => signerFromP12(p12, password));
    const algorithm = call.options.sha256 ? 'rsa-sha256' : 'rsa-sha1';
    const { signed, warnings, ...facts } = asBody
      ? await asBody({ signer, algorithm, language: call.language })
      : await signForeign(text, signer, algorithm);
    const name = path === '-' ? 'comprobante' : path.replace(/\.(xml|json)$/i, '');
    const target = call.options.out ?? `${name}-firmado.xml`;
    await writeOutputFile(target, signed, { force: call.options.force });
    return {
      json: { ok: true, file: target, bytes: Buffer.byteLength(signed), ...facts, warnings },
      text: target,
      notices: warnings.map(({ field, message }) => `${field}: ${message}`),
    };
  },
});

const RIDE_OPTIONS = {
  out: textOption('file', { es: 'Dónde; si no, <archivo>.pdf', en: 'Where; default <file>.pdf' }),
  format: textOption('a4|ticket', { es: 'El papel: A4, o un rollo de 80 mm', en: 'The paper: A4, or a roll of 80 mm' }),
  logo: textOption('file', { es: 'PNG, JPEG o GIF', en: 'PNG, JPEG or GIF' }),
  force: FORCE_OPTION,
} as const satisfies CommandOptions;

/** `ride` */
export const rideCommand = defineCommand({
  about: {
    es: 'Con el XML de la autorización imprime número y fecha; con un comprobante suelto dice «SIN AUTORIZACIÓN».',
    en: 'With the XML of the authorization it prints number and date; with a bare comprobante it says «SIN AUTORIZACIÓN».',
  },
  args: [
    {
      name: 'file',
      description: {
        es: 'El XML de un comprobante de cualquier tipo, o de su autorización',
        en: 'The XML of a document of any type, or of its authorization',
      },
    },
  ],
  options: RIDE_OPTIONS,
  async run(call) {
    const path = call.args[0] ?? '';
    const bytes = await readInputFile(path, { maxBytes: MAX_XML_BYTES, terminal: call.terminal });
    const { logo, format } = call.options;
    if (format !== null && format !== 'a4' && format !== 'ticket') {
      throw new UsageError({ es: '--format es a4 o ticket.', en: '--format is a4 or ticket.' });
    }
    const image = logo === null ? null : await readInputFile(logo, { maxBytes: MAX_LOGO_BYTES });
    if (image) {
      const { readLogo } = await import('../ride/logo.js');
      await readLogo(image);
    }
    const { requireComprobanteFile } = await import('./diagnosis/comprobante-file.js');
    const file = requireComprobanteFile(bytes);
    const { number, date, estado } = file.authorization ?? { number: null, date: null, estado: null };
    const authorized = estado === 'AUTORIZADO' && number !== null;
    const { verifyXml } = await import('../signing/verify.js');
    const { valid } = await verifyXml(file.xml);
    // A bare draft has no signature to check, and its RIDE says that it is not authorized.
    const doubtful = !valid && (authorized || file.xml.includes('SignatureValue>'));
    const { renderRide } = await import('../ride/pdf.js');
    const pdf = await renderRide({
      xml: file.xml,
      logo: image,
      format: format ?? 'a4',
      authorization: authorized ? { number, date: date ?? '' } : null,
    });
    const target = call.options.out ?? `${path === '-' ? 'ride' : path.replace(/\.xml$/i, '')}.pdf`;
    await writeOutputFile(target, pdf, { force: call.options.force });
    return {
      json: { ok: true, file: target, bytes: pdf.length, authorized, signatureValid: valid },
      text: target,
      notices: doubtful ? [fillText(NOT_AS_SIGNED, { file: path })] : [],
    };
  },
});

// --- internal ---

/** Signs the XML of another program. */
async function signForeign(xml: string, signer: Signer, algorithm: SignatureAlgorithm): Promise<SignedFile> {
  const { signXml } = await import('../signing/sign-xml.js');
  return { signed: await signXml(xml, signer, { signingTime: new Date(), algorithm }), warnings: [] };
}

const NOT_AS_SIGNED = {
  es: 'AVISO: la firma de este XML no es válida, así que el RIDE puede decir otra cosa que lo que se firmó. Por qué: verify {file}',
  en: 'WARNING: the signature of this XML is not valid, so the RIDE may say something else than what was signed. Why: verify {file}',
};

const MAX_LOGO_BYTES = 2 * 1024 * 1024;
