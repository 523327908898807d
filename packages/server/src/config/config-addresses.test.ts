import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createSmtpTransport } from '../mail/mail-transport.js';
import { ConfigError } from '../platform/config-values.js';
import { readConfig } from './config.js';

/** Reads a variable. @returns null if it is rejected, by its name and without a password. */
function read(variable: string, text: string): string | null {
  try {
    readConfig({ [variable]: text });
    return text;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(new RegExp(`^${variable}: give `));
    expect(error.message).not.toContain('secreta');
    return null;
  }
}

describe('an address in the configuration', () => {
  it.each([
    'smtp://mail.example.ec:99999',
    'smtp://mail.example.ec:puerto',
    'smtp://[::1',
    'smtp://usuario:secreta/1@mail.example.ec',
    'smtp://usuario:12#secreta@mail.example.ec',
    'smtp://usuario:secreta%zz@mail.example.ec',
    'smtp://usuario:secreta@',
    'smtp:///mail',
    'smtp://mail .example.ec',
    'https://mail.example.ec',
  ])('rejects SMTP_URL=%s by name', (text) => {
    expect(read('SMTP_URL', text)).toBeNull();
  });

  it.each([
    'smtp://mail:25',
    'smtps://usuario:clav%C3%A9%40%23@mail.example.ec:465',
    'smtp://usuario:ñandú@mail.example.ec',
    'smtp://[::1]:2525',
    'smtp://mail.example.ec/?pool=true',
  ])('reads SMTP_URL=%s, and the mail transport accepts it', (text) => {
    expect(read('SMTP_URL', text)).toBe(text);
    createSmtpTransport(text, { name: '', address: 'no-reply@example.ec' }).close();
  });

  it.each([
    'postgres://servidor:99999/sri',
    'postgres://[::1/sri',
    'postgres://usuario:secreta%zz@servidor/sri',
    'postgres://usuario:12#secreta@servidor/sri',
    'postgres://usuario:secreta@servidor/sri%zz',
    'postgres://usuario:secreta@uno:5432,dos:99999/sri',
    'postgres://usuario:secreta@uno,/sri',
    'postgres://usuario:secreta@uno,dos/sri?target_session_attrs=any',
    'postgres://usuario:secreta@servidor/sri?pgbouncer=yes',
    'postgres://usuario:secreta@servidor/sri?pgbouncer=true&options=-c%20search_path%3Dsri',
    'mysql://servidor/sri',
    'file:',
    'file:~/app.db',
  ])('rejects DATABASE_URL=%s by name', (text) => {
    expect(read('DATABASE_URL', text)).toBeNull();
  });

  it.each(['~', '~/facturas', '$HOME/facturas'])('rejects DATA_DIR=%s by name', (text) => {
    expect(read('DATA_DIR', text)).toBeNull();
  });

  it.each([
    'postgres://usuario:clav%C3%A9@servidor:5433/sri?sslmode=require',
    'postgresql://servidor/sri',
    'postgres:///sri?host=/var/run/postgresql',
  ])('reads DATABASE_URL=%s, and the database driver accepts it', (text) => {
    expect(read('DATABASE_URL', text)).toBe(text);
    expect(new Client({ connectionString: text }).database).toBe('sri');
  });

  it.each([
    'postgres://usuario:secreta@uno:5432,dos:5433/sri',
    'postgres://uno,dos,tres/sri?target_session_attrs=read-write&sslmode=require',
    'postgres://usuario:secreta@servidor:6432/sri?pgbouncer=true',
  ])('reads DATABASE_URL=%s', (text) => {
    expect(read('DATABASE_URL', text)).toBe(text);
  });

  it.each(['BASE_URL', 'APP_URL', 'DOCS_URL', 'SRI_SANDBOX_URL', 'SRI_PRODUCTION_URL'])(
    'rejects an unreadable %s by name',
    (variable) => {
      const wrong = [
        'https://',
        'https://[::1',
        'https://x:99999',
        'https://:secreta@x',
        'https://u@x',
        'x',
        '//x',
        'https://x/?',
        'https://x#',
      ];
      expect(wrong.filter((text) => read(variable, text) !== null)).toEqual([]);
    },
  );

  it('SRI_PROXY is an address of HTTP with or without a user', () => {
    const right = ['http://proxy:3128', 'http://ana:la%20clave@10.0.0.1:8080', 'http://[::1]:3128/'];
    const wrong = ['proxy:3128', 'https://proxy', 'socks5://proxy', 'http://proxy/x', 'http://a:secreta%zz@proxy'];
    expect([...right, ...wrong].filter((text) => read('SRI_PROXY', text) === text)).toEqual(right);
  });

  it.each([
    ['a@b.ec', { name: '', address: 'a@b.ec' }],
    ['Nombre Apellido <a@b.ec>', { name: 'Nombre Apellido', address: 'a@b.ec' }],
    ['"Con, coma" <a@b.ec>', { name: 'Con, coma', address: 'a@b.ec' }],
    ['<a@b.ec>', { name: '', address: 'a@b.ec' }],
  ])('reads MAIL_FROM=%s', (text, expected) => {
    expect(readConfig({ MAIL_FROM: text }).mailFrom).toEqual(expected);
  });

  it.each([
    'Facturas <a@b.ec',
    'Facturas a@b.ec>',
    'a@b.ec, c@d.ec',
    'A\r\nBcc: c@d.ec <a@b.ec>',
    'nadie',
    'smtp://a:b@c.ec',
    'a@b,c',
  ])('rejects MAIL_FROM=%j by name', (text) => {
    expect(read('MAIL_FROM', text)).toBeNull();
  });
});
