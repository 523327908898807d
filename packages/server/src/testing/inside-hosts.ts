/** Hosts on the internal network, in every form that a URL may contain; and unknown names. */
export const INSIDE_HOSTS: readonly string[] = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001'],
  ...['0x7F.1', '127.000.000.001', '127.255.255.254', '0.0.0.0', '0', '0x0', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ip6-localhost', 'localhost.localdomain', 'machine.local'],
  ...['１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '127．0．0．1', '%31%32%37.0.0.1', '127.0.0.1%00.hooks.com'],
  ...['hooks.com@127.0.0.1', 'hooks.com:x@127.0.0.1', 'hooks.com\\@127.0.0.1', '127.0.0.1\t', '127.0.0.1\n', '①27.1'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '[fd00:ec2::254]', '100.64.0.1', '[fc00::1]'],
  ...['metadata.google.internal', 'to-loopback.com', 'to-loopback6.com', 'to-mapped.com', 'mixed.com', 'mixed6.com'],
  ...['to-private.com', 'to-metadata.com', 'to-any.com', 'to-nat64.com', 'to-6to4.com', 'unknown.com'],
];

/** The addresses of the names among them, for the tests' resolver. */
export const INSIDE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'to-loopback.com': ['127.0.0.1'],
  'to-loopback6.com': ['::1'],
  'to-mapped.com': ['::ffff:127.0.0.1'],
  'mixed.com': ['8.8.8.8', '127.0.0.1'],
  'mixed6.com': ['8.8.8.8', '::1'],
  'to-private.com': ['192.168.0.1'],
  'to-metadata.com': ['169.254.169.254'],
  'to-any.com': ['0.0.0.0'],
  'to-nat64.com': ['64:ff9b::7f00:1'],
  'to-6to4.com': ['2002:7f00:1::'],
};
