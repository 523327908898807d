import type { LocalizedText } from 'sri-core';

/** The meaning of a code of the contract: its HTTP status and its texts. */
export interface Problem {
  readonly status: number;
  readonly title: LocalizedText;
  readonly detail: LocalizedText;
}

/** Where to raise the limit of a plan. */
const OTHER_PLAN = {
  es: ' Pida otro plan; en un servidor de empresas propias, USE=own no tiene límites.',
  en: " Ask for another plan; on a server for one's own companies USE=own has no limits.",
};

/**
 * Every `code` the server answers with. A code is the contract: it is never translated, changed in meaning or reused.
 * The page of each code is `{docs_url}/errors/<kind>#<code in lower case>`.
 */
export const PROBLEMS = {
  VALIDATION_FAILED: {
    status: 400,
    title: { es: 'Datos inválidos', en: 'Invalid data' },
    detail: { es: 'Hay datos que no son válidos.', en: 'Some of the data is not valid.' },
  },
  BAD_REQUEST: {
    status: 400,
    title: { es: 'Solicitud incorrecta', en: 'Bad request' },
    detail: { es: 'La solicitud no se puede atender así.', en: 'The request cannot be served as it is.' },
  },
  INVALID_FILE_UPLOAD: {
    status: 400,
    title: { es: 'Archivo no válido', en: 'Invalid file' },
    detail: { es: 'El archivo no se puede aceptar.', en: 'The file cannot be accepted.' },
  },
  CERTIFICATE_INVALID: {
    status: 400,
    title: { es: 'Certificado no válido', en: 'Invalid certificate' },
    detail: {
      es: 'El archivo no es un certificado P12 que se pueda abrir.',
      en: 'The file is not a P12 certificate that can be opened.',
    },
  },
  CERTIFICATE_PASSWORD_INVALID: {
    status: 400,
    title: { es: 'Contraseña del certificado incorrecta', en: 'Wrong certificate password' },
    detail: { es: 'La contraseña no abre el certificado.', en: 'The password does not open the certificate.' },
  },
  CERTIFICATE_KEY_NOT_FOUND: {
    status: 400,
    title: { es: 'Certificado sin clave privada', en: 'Certificate without private key' },
    detail: {
      es: 'El archivo no contiene una clave privada con su certificado.',
      en: 'The file holds no private key with its certificate.',
    },
  },
  CERTIFICATE_EXPIRED: {
    status: 400,
    title: { es: 'Certificado caducado', en: 'Expired certificate' },
    detail: { es: 'El certificado de firma ya caducó.', en: 'The signing certificate has expired.' },
  },
  INVALID_OR_EXPIRED_TOKEN: {
    status: 400,
    title: { es: 'Enlace no válido o vencido', en: 'Invalid or expired link' },
    detail: { es: 'El código no existe, ya se usó o venció.', en: 'The token is unknown, used or expired.' },
  },
  DOCUMENT_TYPE_NOT_ENABLED: {
    status: 400,
    title: { es: 'Tipo de documento no habilitado', en: 'Document type not enabled' },
    detail: {
      es: 'El emisor no tiene habilitado este tipo de documento.',
      en: 'The issuer has not enabled this document type.',
    },
  },
  LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED: {
    status: 400,
    title: { es: 'Último tipo de documento', en: 'Last document type' },
    detail: {
      es: 'El emisor debe conservar al menos un tipo de documento.',
      en: 'The issuer has to keep at least one document type.',
    },
  },
  SEQUENTIAL_CANNOT_DECREASE: {
    status: 400,
    title: { es: 'El secuencial no puede retroceder', en: 'A sequential cannot go back' },
    detail: {
      es: 'El número debe ser mayor que el último usado.',
      en: 'The number has to be above the last one used.',
    },
  },
  DOCUMENT_VOID_CONFIRMATION_REQUIRED: {
    status: 400,
    title: { es: 'Falta confirmar la anulación', en: 'Voiding needs confirmation' },
    detail: {
      es: 'Confirme que el documento ya fue anulado en el portal del SRI.',
      en: 'Confirm that the document was already annulled at the SRI.',
    },
  },
  DOCUMENT_NOT_AUTHORIZED: {
    status: 400,
    title: { es: 'Documento no autorizado', en: 'Document not authorized' },
    detail: { es: 'Solo se puede anular un documento autorizado.', en: 'Only an authorized document can be voided.' },
  },
  ISSUER_ID_INVALID: {
    status: 400,
    title: { es: 'Identificador no válido', en: 'Invalid identifier' },
    detail: { es: 'El identificador no es un UUID.', en: 'The identifier is not a UUID.' },
  },
  LAST_ISSUER_CANNOT_BE_REMOVED: {
    status: 400,
    title: { es: 'Último emisor', en: 'Last issuer' },
    detail: { es: 'La cuenta debe conservar al menos un emisor.', en: 'The account has to keep at least one issuer.' },
  },
  ISSUER_HAS_DOCUMENTS: {
    status: 400,
    title: { es: 'El emisor tiene documentos', en: 'The issuer has documents' },
    detail: {
      es: 'Un emisor con documentos no se elimina; puede pausarlo.',
      en: 'An issuer with documents is not removed; you may pause it.',
    },
  },
  VERSION_MISMATCH: {
    status: 400,
    title: { es: 'Versión distinta', en: 'Another version' },
    detail: { es: 'Esa no es la versión publicada.', en: 'That is not the published version.' },
  },
  TIER_CHANGE_NO_OP: {
    status: 400,
    title: { es: 'Sin cambio de plan', en: 'No change of plan' },
    detail: { es: 'Ese ya es su plan.', en: 'That is already your plan.' },
  },
  SEAT_CHANGE_NO_OP: {
    status: 400,
    title: { es: 'Sin cambio de puestos', en: 'No change of seats' },
    detail: { es: 'Ya tiene esa cantidad de puestos.', en: 'You already have that many seats.' },
  },
  PROOF_FILE_LIMIT_REACHED: {
    status: 400,
    title: { es: 'Demasiados archivos del pago', en: 'Too many proofs' },
    detail: { es: 'El pago ya tiene el máximo de archivos.', en: 'The payment already has the most files allowed.' },
  },
  PAYMENT_NOT_REFUNDABLE: {
    status: 400,
    title: { es: 'Pago que no se devuelve', en: 'Payment not refundable' },
    detail: { es: 'Este pago no se puede devolver.', en: 'This payment cannot be refunded.' },
  },
  UNAUTHORIZED: {
    status: 401,
    title: { es: 'No autenticado', en: 'Not authenticated' },
    detail: { es: 'Falta la clave de API o no es válida.', en: 'The API key is missing or not valid.' },
  },
  API_KEY_LIMIT_REACHED: {
    status: 402,
    title: { es: 'Máximo de claves alcanzado', en: 'Key limit reached' },
    detail: {
      es: `El plan no admite más claves activas.${OTHER_PLAN.es}`,
      en: `The plan allows no more active keys.${OTHER_PLAN.en}`,
    },
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    status: 402,
    title: { es: 'Máximo de webhooks alcanzado', en: 'Webhook limit reached' },
    detail: {
      es: `El plan no admite más webhooks activos.${OTHER_PLAN.es}`,
      en: `The plan allows no more active webhooks.${OTHER_PLAN.en}`,
    },
  },
  DOCUMENT_TYPE_NOT_IN_TIER: {
    status: 402,
    title: { es: 'Tipo no incluido en el plan', en: 'Type not in the plan' },
    detail: {
      es: `El plan no incluye este tipo de documento.${OTHER_PLAN.es}`,
      en: `The plan does not include this document type.${OTHER_PLAN.en}`,
    },
  },
  QUOTA_EXCEEDED: {
    status: 402,
    title: { es: 'Cupo de documentos agotado', en: 'Document quota used up' },
    detail: {
      es: `El plan permite {quota} documentos en este período.${OTHER_PLAN.es}`,
      en: `The plan allows {quota} documents in this period.${OTHER_PLAN.en}`,
    },
  },
  BRANCH_LIMIT_REACHED: {
    status: 402,
    title: { es: 'Máximo de establecimientos alcanzado', en: 'Branch limit reached' },
    detail: {
      es: `El plan no admite más establecimientos.${OTHER_PLAN.es}`,
      en: `The plan allows no more branches.${OTHER_PLAN.en}`,
    },
  },
  ISSUE_POINT_LIMIT_REACHED: {
    status: 402,
    title: { es: 'Máximo de puntos de emisión alcanzado', en: 'Issue point limit reached' },
    detail: {
      es: `El plan no admite más puntos de emisión en este establecimiento.${OTHER_PLAN.es}`,
      en: `The plan allows no more issue points in this branch.${OTHER_PLAN.en}`,
    },
  },
  FORBIDDEN: {
    status: 403,
    title: { es: 'Acceso denegado', en: 'Forbidden' },
    detail: { es: 'No tiene acceso a este recurso.', en: 'You have no access to this resource.' },
  },
  ISSUER_FORBIDDEN: {
    status: 403,
    title: { es: 'Emisor de otra cuenta', en: 'Issuer of another account' },
    detail: { es: 'El emisor pertenece a otra cuenta.', en: 'The issuer belongs to another account.' },
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    title: { es: 'Cuenta suspendida', en: 'Account suspended' },
    detail: {
      es: 'La cuenta está suspendida: puede consultar, pero no emitir ni cambiar nada.',
      en: 'The account is suspended: it can read, but not issue or change anything.',
    },
  },
  ACCOUNT_PAST_DUE: {
    status: 403,
    title: { es: 'Cuenta con pago vencido', en: 'Account past due' },
    detail: {
      es: 'La suscripción está vencida; páguela para continuar.',
      en: 'The subscription is past due; pay it to go on.',
    },
  },
  INTERNAL_SERVICE_ONLY: {
    status: 403,
    title: { es: 'Reservado a la aplicación web', en: 'Reserved to the web application' },
    detail: {
      es: 'Esta operación solo se hace desde la aplicación web.',
      en: 'This operation is done from the web application only.',
    },
  },
  EMAIL_VERIFICATION_REQUIRED: {
    status: 403,
    title: { es: 'Correo sin verificar', en: 'E-mail not verified' },
    detail: { es: 'Verifique primero el correo de la cuenta.', en: 'Verify the e-mail of the account first.' },
  },
  PRODUCTION_KEY_REQUIRES_PROMOTION: {
    status: 403,
    title: { es: 'Cuenta aún en pruebas', en: 'Account still in sandbox' },
    detail: {
      es: 'Las claves de producción se crean después de pasar a producción.',
      en: 'Production keys are made after moving to production.',
    },
  },
  AGREEMENT_ACCEPTANCE_REQUIRED: {
    status: 403,
    title: { es: 'Acuerdos sin aceptar', en: 'Agreements not accepted' },
    detail: { es: 'Acepte primero los acuerdos vigentes.', en: 'Accept the current agreements first.' },
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: { es: 'Permiso insuficiente', en: 'Insufficient scope' },
    detail: { es: 'La clave no tiene el permiso {scope}.', en: 'The key does not hold the scope {scope}.' },
  },
  SCOPE_ESCALATION_FORBIDDEN: {
    status: 403,
    title: { es: 'Permisos mayores que los propios', en: 'More scopes than one holds' },
    detail: { es: 'Una clave no puede dar permisos que no tiene.', en: 'A key cannot grant scopes it does not hold.' },
  },
  ISSUER_ISSUING_PAUSED: {
    status: 403,
    title: { es: 'Emisión en pausa', en: 'Issuing paused' },
    detail: {
      es: 'El emisor tiene la emisión en pausa; los documentos existentes siguen su curso.',
      en: 'The issuer is paused; existing documents go on.',
    },
  },
  NOT_FOUND: {
    status: 404,
    title: { es: 'No encontrado', en: 'Not found' },
    detail: { es: 'No existe nada con esa ruta o ese id.', en: 'Nothing exists under that path or id.' },
  },
  ISSUER_NOT_FOUND: {
    status: 404,
    title: { es: 'Emisor no encontrado', en: 'Issuer not found' },
    detail: { es: 'No existe ese emisor.', en: 'There is no such issuer.' },
  },
  SOURCE_ISSUER_NOT_FOUND: {
    status: 404,
    title: { es: 'Emisor de origen no encontrado', en: 'Source issuer not found' },
    detail: { es: 'No existe el emisor del que copiar.', en: 'There is no such issuer to copy from.' },
  },
  PAYMENT_NOT_FOUND: {
    status: 404,
    title: { es: 'Pago no encontrado', en: 'Payment not found' },
    detail: { es: 'No existe ese pago.', en: 'There is no such payment.' },
  },
  AGREEMENT_NOT_FOUND: {
    status: 404,
    title: { es: 'Acuerdo no encontrado', en: 'Agreement not found' },
    detail: { es: 'No existe ese acuerdo.', en: 'There is no such agreement.' },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: { es: 'Método no permitido', en: 'Method not allowed' },
    detail: { es: 'Esta dirección admite {allow}.', en: 'This address takes {allow}.' },
  },
  CONFLICT: {
    status: 409,
    title: { es: 'Conflicto', en: 'Conflict' },
    detail: { es: 'La operación choca con lo que ya existe.', en: 'The operation conflicts with what exists.' },
  },
  NOTHING_TO_RETRY: {
    status: 409,
    title: { es: 'Nada que reintentar', en: 'Nothing to retry' },
    detail: { es: 'No hay un intento fallido que repetir.', en: 'There is no failed attempt to repeat.' },
  },
  SUBSCRIPTION_ALREADY_IN_FLIGHT: {
    status: 409,
    title: { es: 'Suscripción en curso', en: 'Subscription under way' },
    detail: { es: 'Ya hay una suscripción en curso.', en: 'There is already a subscription under way.' },
  },
  NO_ACTIVE_SUBSCRIPTION: {
    status: 409,
    title: { es: 'Sin suscripción activa', en: 'No active subscription' },
    detail: { es: 'La cuenta no tiene una suscripción activa.', en: 'The account has no active subscription.' },
  },
  RENEWAL_UNPAID: {
    status: 409,
    title: { es: 'Renovación por pagar', en: 'Renewal unpaid' },
    detail: {
      es: 'El período terminó y su renovación no está pagada.',
      en: 'The period is over, and its renewal unpaid.',
    },
  },
  TIER_CHANGE_ALREADY_PENDING: {
    status: 409,
    title: { es: 'Cambio de plan pendiente', en: 'Plan change pending' },
    detail: { es: 'Ya hay un cambio de plan pendiente.', en: 'A change of plan is already pending.' },
  },
  SEAT_CHANGE_ALREADY_PENDING: {
    status: 409,
    title: { es: 'Cambio de puestos pendiente', en: 'Seat change pending' },
    detail: { es: 'Ya hay un cambio de puestos pendiente.', en: 'A change of seats is already pending.' },
  },
  CANCELLATION_ALREADY_PENDING: {
    status: 409,
    title: { es: 'Cancelación pendiente', en: 'Cancellation pending' },
    detail: { es: 'Ya hay una cancelación pendiente.', en: 'A cancellation is already pending.' },
  },
  PAYMENT_NOT_CANCELLABLE: {
    status: 409,
    title: { es: 'Pago no anulable', en: 'Payment not cancellable' },
    detail: { es: 'Este pago ya no se puede cancelar.', en: 'This payment can no longer be cancelled.' },
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: { es: 'La solicitud tardó demasiado', en: 'The request took too long' },
    detail: { es: 'La solicitud no llegó entera a tiempo.', en: 'The request did not arrive whole in time.' },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: { es: 'Solicitud demasiado grande', en: 'Request too large' },
    detail: { es: 'El cuerpo supera {limit} bytes.', en: 'The body is larger than {limit} bytes.' },
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: { es: 'Demasiadas solicitudes', en: 'Too many requests' },
    detail: { es: 'Espere {wait} y repita.', en: 'Wait {wait} and repeat.' },
  },
  INTERNAL_ERROR: {
    status: 500,
    title: { es: 'Error interno', en: 'Internal error' },
    detail: {
      es: 'Algo falló de nuestro lado. Si continúa, indique el requestId.',
      en: 'Something failed on our side. If it goes on, tell us the requestId.',
    },
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: { es: 'Servicio no disponible', en: 'Service unavailable' },
    detail: { es: 'Intente de nuevo en unos segundos.', en: 'Try again in a few seconds.' },
  },
} as const satisfies Readonly<Record<string, Problem>>;

/** A `code` of the contract. */
export type ProblemCode = keyof typeof PROBLEMS;

/** Every `reason` of a code, with the detail that replaces the code's own. */
export const REASONS = {
  API_KEY_ENV_MISMATCH: {
    es: 'La clave es de otro ambiente que el de la cuenta.',
    en: "The key's environment is not the account's.",
  },
  ISSUER_ID_REQUIRED: { es: 'Falta la cabecera X-Issuer-Id.', en: 'The header X-Issuer-Id is missing.' },
  ISSUER_ID_INVALID: { es: 'X-Issuer-Id no es un UUID.', en: 'X-Issuer-Id is not a UUID.' },
  ISSUER_FORBIDDEN: { es: 'El emisor pertenece a otra cuenta.', en: 'The issuer belongs to another account.' },
  ISSUER_NOT_FOUND: { es: 'No existe ese emisor.', en: 'There is no such issuer.' },
  DOCUMENT_NOT_FOUND: {
    es: 'Este emisor no tiene un documento con esa clave de acceso en este ambiente.',
    en: 'This issuer has no document with that access key in this environment.',
  },
  DOCUMENT_NOT_AUTHORIZED: { es: 'El documento no está autorizado.', en: 'The document is not authorized.' },
  IDEMPOTENCY_KEY_INVALID: {
    es: 'Idempotency-Key debe tener de 1 a 255 caracteres.',
    en: 'Idempotency-Key has to have 1 to 255 characters.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    es: 'Esa Idempotency-Key ya se usó con otro contenido.',
    en: 'That Idempotency-Key was used with another payload.',
  },
  INVALID_STATE_TRANSITION: {
    es: 'El estado del documento ({status}) no permite la operación.',
    en: 'The status of the document ({status}) does not allow the operation.',
  },
  SELF_REVOCATION_FORBIDDEN: {
    es: 'No se puede revocar la clave con la que se hace la solicitud.',
    en: 'The key that makes the request cannot be revoked.',
  },
  SEQUENTIAL_EXHAUSTED: {
    es: 'El contador llegó a 999999999; no quedan números.',
    en: 'The counter stands at 999999999; no number is left.',
  },
  CERTIFICATE_INVALID: PROBLEMS.CERTIFICATE_INVALID.detail,
  CERTIFICATE_PASSWORD_INVALID: PROBLEMS.CERTIFICATE_PASSWORD_INVALID.detail,
  CERTIFICATE_KEY_NOT_FOUND: PROBLEMS.CERTIFICATE_KEY_NOT_FOUND.detail,
  CERTIFICATE_EXPIRED: PROBLEMS.CERTIFICATE_EXPIRED.detail,
  CERTIFICATE_NOT_YET_VALID: {
    es: 'El certificado de firma aún no entra en vigencia.',
    en: 'The signing certificate is not valid yet.',
  },
  CERTIFICATE_KEY_UNSUPPORTED: {
    es: 'La clave del certificado debe ser RSA de 2048 a 4096 bits y servir para firmar.',
    en: 'The key of the certificate has to be RSA of 2048 to 4096 bits, and meant for signing.',
  },
  RUC_MISMATCH: { es: 'El certificado es de otro contribuyente.', en: 'The certificate belongs to another taxpayer.' },
  FILE_REQUIRED: { es: 'Falta el archivo.', en: 'The file is missing.' },
  ISSUER_ALREADY_EXISTS: {
    es: 'Ese establecimiento y punto de emisión ya existe; si fue eliminado, reactívelo.',
    en: 'That branch and issue point exists already; if it was removed, activate it again.',
  },
  UNSUPPORTED_IMAGE: {
    es: 'El logo debe ser una imagen PNG, JPEG o GIF de hasta 4096 píxeles por lado.',
    en: 'The logo has to be a PNG, JPEG or GIF image of at most 4096 pixels a side.',
  },
  UNSUPPORTED_PROOF: {
    es: 'El comprobante de pago debe ser PNG, JPEG, GIF o PDF, como dicen su nombre y su tipo.',
    en: 'The proof has to be PNG, JPEG, GIF or PDF, as its name and type say.',
  },
  FILE_TOO_LARGE: { es: 'El archivo supera {limit} bytes.', en: 'The file is larger than {limit} bytes.' },
  EMAIL_ALREADY_REGISTERED: { es: 'Ese correo ya tiene una cuenta.', en: 'That e-mail already has an account.' },
  RUC_ALREADY_REGISTERED: {
    es: 'Ese RUC ya está registrado con otro correo.',
    en: 'That RUC is registered under another e-mail.',
  },
  ALREADY_IN_PRODUCTION: { es: 'La cuenta ya está en producción.', en: 'The account is in production already.' },
  ALREADY_SUSPENDED: { es: 'La cuenta ya está suspendida.', en: 'The account is suspended already.' },
  NOT_SUSPENDED: { es: 'La cuenta no está suspendida.', en: 'The account is not suspended.' },
  ALREADY_RELEASED: {
    es: 'La cuenta se cerró, y su RUC y su correo quedaron libres.',
    en: 'The account was closed, and its RUC and e-mail are free.',
  },
  VERSION_ALREADY_PUBLISHED: {
    es: 'Ese acuerdo ya tiene una versión con ese nombre.',
    en: 'That agreement has a version of that name already.',
  },
  ADMIN_TOKEN_REQUIRED: {
    es: 'Falta el token del operador o no es válido.',
    en: "The operator's token is missing or not valid.",
  },
  HAS_PRODUCTION_DOCUMENTS: {
    es: 'La cuenta está verificada y tiene comprobantes en producción.',
    en: 'The account is verified and has documents in production.',
  },
  ALREADY_VERIFIED: { es: 'La cuenta ya está verificada.', en: 'The account is verified already.' },
  PRICE_CHANGE_PENDING: {
    es: 'Ya hay un cambio de ese precio anunciado que aún no entra en vigencia.',
    en: 'A change of that price was announced and has not taken effect yet.',
  },
  PRICE_NOT_WITHDRAWABLE: {
    es: 'El precio ya está retirado, o faltan menos de {days} días para que entre en vigencia.',
    en: 'The price is withdrawn already, or takes effect in less than {days} days.',
  },
  READ_ONLY: {
    es: 'Este servidor solo lee por ahora: no guarda nada.',
    en: 'This server only reads for now: it stores nothing.',
  },
  PAYMENT_STATUS: {
    es: 'El estado del pago ({status}) no permite la operación.',
    en: 'The status of the payment ({status}) does not allow the operation.',
  },
  PAYMENT_PURPOSE_OVER: {
    es: 'Lo que este pago pagaba ya no se puede aplicar. Rechácelo y devuelva el dinero.',
    en: 'What this payment paid for can no longer be applied. Reject it, and give the money back.',
  },
  EARLIER_CHANGE_PENDING: {
    es: 'Antes se aplica otro cambio de la suscripción. Verifique el pago después de ese día.',
    en: 'Another change of the subscription applies first. Verify the payment after its day.',
  },
  NOTHING_TO_INVOICE: {
    es: 'La suscripción no tiene un pago verificado sin factura, o la factura ya está en otro pago.',
    en: 'The subscription has no verified payment without an invoice, or the invoice is linked to another payment.',
  },
  MALFORMED_REQUEST: { es: 'La solicitud no es HTTP bien formado.', en: 'The request is not well-formed HTTP.' },
} as const satisfies Readonly<Record<string, LocalizedText>>;

/** A `reason` of the contract. */
export type ProblemReason = keyof typeof REASONS;

/** The last part of a problem's `type`: one page for each kind, with a section for each code. */
export function problemKind(code: ProblemCode): string {
  if (code === 'VALIDATION_FAILED') return 'validation-error';
  if (code === 'QUOTA_EXCEEDED') return 'quota-exceeded';
  return KIND_BY_STATUS[PROBLEMS[code].status];
}

// --- internal ---

const KIND_BY_STATUS = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  413: 'payload-too-large',
  429: 'too-many-requests',
  500: 'internal-error',
  503: 'service-unavailable',
} as const;
