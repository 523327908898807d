# The commands of docs/*/my-month.md, one after the other in one folder.
#region company
sri-server init empresa
cd empresa
sri-server simulate --fill 200
sri-server serve --dev
#endregion
#region sri
sri-core simulate --port 8090 > simulador.log &
export SRI=http://127.0.0.1:8090/comprobantes-electronicos-ws
#endregion
until grep -q ConsultaComprobante simulador.log; do sleep 0.2; done

#region list
sri-core key build --ruc 1799999982001 --production --numeric-code 00000001 --number 001-001-000000001 > recibidos.txt
sri-core key build --ruc 1799999982001 --production --numeric-code 00000001 --number 001-001-000000002 >> recibidos.txt
sri-core key build --ruc 1799999982001 --production --numeric-code 00000001 --number 001-001-000000003 --type 07 >> recibidos.txt
#endregion

#region received
sri-core received recibidos.txt --out recibidos --sri "$SRI"
#endregion
grep -q '14,50' recibidos/recibidos.csv

#region draft
KEY=$(head -1 recibidos.txt)
sri-core withholding draft "recibidos/$KEY.xml" --email proveedor@example.com --support-code 01 --income 312:2 --iva 1:30 > retencion.json
#endregion

#region withhold
sri-server invoice create retencion.json --idempotency-key "$KEY" --wait --ride retencion.pdf
#endregion
[ -s retencion.pdf ]

#region look
sri-server documents list --type 07 --limit 5
sri-server documents list --status RETURNED --all
#endregion

#region export
sri-server documents export --all-issuers --out emitidos.xlsx
sri-server documents export --all-issuers --type 07 --format zip --out retenciones.zip
#endregion
[ -s emitidos.xlsx ]
[ -s retenciones.zip ]
kill %1
