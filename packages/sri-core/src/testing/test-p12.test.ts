import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openP12 } from '../signing/p12.js';
import { createTestIdentity, createTestP12, createTestSigner } from './test-p12.js';

describe('a test container', () => {
  it('a test container has the content of a real authority’s', async () => {
    const { certificate, chain, choice } = await openP12(await createTestP12({ ruc: '0999999990001' }), 'prueba');
    expect(certificate.ruc).toBe('0999999990001');
    expect(certificate.x509.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(BigInt(certificate.serialNumber).toString(2)).toHaveLength(159);
    expect(certificate.issuerName).toBe(
      '2.5.4.97=#0c1356415445432d31373939393939393930303031,CN=AC SUBORDINADA DE PRUEBA,L=QUITO,' +
        'OU=ENTIDAD DE CERTIFICACIÓN DE INFORMACIÓN,O=AUTORIDAD DE PRUEBA\\, S.A.,C=EC',
    );
    expect(choice.map(({ reason }) => reason)).toEqual(['chosen', 'isAuthority']);
    const [authority] = chain.map((der) => new X509Certificate(der));
    expect(authority && certificate.x509.verify(authority.publicKey)).toBe(true);
    expect(authority?.verify(authority.publicKey)).toBe(true);
  });

  it('a test container follows its options', async () => {
    const validFrom = new Date('2030-01-01T00:00:00Z');
    const validTo = new Date('2055-01-01T00:00:00Z');
    const bytes = await createTestP12({ commonName: 'ÑANDÚ', password: 'clávé', validFrom, validTo, bits: 3072 });
    const { certificate, choice } = await openP12(bytes, 'clávé', { now: new Date('2031-01-01T00:00:00Z') });
    expect(certificate).toMatchObject({ validFrom, validTo });
    expect(certificate.x509.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072);
    expect(choice[0]?.subject).toBe('ÑANDÚ');
  });

  it.each([null, ''])('a test container may have no password: %j', async (password) => {
    const bytes = await createTestP12({ password });
    expect((await openP12(bytes, null)).certificate.ruc).toBe('1799999990001');
  });

  it('a test container shares nothing with another one', async () => {
    const [one, other] = await Promise.all([createTestIdentity(), createTestIdentity()]);
    expect(one.privateKey.equals(other.privateKey)).toBe(false);
    expect(one.certificate).not.toEqual(other.certificate);
  });

  it('createTestSigner returns the signer of a test container', async () => {
    const signer = await createTestSigner({ bits: 3072 });
    expect(await signer.sign(Buffer.from('x'), 'rsa-sha1')).toHaveLength(384);
  });
});
