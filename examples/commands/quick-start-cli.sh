# The commands of docs/*/quick-start-cli.md.
#region setup
npm ci && npm run build:js
#endregion

#region start
npx sri-server init empresa
cd empresa
npx sri-server serve --dev
#endregion

#region check
npx sri-server batch issue ejemplo.csv --check
#endregion

#region issue
npx sri-server batch issue ejemplo.csv --ride rides --xml xml
#endregion
[ "$(ls rides | wc -l)" = 3 ]
[ "$(ls xml | wc -l)" = 3 ]

#region resume
npx sri-server batch issue ejemplo.csv --resume
#endregion

#region one
npx sri-server invoice create factura.json --wait --ride factura.pdf --xml factura.xml
npx sri-server verify factura.xml
#endregion
[ "$(head -c 5 factura.pdf)" = '%PDF-' ]
