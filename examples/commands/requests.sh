# The requests of docs/*/server.md, billing.md and operator.md, in the order in which an account and its operator make them.
# Lines outside of the regions copy values from answers, as a reader would.
export ADMIN_TOKEN=operator-of-the-examples INTERNAL_SERVICE_SECRET=the-web-application-of-the-examples
export SRI_AUTH_FIRST_DELAY=300ms PLANS_FILE="$DOCS_ROOT/examples/plans.json"
SECRET=$INTERNAL_SERVICE_SECRET
cp "$DOCS_ROOT/examples/http/invoice.json" .

#region start
npm start
#endregion

#region certificate
SRI_P12_PASSWORD=clave npx sri-core cert make-test --out firma.p12 --ruc 1760013210001
#endregion

#region register
curl -F cert=@firma.p12 -F certPassword=clave -F email=yo@example.com -F ruc=1760013210001 \
     -F businessName='Mi negocio' -F branchCode=001 -F issuePointCode=001 -F emissionType=1 \
     -F requiredAccounting=false http://127.0.0.1:3000/v1/register
#endregion
TENANT=$(answer tenant.id)
ISSUER=$(answer issuer.id)
KEY=$(answer apiKey)

#region issue
curl -H "Authorization: Bearer $KEY" -H "X-Issuer-Id: $ISSUER" -H 'Content-Type: application/json' \
     -H 'Idempotency-Key: order-1001' -d @invoice.json http://127.0.0.1:3000/v1/documents
#endregion
ACCESS_KEY=$(answer document.accessKey)
#region issue
curl -X POST -H "Authorization: Bearer $KEY" -H "X-Issuer-Id: $ISSUER" http://127.0.0.1:3000/v1/documents/$ACCESS_KEY/send
#endregion
until [ "$(answer document.status)" = AUTHORIZED ]; do
  sleep 0.2
  #region issue
  curl -H "Authorization: Bearer $KEY" -H "X-Issuer-Id: $ISSUER" http://127.0.0.1:3000/v1/documents/$ACCESS_KEY
  #endregion
done
#region issue
curl -H "Authorization: Bearer $KEY" -H "X-Issuer-Id: $ISSUER" http://127.0.0.1:3000/v1/documents/$ACCESS_KEY/ride -o ride.pdf
#endregion
[ "$(head -c 5 ride.pdf)" = %PDF- ]
#region export
curl -H "Authorization: Bearer $KEY" -OJ 'http://127.0.0.1:3000/v1/documents/export?issuerId=all&format=xlsx&status=AUTHORIZED'
#endregion
[ "$(head -c 2 documentos-*.xlsx)" = PK ]
BASE_URL=$(cat "$DOCS_PLACE/url") API_KEY=$KEY ISSUER_ID=$ISSUER node "$DOCS_ROOT/examples/client/issue.ts"

until MESSAGE_ID=$(grep -rhoiE --max-count=1 'Message-ID: <.*>' data/mail | head -n 1 | cut -d ' ' -f 2); do sleep 0.2; done
#region email-event
curl -H "X-Internal-Service-Secret: $SECRET" -H 'Content-Type: application/json' \
     -d '{"messageId":"'$MESSAGE_ID'","event":"delivered"}' http://127.0.0.1:3000/v1/internal/email-events
#endregion

#region recover
curl -H 'Content-Type: application/json' -d '{"email":"yo@example.com"}' http://127.0.0.1:3000/v1/resend-verification
curl -F cert=@firma.p12 -F certPassword=clave -F email=yo@example.com http://127.0.0.1:3000/v1/recover
#endregion
KEY=$(answer apiKey)
sri-server admin verify 1760013210001

printf '%%PDF-1.4\n%%%%EOF\n' >transferencia.pdf
#region subscribe
curl -X POST -H "X-Internal-Service-Secret: $SECRET" -H "X-Tenant-Id: $TENANT" -H 'Content-Type: application/json' \
     -d '{"tier":"GROWTH"}' http://127.0.0.1:3000/v1/subscriptions
#endregion
PAYMENT=$(answer payment.id)
#region subscribe
curl -X PATCH -H "X-Internal-Service-Secret: $SECRET" -H "X-Tenant-Id: $TENANT" \
     -F proof=@transferencia.pdf -F referenceNumber=0012345 http://127.0.0.1:3000/v1/payments/$PAYMENT/proof
#endregion

#region operator
sri-server admin payments list
sri-server admin payments verify $PAYMENT --json
#endregion

#region key
curl -X POST -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
     -d '{"label":"Caja 1","scopes":["documents:write","documents:read"]}' http://127.0.0.1:3000/v1/keys
#endregion

curl -X POST -H "X-Internal-Service-Secret: $SECRET" -H "X-Tenant-Id: $TENANT" -H 'Content-Type: application/json' \
     -d '{"termsVersion":"1.0"}' http://127.0.0.1:3000/v1/tenants/agreements
#region promote
curl -X POST -H "X-Internal-Service-Secret: $SECRET" -H "X-Tenant-Id: $TENANT" -H 'Content-Type: application/json' \
     -d '{"initialSequentials":[{"issuerId":"'$ISSUER'","documentType":"01","sequential":1201}]}' \
     http://127.0.0.1:3000/v1/tenants/promote
#endregion

FROM=$(node -p 'new Date(Date.now() + 40 * 86_400_000).toISOString()')
#region price
curl -X POST -H "X-Admin-Token: $ADMIN_TOKEN" -H 'Content-Type: application/json' \
     -d '{"tier":"STARTER","billingInterval":"MONTHLY","newPriceUsd":"30.00","effectiveAt":"'$FROM'"}' \
     http://127.0.0.1:3000/v1/admin/prices
#endregion

#region operator
sri-server admin suspend 1760013210001 --reason UNPAID_BALANCE
sri-server admin tenants --status suspended
#endregion
