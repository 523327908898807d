# The commands of docs/*/cli.md and faq.md, one after the other in one folder.
#region init
npx sri-server init empresa
cd empresa
npx sri-server serve --dev
#endregion

#region first-batch
npx sri-server batch issue ejemplo.csv --ride rides
npx sri-server doctor
#endregion
[ "$(ls rides | wc -l)" -eq 3 ]

#region one-document
sri-server invoice create factura.json --wait --ride factura.pdf --xml factura.xml
sri-server verify factura.xml
sri-server ride factura.xml --out otra.pdf
#endregion
[ -s otra.pdf ]

#region batch
sri-server batch issue ejemplo.csv --check
sri-server batch issue ejemplo.csv --resume --xml xml
#endregion

#region documents
sri-server documents list --status AUTHORIZED --limit 10
sri-server documents export --type 01 --out facturas.xlsx
KEY=$(sri-server documents list --limit 1 --json | sed 's/.*"accessKey":"\([0-9]*\)".*/\1/')
sri-server documents get "$KEY"
sri-server documents ride "$KEY" --format ticket --out ticket.pdf
sri-server documents xml "$KEY" > comprobante.xml
#endregion
[ -s facturas.xlsx ] && [ -s ticket.pdf ] && [ -s comprobante.xml ]

#region template
sri-server batch template
sri-server batch template 07 --out retenciones.csv
sri-server batch issue retenciones.csv --check
#endregion

#region verify
sri-core cert make-test --out prueba.p12
SRI_P12_PASSWORD=prueba sri-core cert inspect prueba.p12
sri-core verify factura.xml --lang es
sri-core verify factura.xml --json
#endregion

#region refused
sri-server verify factura.xml
#endregion

#region key
sri-core key build --ruc 1799999990001 --number 001-001-000000007 --date 21/11/2026 --numeric-code 12345678
sri-core key parse 2111202601179999999000110010010000000071234567811
#endregion

#region upkeep
sri-server db migrate
sri-server db backup copia.db
sri-server keys rotate-master
sri-server doctor --reconcile
#endregion

