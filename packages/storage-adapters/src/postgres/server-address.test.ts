import { describe, expect, it } from 'vitest';
import type { ServerAddressError } from '../errors.js';
import { parseServerAddress } from './server-address.js';

describe('the address of PostgreSQL', () => {
  it.each([
    {
      name: 'one host',
      text: 'postgres://ana:se%40creta@db:5433/sri?sslmode=require',
      hosts: ['postgres://ana:se%40creta@db:5433/sri?sslmode=require'],
      place: 'db:5433/sri',
    },
    {
      name: 'several hosts, each with its port or without',
      text: 'postgresql://ana@a:5432,b,[::1]:5433/sri',
      hosts: ['postgresql://ana@a:5432/sri', 'postgresql://ana@b/sri', 'postgresql://ana@[::1]:5433/sri'],
      place: 'a:5432,b,[::1]:5433/sri',
    },
    {
      name: 'a comma in the password',
      text: 'postgres://ana:a,b@h1,h2/sri?target_session_attrs=read-write',
      hosts: ['postgres://ana:a,b@h1/sri', 'postgres://ana:a,b@h2/sri'],
      place: 'h1,h2/sri',
    },
    {
      name: 'the folder of a socket',
      text: 'postgres:///sri?host=/var/run/postgresql',
      hosts: ['postgres:///sri?host=/var/run/postgresql'],
      place: '/sri',
    },
  ])('reads the address of PostgreSQL: $name', ({ text, hosts, place }) => {
    expect(parseServerAddress(text)).toEqual({ hosts, pgbouncer: false, place });
  });

  it('detects PgBouncer in the address, and hides the option from the driver', () => {
    expect(parseServerAddress('postgres://a/sri?pgbouncer=true&sslmode=require')).toEqual({
      hosts: ['postgres://a/sri?sslmode=require'],
      pgbouncer: true,
      place: 'a/sri',
    });
    expect(parseServerAddress('postgres://a/sri?target_session_attrs=primary').hosts).toEqual(['postgres://a/sri']);
  });

  it.each([
    'postgres://ana:secreta@a:1,b:99999/sri',
    'postgres://ana:secreta@a,,b/sri',
    'postgres://ana:secreta%zz@a,b/sri',
    'postgres://ana:12#secreta@a,b/sri',
    'postgres://ana:secreta@a/sri?host=b,c',
    'postgres://ana:secreta@/sri?port=5432,5433',
    'postgres://ana:secreta@a/sri?target_session_attrs=standby',
    'postgres://ana:secreta@a/sri?pgbouncer=1',
    'postgres://ana:secreta@a/sri?pgbouncer=true&options=-c%20search_path%3Dx',
    'postgres://ana:secreta@a/sri?pgbouncer=true&statement_timeout=5',
    'mysql://ana:secreta@a/sri',
    'secreta',
  ])('rejects %s with its rule, without a part of the address', (text) => {
    const error = refusalOf(text);
    expect(error).toMatchObject({ code: 'DATABASE_ADDRESS_INVALID', rule: { en: expect.stringMatching(/^give /) } });
    expect(error?.message).toContain('DATABASE_URL');
    expect(error?.message).not.toMatch(/secreta|ana/);
  });
});

function refusalOf(text: string): ServerAddressError | null {
  try {
    parseServerAddress(text);
    return null;
  } catch (error) {
    return error as ServerAddressError;
  }
}
