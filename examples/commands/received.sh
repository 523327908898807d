# The commands of docs/*/received.md, one after the other in one folder.
#region simulate
sri-core simulate > simulador.log &
#endregion
until grep -q ConsultaComprobante simulador.log; do sleep 0.2; done

#region keys
sri-core key build --ruc 1799999982001 --production --date 05/11/2026 --numeric-code 00000001 --number 001-001-000000001 > lista.txt
sri-core key build --ruc 1799999982001 --production --date 05/11/2026 --numeric-code 00000001 --number 001-001-000000002 --type 07 >> lista.txt
#endregion

#region received
sri-core received lista.txt --out recibidos --sri http://127.0.0.1:8089/comprobantes-electronicos-ws
sri-core received lista.txt --out recibidos --sri http://127.0.0.1:8089/comprobantes-electronicos-ws --resume
#endregion

#region check
sri-core key check "$(head -1 lista.txt)" --sri http://127.0.0.1:8089/comprobantes-electronicos-ws
#endregion
[ "$(ls recibidos/*.pdf | wc -l)" -eq 2 ]
grep -q '14,50' recibidos/recibidos.csv
kill %1
