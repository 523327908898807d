import { alsoTried, exactly, type FieldKind } from './field-kinds.js';

/** An address that a webhook may have. */
export const WEBHOOK_URL = 'https://app.ejemplo.ec/avisos';

/** The target of a link in a mail: an optional web address. */
export function redirectUrl(): FieldKind {
  const good = ['https://app.ejemplo.ec/verificar', 'http://localhost:5173/?a=b#c'];
  const two = `${good[0]},${good[0]}`; // An address may have a comma.
  return alsoTried(exactly([...good, two], { optional: true, trimmed: true }), {
    'another host': 'https://ladron.ec/verificar',
    'a host that begins alike': 'https://app.ejemplo.ec.ladron.ec/',
    'a script': 'javascript:alert(1)//x',
    data: 'data:text/html,<script>alert(1)</script>',
    'a file': 'file:///etc/passwd',
    'a password': 'https://user:secreta@ejemplo.ec/',
    'a user': 'https://user@ejemplo.ec/',
    'no scheme': '//ejemplo.ec/verificar',
    'only a path': '/verificar',
    'another scheme': 'ftp://ejemplo.ec/verificar',
    'an invalid port': 'https://ejemplo.ec:99999/',
    'a header after it': 'https://ejemplo.ec/\r\nSet-Cookie: a=b',
    'a tab in its scheme': 'ht\ttps://ejemplo.ec/',
    'a blank inside': 'https://ejemplo.ec/a b',
    'a line separator inside': 'https://ejemplo.ec/a\u2028b',
    'an unfinished address': 'https://[::1',
    '2 049 letters': `https://ejemplo.ec/${'a'.repeat(2030)}`,
  });
}

/** The target of a webhook: an address on the public internet, over HTTPS. */
export function webhookUrl(): FieldKind {
  const good = [
    WEBHOOK_URL,
    'https://app.ejemplo.ec:8443/avisos?a=b',
    'https://190.1.2.3/',
    'https://[2800:4f0::1]/avisos',
    `https://app.ejemplo.ec/${'a'.repeat(2025)}`,
    `${WEBHOOK_URL},${WEBHOOK_URL}`, // An address may have a comma.
  ];
  return alsoTried(exactly(good), {
    'not over TLS': 'http://app.ejemplo.ec/avisos',
    'a script': 'javascript:alert(1)//x',
    data: 'data:text/html,<script>alert(1)</script>',
    'a file': 'file:///etc/passwd',
    'another scheme': 'gopher://app.ejemplo.ec/_x',
    'a password': 'https://user:secreta@app.ejemplo.ec/',
    'a user': 'https://user@app.ejemplo.ec/',
    'a fragment': 'https://app.ejemplo.ec/#x',
    'an empty fragment': 'https://app.ejemplo.ec/#',
    'no scheme': '//app.ejemplo.ec/avisos',
    'only a path': '/avisos',
    'no host': 'https:///avisos?',
    'this machine by its name': 'https://localhost/avisos',
    'this machine by its name and a dot': 'https://localhost./avisos',
    'a name of the local network': 'https://intranet/avisos',
    'a name under .internal': 'https://metadata.google.internal/computeMetadata/v1/',
    'this machine': 'https://127.0.0.1/',
    'this machine in short': 'https://127.1/',
    'this machine as one number': 'https://2130706433/',
    'this machine in hexadecimal': 'https://0x7f000001/',
    'this machine in octal': 'https://0177.0.0.1/',
    'this machine in full-width digits': 'https://１２７.０.０.１/',
    'this machine in IPv6': 'https://[::1]/',
    'this machine mapped into IPv6': 'https://[::ffff:127.0.0.1]/',
    'every address': 'https://0.0.0.0/',
    'a private network': 'https://10.1.2.3/',
    'another private network': 'https://192.168.1.1/',
    'the data of a cloud machine': 'https://169.254.169.254/latest/meta-data/',
    'the same through NAT64': 'https://[64:ff9b::a9fe:a9fe]/',
    'a network of carriers': 'https://100.64.0.1/',
    'a unique local address': 'https://[fd00::1]/',
    'a link-local address': 'https://[fe80::1]/',
    'many at once': 'https://224.0.0.1/',
    'a low port': 'https://app.ejemplo.ec:25/',
    'an invalid port': 'https://app.ejemplo.ec:99999/',
    'a header after it': 'https://app.ejemplo.ec/\r\nHost: localhost',
    'a tab in its scheme': 'ht\ttps://app.ejemplo.ec/',
    'a blank inside': 'https://app.ejemplo.ec/a b',
    'a backslash': 'https://app.ejemplo.ec\\@localhost/',
    'a line separator inside': 'https://app.ejemplo.ec/a\u2028b',
    'an unfinished address': 'https://[::1',
    '2 049 letters': `https://app.ejemplo.ec/${'a'.repeat(2026)}`,
  });
}
