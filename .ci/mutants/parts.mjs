const core = (...paths) => paths.map((path) => `packages/sri-core/src/${path}`);
const storage = (...paths) => paths.map((path) => `packages/storage-adapters/src/${path}`);
const server = (...paths) => paths.map((path) => `packages/server/src/${path}`);

/**
 * The four most critical modules, in parts: the files to mutate and the tests that must notice. Only tests that run the
 * code in their own process are used; tests that start servers run in `npm test`.
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
    mutate: core('lifecycle/numbering-queue.ts', 'lifecycle/signed-batch.ts'),
    tests: core('lifecycle/{numbering-queue,creating,faults}.test.ts'),
  },
  {
    module: 'sequencing',
    part: 'counters',
    mutate: [...storage('sequentials.ts'), ...server('issuers/counter-move-rows.ts')],
    tests: [...storage('sequentials.test.ts', 'joining.test.ts'), ...server('issuers/counter-move-rows.test.ts')],
  },
  {
    module: 'states',
    part: 'tables',
    mutate: [
      ...core('lifecycle/status.ts', 'lifecycle/attempts.ts'),
      ...server('platform/transitions.ts', 'accounts/tenant.ts', 'billing/account.ts', 'webhooks/delivery.ts'),
    ],
    tests: [
      ...core('lifecycle/status.test.ts', 'lifecycle/attempts.test.ts'),
      ...server('platform/transitions.test.ts', 'webhooks/delivery.test.ts', 'billing/account.test.ts'),
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
    // Tests with containers of other programs are left out: their thread runs no mutant.
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
    mutate: server('platform/secrets/vault.ts', 'platform/secrets/master-keys.ts', 'platform/secrets/secret-rows.ts'),
    tests: server(
      'platform/secrets/vault.test.ts',
      'platform/secrets/master-keys.test.ts',
      'platform/secrets/secret-rows.test.ts',
    ),
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
    mutate: server('keys/api-token.ts', 'accounts/scopes.ts', 'platform/expiring-cache.ts', 'operator/admin-tokens.ts'),
    tests: server(
      'keys/api-token.test.ts',
      'accounts/scopes.test.ts',
      'platform/expiring-cache.test.ts',
      'operator/admin-tokens.test.ts',
    ),
  },
  {
    module: 'auth',
    part: 'keys',
    mutate: server('keys/known-keys.ts', 'keys/administer-keys.ts', 'keys/rows.ts', 'keys/revocation-rows.ts'),
    tests: server(
      'keys/known-keys.test.ts',
      'keys/administer-keys.test.ts',
      'keys/rows.test.ts',
      'keys/revocation-rows.test.ts',
    ),
  },
  {
    module: 'auth',
    part: 'requests',
    mutate: server(
      'gate/authenticate.ts',
      'gate/authenticate-operator.ts',
      'platform/http/own-machine.ts',
      'gate/pipeline.ts',
    ),
    tests: server('gate/authenticate.test.ts', 'gate/check-order.test.ts', 'platform/http/own-machine.test.ts'),
  },
];
