const core = (...paths) => paths.map((path) => `packages/sri-core/src/${path}`);
const storage = (...paths) => paths.map((path) => `packages/storage-adapters/src/${path}`);
const server = (...paths) => paths.map((path) => `packages/server/src/${path}`);

/**
 * The four modules whose mistakes cost most, in parts: what is mutated, and the tests that have to notice. Only tests that
 * run the code in their own process are of use here; those that start servers are left to `npm test`.
 */
export const PARTS = [
  {
    module: 'sequencing',
    part: 'numbers',
    mutate: core('access-key.ts', 'sequential.ts', 'random.ts'),
    tests: core('access-key.test.ts', 'sequential.test.ts', 'random.test.ts'),
  },
  {
    module: 'sequencing',
    part: 'line',
    mutate: core('lifecycle/counter-line.ts', 'lifecycle/signed-batch.ts'),
    tests: core('lifecycle/{counter-line,creating,faults}.test.ts'),
  },
  {
    module: 'sequencing',
    part: 'counters',
    mutate: [...storage('sequentials.ts'), ...server('store/counter-moves.ts')],
    tests: [...storage('sequentials.test.ts', 'joining.test.ts'), ...server('store/counter-moves.test.ts')],
  },
  {
    module: 'states',
    part: 'tables',
    mutate: [
      ...core('lifecycle/status.ts', 'lifecycle/attempts.ts'),
      ...server('transitions.ts', 'tenancy/tenant.ts', 'tenancy/api-key-status.ts'),
      ...server('billing/proof-status.ts', 'billing/account.ts', 'webhooks/delivery.ts'),
    ],
    tests: [
      ...core('lifecycle/status.test.ts', 'lifecycle/attempts.test.ts'),
      ...server('transitions.test.ts', 'webhooks/delivery.test.ts', 'billing/account.test.ts'),
    ],
  },
  {
    module: 'states',
    part: 'life cycle',
    mutate: [
      ...core('lifecycle/authorize.ts', 'lifecycle/change.ts', 'lifecycle/history.ts', 'lifecycle/issue.ts'),
      ...core('lifecycle/rebuild.ts', 'lifecycle/retry.ts', 'lifecycle/send.ts', 'lifecycle/void.ts'),
      ...core('lifecycle/same-comprobante.ts', 'lifecycle/signed-comprobante.ts', 'lifecycle/payload-hash.ts'),
    ],
    tests: core('lifecycle/!(random|fairness|clock-faults)*.test.ts'),
  },
  {
    module: 'crypto',
    part: 'p12',
    mutate: core(
      'signing/{ber,p12,p12-choice,p12-container,p12-encryption,p12-key-derivation,p12-password,p12-refusal}.ts',
    ),
    // Not those with other programs' containers: they are opened in the thread, where no mutant is.
    tests: core('signing/{ber,p12,p12-choice,p12-container,p12-encryption,p12-key-derivation}.test.ts'),
  },
  {
    module: 'crypto',
    part: 'p12 thread',
    mutate: core('signing/p12-thread.ts'),
    tests: core('signing/{p12,p12-thread}.test.ts'),
  },
  {
    module: 'crypto',
    part: 'certificates',
    mutate: core('signing/certificate*.ts', 'signing/der.ts', 'signing/issuer-name*.ts'),
    tests: core('signing/certificate*.test.ts', 'signing/der.test.ts', 'signing/issuer-name*.test.ts'),
  },
  {
    module: 'crypto',
    part: 'signing',
    mutate: core(
      'signing/{xades,prepare-signature,sign-xml,key-signer,signature-ids,document-ids,xmldsig}.ts',
      'xml/c14n.ts',
    ),
    tests: core('signing/{xades,key-signer,foreign-xml,signature-ids,document-ids}.test.ts', 'xml/c14n.test.ts'),
  },
  {
    module: 'crypto',
    part: 'verification',
    mutate: core(
      'signing/{verify*,verification,findings,signature-parts,signature-certificate,digest-causes,foreign-xml}.ts',
    ),
    tests: core('signing/{verify,verify-failures,verify-odd-parts,signature-structure,foreign-xml,findings}.test.ts'),
  },
  {
    module: 'crypto',
    part: 'secrets',
    mutate: server('tenancy/vault.ts', 'tenancy/master-keys.ts', 'store/sealed-secrets.ts', 'store/secret-samples.ts'),
    tests: server('tenancy/{vault,master-keys}.test.ts', 'store/{sealed-secrets,secret-samples}.test.ts'),
  },
  {
    module: 'crypto',
    part: 'webhooks',
    mutate: core('webhooks/sign-webhook.ts', 'webhooks/verify-webhook.ts'),
    tests: core('webhooks/*.test.ts'),
  },
  {
    module: 'auth',
    part: 'tokens',
    mutate: server('tenancy/api-token.ts', 'tenancy/scopes.ts', 'tenancy/expiring-cache.ts', 'admin/admin-tokens.ts'),
    tests: server('tenancy/{api-token,scopes,expiring-cache}.test.ts', 'admin/admin-tokens.test.ts'),
  },
  {
    module: 'auth',
    part: 'keys',
    mutate: server(
      'tenancy/known-keys.ts',
      'tenancy/key-administration.ts',
      'store/api-keys.ts',
      'store/key-revocation.ts',
    ),
    tests: server('tenancy/{known-keys,key-administration}.test.ts', 'store/{api-keys,key-revocation}.test.ts'),
  },
  {
    module: 'auth',
    part: 'requests',
    mutate: server('http/authenticate.ts', 'http/authenticate-operator.ts', 'http/own-machine.ts', 'http/pipeline.ts'),
    tests: server('http/{authenticate,check-order,own-machine}.test.ts'),
  },
];
