import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { createKeySigner, type KeySigner } from '../signing/key-signer.js';
import { derUtf8 } from './der-writer.js';
import { createTestCertificate, type TestRdn, testExtensions } from './test-certificate.js';
import { writeTestContainer } from './test-container.js';

/** The holder and validity of the certificate. */
export interface TestP12Options {
  /** 13 digits. Default 1799999990001, which is not assigned. */
  readonly ruc?: string;
  /** Holder's name. Default «PRUEBA COMPAÑÍA LIMITADA». */
  readonly commonName?: string;
  /** Default 60 days ago, so that documents of the past weeks can be signed. */
  readonly validFrom?: Date;
  /** Default two years after the start. */
  readonly validTo?: Date;
  /** Size of the RSA key. Default 2048. */
  readonly bits?: number;
}

/** The layout of a container: one pair with its authority, or as at Banco Central, a pair to sign and a pair to decrypt. */
export type TestP12Layout = 'securityData' | 'bancoCentral';

/** A certificate of a made-up authority, with its key. */
export interface TestIdentity {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly privateKey: KeyObject;
  /** The authority's own certificate, DER. */
  readonly authority: Uint8Array;
}

/**
 * Makes a PKCS#12 container for trials, in some 50 ms. Its content follows the Ecuadorian authorities. The RSA
 * certificate for digital signatures has the RUC in an extension and a serial number of 160 bits. The authority's name
 * has accents, a comma and an attribute without a short name. The container also has the authority's certificate. The
 * SRI never accepts it.
 *
 * @param options `password` defaults to `prueba`; null leaves everything unencrypted.
 */
export async function createTestP12(
  options: TestP12Options & { readonly password?: string | null; readonly layout?: TestP12Layout } = {},
): Promise<Uint8Array> {
  const { password = 'prueba', layout = 'securityData' } = options;
  const { certificate, privateKey, authority, decryption } = await createIdentities(options, layout);
  const pairs = [...decryption, { certificate, privateKey, name: 'Signing Key' }];
  return writeTestContainer([...pairs, { certificate: authority }], { password });
}

/** A signer with such a certificate, without a container. */
export async function createTestSigner(options: TestP12Options = {}): Promise<KeySigner> {
  return createKeySigner(await createTestIdentity(options));
}

/** The certificate and key that `createTestP12` packs. */
export async function createTestIdentity(options: TestP12Options = {}): Promise<TestIdentity> {
  const { certificate, privateKey, authority } = await createIdentities(options, 'securityData');
  return { certificate, privateKey, authority };
}

// --- internal ---

const generate = promisify(generateKeyPair);

/** The content of a container of that layout. */
async function createIdentities(options: TestP12Options, layout: TestP12Layout) {
  const { ruc = '1799999990001', commonName = 'PRUEBA COMPAÑÍA LIMITADA', bits = 2048 } = options;
  const validFrom = options.validFrom ?? new Date(Date.now() - 60 * DAY_MS);
  const validTo = options.validTo ?? new Date(validFrom.getTime() + 2 * 365 * DAY_MS);
  // An EC key is fast to make. The authority's kind of key does not appear in a signed comprobante.
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: AUTHORITY, privateKey: authorityKeys.privateKey };
  const decade = 10 * 365 * DAY_MS;
  const isBancoCentral = layout === 'bancoCentral';
  const arc = ARCS[layout];

  async function issue(use: ReturnType<typeof testExtensions.keyUsage>) {
    const { publicKey, privateKey } = await generate('rsa', { modulusLength: bits });
    const certificate = createTestCertificate({
      subject: [...HOLDER, { type: OID.commonName, text: commonName }],
      publicKey,
      issuer,
      validFrom,
      validTo,
      extensions: [
        testExtensions.authority(false),
        use,
        { oid: `${arc}.10`, content: derUtf8(commonName) },
        { oid: `${arc}.11`, content: derUtf8(ruc) },
      ],
    });
    return { certificate, privateKey };
  }

  return {
    ...(await issue(testExtensions.keyUsage('digitalSignature', 'nonRepudiation'))),
    decryption: isBancoCentral
      ? [{ ...(await issue(testExtensions.keyUsage('keyEncipherment', 'dataEncipherment'))), name: 'Decryption Key' }]
      : [],
    authority: createTestCertificate({
      subject: AUTHORITY,
      publicKey: authorityKeys.publicKey,
      issuer,
      validFrom: new Date(validFrom.getTime() - decade),
      validTo: new Date(validTo.getTime() + decade),
      extensions: [testExtensions.authority(true), testExtensions.keyUsage('keyCertSign', 'cRLSign')],
    }),
  };
}

const DAY_MS = 86_400_000;

/** The place of each authority's client data: the RUC as a UTF8String in an extension below it. */
const ARCS = {
  securityData: '1.3.6.1.4.1.37746.3',
  bancoCentral: '1.3.6.1.4.1.37947.3',
} as const satisfies Readonly<Record<TestP12Layout, string>>;

const OID = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  organizationIdentifier: '2.5.4.97',
} as const;

const AUTHORITY: readonly TestRdn[] = [
  { type: OID.country, text: 'EC', form: 'printable' },
  { type: OID.organization, text: 'AUTORIDAD DE PRUEBA, S.A.' },
  { type: OID.organizationalUnit, text: 'ENTIDAD DE CERTIFICACIÓN DE INFORMACIÓN' },
  { type: OID.locality, text: 'QUITO' },
  { type: OID.commonName, text: 'AC SUBORDINADA DE PRUEBA' },
  { type: OID.organizationIdentifier, text: 'VATEC-1799999990001' },
];

const HOLDER: readonly TestRdn[] = [
  { type: OID.country, text: 'EC', form: 'printable' },
  { type: OID.organization, text: 'AUTORIDAD DE PRUEBA, S.A.' },
  { type: OID.locality, text: 'QUITO' },
  { type: OID.serialNumber, text: '0000012345', form: 'printable' },
];
