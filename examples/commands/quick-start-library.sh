# The commands of docs/*/quick-start-library.md.
#region setup
npm ci
npm run examples -- sign-an-invoice issue-an-invoice
#endregion

#region certificate
npx sri-core cert make-test --out certificate.p12 --ruc 1760013210001
#endregion
[ -s certificate.p12 ]

# It is the certificate of the issuer: the second program gets its RIDE.
node "$DOCS_ROOT/examples/issue-an-invoice.ts" certificate.p12 prueba .
[ "$(head -c 5 ride.pdf)" = '%PDF-' ]
