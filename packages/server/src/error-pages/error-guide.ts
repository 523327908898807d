import type { LocalizedText } from 'sri-core';
import type { ProblemCode, ProblemReason } from '../platform/errors/error-catalogue.js';

/** The explanation of a code for a developer. */
export interface ErrorGuide {
  /** Why the server answers with it. */
  readonly cause: LocalizedText;
  /** How to fix it. */
  readonly fix: LocalizedText;
  /** The reasons that may come with the code. */
  readonly reasons?: readonly ProblemReason[];
}

/** Cause and cure of every code, in the order of its page. The compiler checks that none is missing. */
export const ERROR_GUIDE: Readonly<Record<ProblemCode, ErrorGuide>> = {
  VALIDATION_FAILED: {
    cause: {
      es: 'Uno o varios datos del cuerpo, de la ruta, de la consulta o de una cabecera no cumplen una regla. Se informan todos a la vez.',
      en: 'One or more values in the body, the path, the query or a header break a rule. All of them are reported at once.',
    },
    fix: {
      es: 'Recorra `errors`: `field` dice dónde, `rule` qué regla y `message` qué se espera. No se guardó nada ni se consumió un número.',
      en: 'Go through `errors`: `field` says where, `rule` which rule, `message` what is expected. Nothing was stored and no number was used.',
    },
  },
  BAD_REQUEST: {
    cause: {
      es: 'La solicitud se entiende, pero no se puede atender: falta `X-Issuer-Id`, el estado del documento no lo permite o el certificado no sirve. `reason` dice cuál.',
      en: 'The request is understood but cannot be served: `X-Issuer-Id` is missing, the status of the document does not allow it, or the certificate is of no use. `reason` says which.',
    },
    fix: {
      es: 'Actúe según `reason`. Repetir la misma solicitud dará el mismo resultado.',
      en: 'Act by `reason`. The same request again will get the same answer.',
    },
    reasons: [
      'ISSUER_ID_REQUIRED',
      'ISSUER_ID_INVALID',
      'INVALID_STATE_TRANSITION',
      'DOCUMENT_NOT_AUTHORIZED',
      'IDEMPOTENCY_KEY_INVALID',
      'SELF_REVOCATION_FORBIDDEN',
      'SEQUENTIAL_EXHAUSTED',
      'CERTIFICATE_INVALID',
      'CERTIFICATE_PASSWORD_INVALID',
      'CERTIFICATE_KEY_NOT_FOUND',
      'CERTIFICATE_KEY_UNSUPPORTED',
      'CERTIFICATE_EXPIRED',
      'CERTIFICATE_NOT_YET_VALID',
      'MALFORMED_REQUEST',
    ],
  },
  INVALID_FILE_UPLOAD: {
    cause: {
      es: 'Falta el archivo, es demasiado grande o no es de un formato admitido.',
      en: 'The file is missing, too large, or of a format that is not accepted.',
    },
    fix: {
      es: 'Envíe un logo PNG, JPEG o GIF de hasta 500 KB y 4096 píxeles por lado, un comprobante de pago PNG, JPEG, GIF o PDF de hasta 2 MiB, o el archivo que la operación pide.',
      en: 'Send a PNG, JPEG or GIF logo of at most 500 KB and 4096 pixels a side, a proof of payment in PNG, JPEG, GIF or PDF of at most 2 MiB, or the file the operation asks for.',
    },
    reasons: ['FILE_REQUIRED', 'FILE_TOO_LARGE', 'UNSUPPORTED_IMAGE', 'UNSUPPORTED_PROOF'],
  },
  CERTIFICATE_INVALID: {
    cause: {
      es: 'El archivo no es un P12, está dañado, su certificado aún no rige, o es de otro contribuyente.',
      en: 'The file is no P12, it is damaged, its certificate is not valid yet, or it belongs to another taxpayer.',
    },
    fix: {
      es: 'Descargue otra vez el P12 de su entidad de certificación y envíelo sin convertirlo. Revise que su RUC sea el de la cuenta.',
      en: "Download the P12 from your certification authority again and send it unconverted. Check that its RUC is the account's.",
    },
    reasons: ['CERTIFICATE_NOT_YET_VALID', 'CERTIFICATE_KEY_UNSUPPORTED', 'RUC_MISMATCH'],
  },
  CERTIFICATE_PASSWORD_INVALID: {
    cause: { es: 'La contraseña no abre el P12.', en: 'The password does not open the P12.' },
    fix: {
      es: 'Revise mayúsculas, tildes y espacios al final. Pruebe la contraseña abriendo el archivo en su equipo.',
      en: 'Mind capitals, accents and blanks at the end. Try the password by opening the file on your machine.',
    },
  },
  CERTIFICATE_KEY_NOT_FOUND: {
    cause: {
      es: 'El P12 se abre, pero no trae una clave privada RSA que corresponda a su certificado.',
      en: 'The P12 opens but holds no RSA private key that belongs to its certificate.',
    },
    fix: {
      es: 'Vuelva a exportarlo incluyendo la clave privada.',
      en: 'Export it again together with its private key.',
    },
    reasons: ['CERTIFICATE_KEY_UNSUPPORTED'],
  },
  CERTIFICATE_EXPIRED: {
    cause: { es: 'El certificado ya caducó.', en: 'The certificate is past its end.' },
    fix: {
      es: 'Renueve el certificado y cárguelo con `PATCH /v1/issuers/:id/certificate`.',
      en: 'Renew the certificate and upload it with `PATCH /v1/issuers/:id/certificate`.',
    },
  },
  INVALID_OR_EXPIRED_TOKEN: {
    cause: {
      es: 'El enlace ya se usó, venció o fue reemplazado por uno más nuevo.',
      en: 'The link was used, has expired, or was replaced by a newer one.',
    },
    fix: {
      es: 'Una cuenta verificada no necesita otro. Si no lo está, pídalo con `POST /v1/resend-verification` y use el último correo recibido.',
      en: 'A verified account needs no other. Otherwise ask for it with `POST /v1/resend-verification` and use the latest mail.',
    },
  },
  DOCUMENT_TYPE_NOT_ENABLED: {
    cause: {
      es: 'El emisor no tiene habilitado el tipo de documento que se quiere crear.',
      en: 'The issuer has not enabled the type of the document that is to be created.',
    },
    fix: {
      es: 'Habilítelo con `POST /v1/issuers/:id/document-types`.',
      en: 'Enable it with `POST /v1/issuers/:id/document-types`.',
    },
  },
  LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED: {
    cause: { es: 'Es el único tipo de documento activo del emisor.', en: "It is the issuer's only active type." },
    fix: {
      es: 'Habilite otro antes, o ponga el emisor en pausa con `canIssue`.',
      en: 'Enable another one first, or pause the issuer with `canIssue`.',
    },
  },
  SEQUENTIAL_CANNOT_DECREASE: {
    cause: {
      es: 'El número pedido no supera el último usado; el SRI no acepta un número dos veces.',
      en: 'The number asked for is not above the last one used; the SRI accepts no number twice.',
    },
    fix: {
      es: 'Lea el contador con `GET /v1/issuers/:id/sequentials` y elija uno mayor que `current`.',
      en: 'Read the counter with `GET /v1/issuers/:id/sequentials` and choose one above `current`.',
    },
  },
  DOCUMENT_VOID_CONFIRMATION_REQUIRED: {
    cause: {
      es: 'Anular aquí solo registra lo que ya se hizo en el portal del SRI, y falta confirmarlo.',
      en: 'Voiding here only records what was done at the SRI, and the confirmation is missing.',
    },
    fix: {
      es: 'Anule el comprobante en SRI en línea y repita con `confirmedSriVoid: true`.',
      en: 'Annul the document at SRI en línea, then repeat with `confirmedSriVoid: true`.',
    },
  },
  DOCUMENT_NOT_AUTHORIZED: {
    cause: { es: 'Solo se anula un documento autorizado.', en: 'Only an authorized document is voided.' },
    fix: {
      es: 'Espere la autorización. Un documento devuelto o no autorizado se corrige con `rebuild`.',
      en: 'Wait for the authorization. A returned or unauthorized document is corrected with `rebuild`.',
    },
  },
  ISSUER_ID_INVALID: {
    cause: { es: 'Un identificador no tiene la forma de un UUID.', en: 'An identifier has not the form of a UUID.' },
    fix: { es: 'Copie el `id` tal como lo devuelve la lista.', en: 'Copy the `id` as the list gives it.' },
  },
  LAST_ISSUER_CANNOT_BE_REMOVED: {
    cause: { es: 'La cuenta quedaría sin emisores.', en: 'The account would be left without issuers.' },
    fix: {
      es: 'Cree otro emisor antes, o ponga este en pausa.',
      en: 'Create another issuer first, or pause this one.',
    },
  },
  ISSUER_HAS_DOCUMENTS: {
    cause: {
      es: 'El emisor ya emitió documentos, que deben conservarse con él.',
      en: 'The issuer has issued documents, which must be kept with it.',
    },
    fix: {
      es: 'Póngalo en pausa con `PATCH /v1/issuers/:id/can-issue`.',
      en: 'Pause it with `PATCH /v1/issuers/:id/can-issue`.',
    },
  },
  VERSION_MISMATCH: {
    cause: {
      es: 'La versión de los términos no es la que está publicada.',
      en: 'The version of the terms is not the one that is published.',
    },
    fix: {
      es: 'Léala con `GET /v1/agreements`, muéstrela otra vez y repita con esa versión.',
      en: 'Read it with `GET /v1/agreements`, show it again and repeat with that version.',
    },
  },
  TIER_CHANGE_NO_OP: {
    cause: { es: 'La cuenta ya tiene ese plan e intervalo.', en: 'The account already has that plan and interval.' },
    fix: { es: 'No hay nada que cambiar.', en: 'There is nothing to change.' },
  },
  SEAT_CHANGE_NO_OP: {
    cause: { es: 'La cuenta ya tiene esa cantidad de puestos.', en: 'The account already has that many seats.' },
    fix: { es: 'No hay nada que cambiar.', en: 'There is nothing to change.' },
  },
  PROOF_FILE_LIMIT_REACHED: {
    cause: { es: 'El pago ya tiene el máximo de archivos.', en: 'The payment already has the most files allowed.' },
    fix: {
      es: 'Quite uno antes de agregar otro. Con los quitados, un pago admite cincuenta.',
      en: 'Remove one before you add another. With those removed, a payment takes fifty.',
    },
  },
  PAYMENT_NOT_REFUNDABLE: {
    cause: {
      es: 'Solo se devuelve el último pago verificado, con su suscripción activa.',
      en: 'Only the payment verified last is refunded, while its subscription is active.',
    },
    fix: { es: 'Revise el estado del pago.', en: 'Look at the status of the payment.' },
  },
  UNAUTHORIZED: {
    cause: {
      es: 'Falta la clave, está mal copiada, fue revocada, o es de otro ambiente que el de la cuenta.',
      en: "The key is missing, miscopied or revoked, or its environment is not the account's.",
    },
    fix: {
      es: 'Envíe `Authorization: Bearer <clave>`. Después de pasar a producción use la clave nueva; las de pruebas ya no sirven.',
      en: 'Send `Authorization: Bearer <key>`. After moving to production use the new key; sandbox keys no longer work.',
    },
    reasons: ['API_KEY_ENV_MISMATCH', 'ADMIN_TOKEN_REQUIRED'],
  },
  API_KEY_LIMIT_REACHED: {
    cause: { es: 'El plan no admite más claves activas.', en: 'The plan allows no more active keys.' },
    fix: {
      es: 'Revoque una clave que ya no use, o cambie de plan.',
      en: 'Revoke a key that is no longer used, or change the plan.',
    },
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    cause: { es: 'El plan no admite más webhooks activos.', en: 'The plan allows no more active webhooks.' },
    fix: { es: 'Quite uno que ya no use, o cambie de plan.', en: 'Remove one no longer used, or change the plan.' },
  },
  DOCUMENT_TYPE_NOT_IN_TIER: {
    cause: { es: 'El plan no incluye ese tipo de documento.', en: 'The plan does not include that document type.' },
    fix: { es: 'Cambie a un plan que lo incluya.', en: 'Change to a plan that includes it.' },
  },
  QUOTA_EXCEEDED: {
    cause: {
      es: 'Se crearon todos los documentos que el plan permite en el período.',
      en: 'All documents the plan allows in the period were created.',
    },
    fix: {
      es: 'Espere al próximo período (`quota.periodEnd` en `GET /v1/documents/stats`) o cambie de plan. No se consumió un número.',
      en: 'Wait for the next period (`quota.periodEnd` in `GET /v1/documents/stats`) or change the plan. No number was used.',
    },
  },
  BRANCH_LIMIT_REACHED: {
    cause: { es: 'El plan no admite más establecimientos.', en: 'The plan allows no more branches.' },
    fix: { es: 'Quite uno sin documentos, o cambie de plan.', en: 'Remove one without documents, or change the plan.' },
  },
  ISSUE_POINT_LIMIT_REACHED: {
    cause: {
      es: 'El plan no admite más puntos de emisión en ese establecimiento.',
      en: 'The plan allows no more issue points in that branch.',
    },
    fix: { es: 'Quite uno sin documentos, o cambie de plan.', en: 'Remove one without documents, or change the plan.' },
  },
  FORBIDDEN: {
    cause: {
      es: 'El recurso es de otra cuenta, o la clave no alcanza para la operación.',
      en: 'The resource belongs to another account, or the key does not suffice for the operation.',
    },
    fix: {
      es: 'Revise el `X-Issuer-Id` y con qué clave llama.',
      en: 'Check the `X-Issuer-Id` and the key you call with.',
    },
    reasons: ['ISSUER_FORBIDDEN'],
  },
  ISSUER_FORBIDDEN: {
    cause: { es: 'El emisor es de otra cuenta.', en: 'The issuer belongs to another account.' },
    fix: { es: 'Use un `id` de `GET /v1/issuers`.', en: 'Use an `id` of `GET /v1/issuers`.' },
  },
  ACCOUNT_SUSPENDED: {
    cause: {
      es: 'El operador suspendió la cuenta. Se puede consultar y descargar, no emitir ni cambiar.',
      en: 'The operator suspended the account. Reading and downloading work; issuing and changing do not.',
    },
    fix: { es: 'Comuníquese con quien opera el servicio.', en: 'Contact the operator of the service.' },
  },
  ACCOUNT_PAST_DUE: {
    cause: { es: 'La suscripción venció sin pago.', en: 'The subscription ran out unpaid.' },
    fix: { es: 'Pague una suscripción nueva.', en: 'Pay for a new subscription.' },
  },
  INTERNAL_SERVICE_ONLY: {
    cause: {
      es: 'La operación está reservada a la aplicación web de quien opera el servicio.',
      en: "The operation is reserved to the operator's own web application.",
    },
    fix: {
      es: 'Si opera el servicio, llame con `X-Internal-Service-Secret`; si no, hágalo desde la aplicación.',
      en: 'If you run the service, call with `X-Internal-Service-Secret`; if not, do it in the application.',
    },
  },
  EMAIL_VERIFICATION_REQUIRED: {
    cause: { es: 'El correo de la cuenta aún no se verifica.', en: 'The e-mail of the account is not verified yet.' },
    fix: {
      es: 'Abra el enlace del correo, o pida otro con `POST /v1/resend-verification`.',
      en: 'Open the link in the mail, or ask for another with `POST /v1/resend-verification`.',
    },
  },
  PRODUCTION_KEY_REQUIRES_PROMOTION: {
    cause: { es: 'La cuenta aún está en pruebas.', en: 'The account is still in sandbox.' },
    fix: {
      es: 'Pase primero a producción; ese paso entrega las claves de producción.',
      en: 'Move to production first; that step hands out the production keys.',
    },
  },
  AGREEMENT_ACCEPTANCE_REQUIRED: {
    cause: { es: 'Hay acuerdos publicados sin aceptar.', en: 'There are published agreements not yet accepted.' },
    fix: {
      es: 'Véalos con `GET /v1/tenants/agreements` y acéptelos desde la aplicación web.',
      en: 'See them with `GET /v1/tenants/agreements` and accept them in the web application.',
    },
  },
  INSUFFICIENT_SCOPE: {
    cause: {
      es: 'La clave no tiene el permiso que la ruta pide; `requiredScope` lo nombra.',
      en: 'The key does not hold the scope the route asks for; `requiredScope` names it.',
    },
    fix: { es: 'Use otra clave, o cree una con ese permiso.', en: 'Use another key, or create one with that scope.' },
  },
  SCOPE_ESCALATION_FORBIDDEN: {
    cause: {
      es: 'Se pidió una clave con permisos que la clave que la crea no tiene.',
      en: 'A key was asked for with scopes that the key creating it does not hold.',
    },
    fix: {
      es: 'Pida solo permisos propios, o créela con una clave que los tenga.',
      en: 'Ask for scopes of your own only, or create it with a key that holds them.',
    },
  },
  ISSUER_ISSUING_PAUSED: {
    cause: { es: 'El emisor está en pausa (`canIssue: false`).', en: 'The issuer is paused (`canIssue: false`).' },
    fix: {
      es: 'Reanúdelo con `PATCH /v1/issuers/:id/can-issue`.',
      en: 'Resume it with `PATCH /v1/issuers/:id/can-issue`.',
    },
  },
  NOT_FOUND: {
    cause: {
      es: 'No existe, está inactivo, ya se atendió, o es de otra cuenta o de otro ambiente.',
      en: 'It does not exist, is inactive, was dealt with already, or belongs to another account or environment.',
    },
    fix: {
      es: 'Revise el identificador, el `X-Issuer-Id` y si la clave es de pruebas o de producción.',
      en: 'Check the identifier, the `X-Issuer-Id`, and whether the key is a sandbox or a production one.',
    },
    reasons: ['ISSUER_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  },
  ISSUER_NOT_FOUND: {
    cause: { es: 'El emisor no existe o está inactivo.', en: 'The issuer does not exist or is inactive.' },
    fix: { es: 'Use un `id` de `GET /v1/issuers`.', en: 'Use an `id` of `GET /v1/issuers`.' },
  },
  SOURCE_ISSUER_NOT_FOUND: {
    cause: {
      es: '`sourceIssuerId` no es un emisor activo de la cuenta.',
      en: '`sourceIssuerId` is no active issuer of the account.',
    },
    fix: {
      es: 'Use un `id` de `GET /v1/issuers`, u omítalo.',
      en: 'Use an `id` of `GET /v1/issuers`, or leave it out.',
    },
  },
  PAYMENT_NOT_FOUND: {
    cause: { es: 'Ese pago no existe en la cuenta.', en: 'The account has no such payment.' },
    fix: { es: 'Use el `id` que devuelve la suscripción.', en: 'Use the `id` the subscription gives.' },
  },
  AGREEMENT_NOT_FOUND: {
    cause: { es: 'No hay un acuerdo publicado de ese tipo.', en: 'There is no published agreement of that type.' },
    fix: {
      es: 'Vea los publicados con `GET /v1/agreements`.',
      en: 'See the published ones with `GET /v1/agreements`.',
    },
  },
  METHOD_NOT_ALLOWED: {
    cause: { es: 'La dirección existe, pero no con ese método.', en: 'The address exists, but not with that method.' },
    fix: { es: 'La cabecera `Allow` dice cuáles admite.', en: 'The header `Allow` says which it takes.' },
  },
  CONFLICT: {
    cause: {
      es: 'Ya existe: un RUC o correo registrado, un emisor con ese establecimiento y punto, o una `Idempotency-Key` usada con otro contenido.',
      en: 'It exists already: a registered RUC or e-mail, an issuer of that branch and point, or an `Idempotency-Key` used with another payload.',
    },
    fix: {
      es: 'Recupere la cuenta con `POST /v1/recover`, reactive el emisor de `issuerId`, o use una clave de idempotencia por documento.',
      en: 'Recover the account with `POST /v1/recover`, activate the issuer of `issuerId` again, or use one idempotency key per document.',
    },
    reasons: [
      'IDEMPOTENCY_KEY_REUSED',
      'EMAIL_ALREADY_REGISTERED',
      'RUC_ALREADY_REGISTERED',
      'ISSUER_ALREADY_EXISTS',
      'ALREADY_IN_PRODUCTION',
      'ALREADY_SUSPENDED',
      'NOT_SUSPENDED',
      'ALREADY_RELEASED',
      'ALREADY_VERIFIED',
      'HAS_PRODUCTION_DOCUMENTS',
      'PRICE_CHANGE_PENDING',
      'PRICE_NOT_WITHDRAWABLE',
      'PAYMENT_STATUS',
      'PAYMENT_PURPOSE_OVER',
      'EARLIER_CHANGE_PENDING',
      'NOTHING_TO_INVOICE',
      'VERSION_ALREADY_PUBLISHED',
    ],
  },
  NOTHING_TO_RETRY: {
    cause: {
      es: 'Ningún intento del documento ha fallado del todo.',
      en: 'No attempt of the document failed for good.',
    },
    fix: {
      es: 'Los reintentos automáticos siguen su curso; `dispatch` dice cómo van.',
      en: 'Automatic retries go on; `dispatch` tells how they stand.',
    },
  },
  SUBSCRIPTION_ALREADY_IN_FLIGHT: {
    cause: {
      es: 'Ya hay una suscripción activa o por pagar.',
      en: 'A subscription is active or waits for its payment.',
    },
    fix: { es: 'Cambie esa, o cancele su pago.', en: 'Change that one, or cancel its payment.' },
  },
  NO_ACTIVE_SUBSCRIPTION: {
    cause: { es: 'La cuenta no tiene una suscripción activa.', en: 'The account has no active subscription.' },
    fix: { es: 'Inicie una antes.', en: 'Start one first.' },
  },
  RENEWAL_UNPAID: {
    cause: {
      es: 'El período terminó, y no queda tiempo pagado que ampliar.',
      en: 'The period is over, and no paid time is left to extend.',
    },
    fix: { es: 'Pague la renovación, y luego pida el cambio.', en: 'Pay the renewal, and then ask for the change.' },
  },
  TIER_CHANGE_ALREADY_PENDING: {
    cause: { es: 'Ya hay un cambio de plan por aplicarse.', en: 'A change of plan already waits to take effect.' },
    fix: { es: 'Espere a que se aplique, o cancele su pago.', en: 'Wait until it does, or cancel its payment.' },
  },
  SEAT_CHANGE_ALREADY_PENDING: {
    cause: { es: 'Ya hay un cambio de puestos por aplicarse.', en: 'A change of seats already waits to take effect.' },
    fix: { es: 'Espere a que se aplique, o cancele su pago.', en: 'Wait until it does, or cancel its payment.' },
  },
  CANCELLATION_ALREADY_PENDING: {
    cause: {
      es: 'La suscripción ya termina al final del período.',
      en: 'The subscription already ends with its period.',
    },
    fix: { es: 'No hay nada que hacer.', en: 'There is nothing to do.' },
  },
  PAYMENT_NOT_CANCELLABLE: {
    cause: {
      es: 'El pago está reportado, verificado, devuelto o cancelado, o es una renovación.',
      en: 'The payment is reported, verified, refunded or cancelled, or it is a renewal.',
    },
    fix: { es: 'Revise el estado del pago.', en: 'Look at the status of the payment.' },
  },
  REQUEST_TIMEOUT: {
    cause: {
      es: 'Las cabeceras tardaron más de 10 segundos, la solicitud más de 30, o el cuerpo llegó a menos de 1 KiB por segundo.',
      en: 'The headers took more than 10 seconds, the request more than 30, or the body came at less than 1 KiB a second.',
    },
    fix: {
      es: 'Envíe la solicitud de una vez y por una conexión nueva; nada de ella se ejecutó.',
      en: 'Send the request in one go and over a new connection; nothing of it was carried out.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    cause: { es: 'El cuerpo supera el tamaño que la ruta admite.', en: 'The body is larger than the route takes.' },
    fix: {
      es: '`detail` dice el límite de la ruta: 1 MiB para el JSON de un documento, 16 KiB para casi todo otro JSON, 10 MiB para formularios. Divida o reduzca el envío.',
      en: '`detail` names the limit of the route: 1 MiB for the JSON of a document, 16 KiB for most other JSON, 10 MiB for forms. Split or shrink what you send.',
    },
  },
  TOO_MANY_REQUESTS: {
    cause: {
      es: 'Se superó el límite de solicitudes de esta clave, dirección, cuenta o documento.',
      en: 'The limit of requests of this key, address, account or document was exceeded.',
    },
    fix: {
      es: 'Espere los segundos de `Retry-After`. Las cabeceras `RateLimit-*` dicen cuánto queda.',
      en: 'Wait the seconds in `Retry-After`. The `RateLimit-*` headers tell what is left.',
    },
  },
  INTERNAL_ERROR: {
    cause: { es: 'Algo inesperado falló en el servidor.', en: 'Something unexpected failed in the server.' },
    fix: {
      es: 'Repita con la misma `Idempotency-Key`. Si continúa, busque el `requestId` en el log del servidor.',
      en: 'Repeat with the same `Idempotency-Key`. If it goes on, look for the `requestId` in the log of the server.',
    },
  },
  SERVICE_UNAVAILABLE: {
    cause: {
      es: 'La base de datos no respondió a tiempo, el servidor tiene demasiado en espera, o se está deteniendo.',
      en: 'The database did not answer in time, too much waits in the server, or it is stopping.',
    },
    fix: {
      es: 'Espere los segundos de `Retry-After` y repita con la misma `Idempotency-Key`.',
      en: 'Wait the seconds in `Retry-After` and repeat with the same `Idempotency-Key`.',
    },
    reasons: ['READ_ONLY'],
  },
};
