import { describe, expect, it } from 'vitest';
import { ConfigError } from '../platform/config-values.js';
import { readConfig } from './config.js';
import { findProductionGaps } from './production-gaps.js';

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ variable }) => variable);
    throw error;
  }
}

describe('the configuration', () => {
  it('every variable has a default', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      onboarding: 'public',
      onboardingRate: { limit: 5, windowMs: 3_600_000 },
      verificationTtlMs: 86_400_000,
      sriMode: 'simulator',
      sriAuthFirstDelayMs: 3000,
      leaseMs: 60_000,
      shutdownGraceMs: 30_000,
      signatureAlgorithm: 'rsa-sha1',
      quotaEnforcement: 'production',
    });
  });

  it.each([
    ['SRI_AUTH_FIRST_DELAY', '50ms', 'sriAuthFirstDelayMs', 50],
    ['SRI_RETRY_INTERVAL', '7m', 'sriRetryIntervalMs', 420_000],
    ['VERIFICATION_TTL', '2d', 'verificationTtlMs', 172_800_000],
    ['LEASE_SECONDS', '5', 'leaseMs', 5000],
    ['LEASE_SECONDS', '250ms', 'leaseMs', 250],
    ['CLOCK_OFFSET', '+7d', 'clockOffsetMs', 604_800_000],
    ['CLOCK_OFFSET', '-1h', 'clockOffsetMs', -3_600_000],
    ['ONBOARDING_RATE', '3/10s', 'onboardingRate', { limit: 3, windowMs: 10_000 }],
    ['BASE_URL', 'https://api.example.ec/', 'baseUrl', 'https://api.example.ec'],
    ['DOCUMENT_STRICT', 'true', 'documentStrict', true],
    ['VERIFICATION_REDIRECT_HOSTS', 'a.ec, B.ec:8080,', 'verificationRedirectHosts', ['a.ec', 'b.ec:8080']],
    ['VERIFICATION_REDIRECT_HOSTS', '[::1]:5173', 'verificationRedirectHosts', ['[::1]:5173']],
    ['AGREEMENTS', 'off', 'agreements', false],
    ['PAST_DUE_MODE', 'block', 'pastDueMode', 'block'],
    ['PORT', '', 'port', 3000],
    ['USE', 'own', 'use', 'own'],
    ['USE', 'own', 'onboarding', 'internal'],
    ['USE', 'own', 'agreements', false],
    ['SOFTWARE_PROVIDER_RUC', '1790012345001', 'softwareProviderRuc', '1790012345001'],
  ])('reads %s=%s', (variable, text, field, expected) => {
    expect(readConfig({ [variable]: text })).toHaveProperty(field, expected);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '3000x'],
    ['BASE_URL', 'ftp://x'],
    ['SRI_TIMEOUT', '30'],
    ['SRI_TIMEOUT', '3 s'],
    ['SRI_TIMEOUT', '0'],
    ['SRI_TIMEOUT', '30d'],
    ['SMTP_TIMEOUT', '20d'],
    ['SHUTDOWN_GRACE', '60d'],
    ['LEASE_SECONDS', '0'],
    ['LEASE_SECONDS', '999999'],
    ['VERIFICATION_TTL', '999999999d'],
    ['VERIFICATION_TTL', '0'],
    ['NOTIFICATION_TTL', '0'],
    ['CLOCK_OFFSET', '+999999999d'],
    ['ONBOARDING', 'open'],
    ['AGREEMENTS', 'no'],
    ['ONBOARDING_RATE', '0/1h'],
    ['MASTER_KEYS', 'k1:short'],
    ['MASTER_KEYS', `${KEY},${KEY}`],
    ['INTERNAL_SERVICE_SECRET', 'too short'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', 'anyone'],
    ['DATABASE_URL', 'mysql://x'],
    ['VERIFICATION_REDIRECT_HOSTS', 'https://app.example.ec'],
    ['VERIFICATION_REDIRECT_HOSTS', 'app.example.ec/verify'],
    ['VERIFICATION_REDIRECT_HOSTS', '*.example.ec'],
    ['API_KEY_BRAND', 'Brand'],
    ['SOFTWARE_PROVIDER_RUC', '123'],
    ['SOFTWARE_PROVIDER_RUC', '1790012345002'],
    ['SOFTWARE_PROVIDER_RUC', '9990012345001'],
    ['SOFTWARE_PROVIDER_RUC', '17900123450011'],
    ['USE', 'mine'],
    ['SMTP_URL', 'mail.example.ec'],
    ['TIMEZONE', 'Europe/Madrid'],
    ['RATE_LIMITS', 'fast'],
    ['PLANS_FILE', '/nowhere/plans.json'],
    ['IVA_RATE', '15%'],
    ['IVA_RATE', '-1'],
    ['IVA_RATE', '0.15'],
    ['BANK_TRANSFER', 'Banco'],
    ['BANK_TRANSFER', '[]'],
    ['BANK_TRANSFER', '{"bankName":"Banco"}'],
  ])('rejects %s=%s by name', (variable, text) => {
    expect(problems({ [variable]: text })).toEqual([variable]);
  });

  it('reads a bank account whole, and names its wrong fields', () => {
    const bank = {
      bankName: 'Banco',
      accountType: 'Ahorros',
      accountNumber: '2200',
      accountHolder: 'X S.A.',
      identification: '1790012345001',
    };
    expect(readConfig({ BANK_TRANSFER: JSON.stringify(bank) }).bankTransfer).toEqual(bank);
    const read = (change: object) => () => readConfig({ BANK_TRANSFER: JSON.stringify({ ...bank, ...change }) });
    expect(read({ bankName: 5, accountHolder: 'a\nb' })).toThrow(/BANK_TRANSFER: give bankName, accountHolder as text/);
    expect(read({ swift: 'X' })).toThrow(/BANK_TRANSFER: swift: no such field/);
  });

  it('names every invalid variable at once', () => {
    expect(problems({ PORT: 'x', HOST: '', ONBOARDING: 'x', CLOCK_OFFSET: 'x' })).toEqual([
      'PORT',
      'ONBOARDING',
      'CLOCK_OFFSET',
    ]);
    expect(problems({ DATABASE_URL: 'postgres://u:a#b@h/d', DATABASE_SCHEMA: 'celda' })).toEqual(['DATABASE_URL']);
  });

  it('requires master keys in production, and names the command that makes a key', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/MASTER_KEYS: required.*node -e/);
    expect(problems({ NODE_ENV: 'production', MASTER_KEYS: KEY })).toEqual([]);
  });

  it.each(['prod', 'Production', 'staging'])('rejects NODE_ENV=%s, which would run the simulator', (environment) => {
    expect(problems({ NODE_ENV: environment })).toEqual(['NODE_ENV']);
  });

  it('rejects a rehearsal clock in production', () => {
    expect(problems({ NODE_ENV: 'production', MASTER_KEYS: KEY, CLOCK_OFFSET: '+1d' })).toEqual(['CLOCK_OFFSET']);
  });

  it('reports the missing settings of a production server', () => {
    const gaps = (settings: Record<string, string>) =>
      findProductionGaps(readConfig({ NODE_ENV: 'production', MASTER_KEYS: KEY, ...settings }));
    expect(gaps({}).map((gap) => gap.split(' ')[0])).toEqual(['BASE_URL', 'SOFTWARE_PROVIDER_RUC', 'SMTP_URL']);
    expect(gaps({ USE: 'own' }).map((gap) => gap.split(' ')[0])).toEqual(['BASE_URL', 'SMTP_URL']);
    const provider = { SOFTWARE_PROVIDER_RUC: '1790012345001' };
    expect(gaps({ ...provider, BASE_URL: 'http://facturas.example', SMTP_URL: 'smtp://localhost' })).toEqual([
      'BASE_URL is not https: keys and documents would travel in the clear',
    ]);
    expect(gaps({ ...provider, BASE_URL: 'https://facturas.example', SMTP_URL: 'smtp://localhost' })).toEqual([]);
    expect(findProductionGaps(readConfig({}))).toEqual([]);
  });

  it('rejects SRI_MODE=offline in production', () => {
    expect(problems({ NODE_ENV: 'production', MASTER_KEYS: KEY, SRI_MODE: 'offline' })).toEqual(['SRI_MODE']);
    expect(problems({ SRI_MODE: 'offline' })).toEqual([]);
  });

  it('sends sandbox documents to the SRI in production by default', () => {
    expect(readConfig({ NODE_ENV: 'production', MASTER_KEYS: KEY }).sriMode).toBe('live');
  });

  it('errors contain no secret', () => {
    expect(() => readConfig({ MASTER_KEYS: 'k1:c2VjcmV0', INTERNAL_SERVICE_SECRET: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/c2VjcmV0|hunter2/) }),
    );
  });
});
