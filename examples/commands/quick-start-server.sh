# The commands of docs/*/quick-start-server.md.
#region setup
npm ci && npm run build:js
#endregion

#region start
npx sri-server init empresa
cd empresa
npx sri-server serve --dev
#endregion
cp "$DOCS_ROOT/examples/http/invoice.json" invoice.json

#region settings
. ./.env
KEY="Authorization: Bearer $SRI_API_KEY"
ISSUER="X-Issuer-Id: $SRI_ISSUER_ID"
#endregion

#region create
curl -H "$KEY" -H "$ISSUER" -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1001' \
     -d @invoice.json "$SRI_URL/v1/documents" -o created.json
ACCESS_KEY=$(node -p "require('./created.json').document.accessKey")
#endregion

#region send
curl -X POST -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$ACCESS_KEY/send"
#endregion

#region wait
until curl -s -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$ACCESS_KEY" |
  grep -oE '"status":"(AUTHORIZED|NOT_AUTHORIZED|RETURNED)"'; do sleep 1; done
#endregion

#region files
curl -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$ACCESS_KEY/ride" -o ride.pdf
curl -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$ACCESS_KEY/xml" -o factura.xml
#endregion
[ "$(head -c 5 ride.pdf)" = '%PDF-' ]
grep -q "$ACCESS_KEY" factura.xml
cp "$DOCS_ROOT/examples/http/credit-note.json" credit-note.json

#region credit-note
node -p "
  const { accessKey, issueDate } = require('./created.json').document;
  const number = accessKey.slice(24, 39).replace(/^(...)(...)/, (_, branch, point) => branch + '-' + point + '-');
  const originalDocument = { documentType: '01', number, issueDate };
  JSON.stringify({ ...require('./credit-note.json'), originalDocument });
" > half.json
curl -H "$KEY" -H "$ISSUER" -H 'Content-Type: application/json' -H 'Idempotency-Key: return-1001' \
     -d @half.json "$SRI_URL/v1/documents" -o credited.json
CREDIT_NOTE=$(node -p "require('./credited.json').document.accessKey")
curl -X POST -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$CREDIT_NOTE/send"
curl -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$ACCESS_KEY/credit-notes"
#endregion
until curl -s -H "$KEY" -H "$ISSUER" "$SRI_URL/v1/documents/$CREDIT_NOTE" | grep -o '"status":"AUTHORIZED"'; do sleep 0.2; done

#region void
curl -X POST -H "$KEY" -H "$ISSUER" -H 'Content-Type: application/json' \
     -d '{"confirmedSriVoid":true,"reason":"Emitida dos veces"}' "$SRI_URL/v1/documents/$ACCESS_KEY/void"
#endregion
[ "$(answer document.status)" = VOIDED ]
