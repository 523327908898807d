/** @typedef {'es' | 'en'} Language */

/** Every text of the console in its two languages. `{name}` is filled in. */
const TEXTS = {
  title: ['Consola SRI', 'SRI console'],
  language: ['English', 'Español'],
  skip: ['Ir al contenido', 'Skip to content'],
  menu: ['Secciones', 'Sections'],
  loading: ['Un momento…', 'One moment…'],
  unreachable: ['El servidor no responde. Intente de nuevo.', 'The server does not answer. Try again.'],
  cancel: ['Cancelar', 'Cancel'],
  save: ['Guardar', 'Save'],
  copy: ['Copiar', 'Copy'],
  copied: ['Copiado.', 'Copied.'],
  shownOnce: [
    'Se muestra solo esta vez: guárdela en un lugar seguro.',
    'It is shown only this once: keep it somewhere safe.',
  ],
  nothing: ['No hay nada todavía.', 'There is nothing yet.'],
  yes: ['Sí', 'Yes'],
  no: ['No', 'No'],
  issuer: ['Emisor', 'Issuer'],
  sandbox: ['Pruebas', 'Sandbox'],
  production: ['Producción', 'Production'],
  signOut: ['Salir', 'Sign out'],

  signIn: ['Entrar', 'Sign in'],
  signInIntro: [
    'Entre con una clave API de su cuenta. La clave queda solo en la memoria de esta página: al cerrarla o recargarla se olvida.',
    'Sign in with an API key of your account. The key stays in the memory of this page alone: closing or reloading it forgets the key.',
  ],
  apiKey: ['Clave API', 'API key'],
  apiKeyHint: ['Empieza con {brand}_test_ o {brand}_live_.', 'It begins with {brand}_test_ or {brand}_live_.'],
  noAccount: ['¿No tiene cuenta?', 'No account yet?'],
  register: ['Registrar una cuenta', 'Register an account'],
  haveAccount: ['Ya tengo una clave', 'I have a key'],

  registerIntro: [
    'Con su certificado de firma (P12) y los datos de su RUC. Empieza en el ambiente de pruebas: nada de lo que emita allí tiene valor tributario.',
    'With your signing certificate (P12) and the data of your RUC. It begins in the sandbox: nothing issued there counts for taxes.',
  ],
  certificate: ['Certificado de firma (.p12)', 'Signing certificate (.p12)'],
  certPassword: ['Contraseña del certificado', "Certificate's password"],
  certPasswordHint: ['No se guarda.', 'It is not kept.'],
  logo: ['Logotipo', 'Logo'],
  logoHint: [
    'Opcional. PNG, JPEG o GIF de hasta 500 KB; sale en el RIDE.',
    'Optional. PNG, JPEG or GIF up to 500 KB; it is shown on the RIDE.',
  ],
  email: ['Correo electrónico', 'E-mail'],
  ruc: ['RUC', 'RUC'],
  businessName: ['Razón social', 'Business name'],
  tradeName: ['Nombre comercial', 'Trade name'],
  mainAddress: ['Dirección matriz', 'Main address'],
  branchAddress: ['Dirección del establecimiento', "Branch's address"],
  branchCode: ['Establecimiento', 'Branch'],
  issuePointCode: ['Punto de emisión', 'Issue point'],
  codeHint: ['Tres dígitos, como 001.', 'Three digits, such as 001.'],
  requiredAccounting: ['Obligado a llevar contabilidad', 'Obliged to keep accounts'],
  documentTypes: ['Comprobantes que emite', 'Documents it issues'],
  registered: ['La cuenta está registrada.', 'The account is registered.'],
  registeredNext: [
    'Le enviamos un correo para verificar su dirección. Esta es su primera clave, con todos los permisos.',
    'We sent a mail to verify your address. This is your first key, with all scopes.',
  ],
  goOn: ['Continuar a la consola', 'Go on to the console'],

  overview: ['Resumen', 'Overview'],
  documents: ['Comprobantes', 'Documents'],
  newInvoice: ['Nueva factura', 'New invoice'],
  newCreditNote: ['Nueva nota de crédito', 'New credit note'],
  issuers: ['Emisores', 'Issuers'],
  keys: ['Claves API', 'API keys'],
  webhooks: ['Webhooks', 'Webhooks'],
  notifications: ['Avisos', 'Notifications'],
  mails: ['Correos escritos', 'Written mails'],

  today: ['Hoy', 'Today'],
  todayText: ['{count} emitidos, $ {total} autorizados', '{count} issued, $ {total} authorized'],
  quota: ['Cupo', 'Quota'],
  quotaText: ['{used} de {quota} comprobantes', '{used} of {quota} documents'],
  attention: ['Requieren atención', 'Need attention'],
  attentionText: ['{count} devueltos o no autorizados', '{count} returned or not authorized'],
  attentionNone: ['Nada por corregir.', 'Nothing to correct.'],
  plan: ['Plan', 'Plan'],
  'account.PENDING_VERIFICATION': ['correo por verificar', 'e-mail not verified yet'],
  'account.ACTIVE': ['activa', 'active'],
  'account.PAST_DUE': ['pago vencido', 'past due'],
  'account.SUSPENDED': ['suspendida', 'suspended'],
  accountStatus: ['Estado de la cuenta', 'Account status'],
  certificates: ['Certificados', 'Certificates'],
  daysLeft: ['{days} días', '{days} days'],
  expired: ['vencido', 'expired'],
  until: ['Vence', 'Until'],
  documentsPerDay: ['Comprobantes por día', 'Documents a day'],
  atMost: ['máximo {count}', 'at most {count}'],
  byStatus: ['Por estado', 'By status'],

  number: ['Número', 'Number'],
  type: ['Tipo', 'Type'],
  date: ['Fecha', 'Date'],
  total: ['Total', 'Total'],
  status: ['Estado', 'Status'],
  'type.01': ['Factura', 'Invoice'],
  'type.04': ['Nota de crédito', 'Credit note'],
  'status.SIGNED': ['Firmado', 'Signed'],
  'status.PENDING_SEND': ['Por enviar', 'To be sent'],
  'status.RECEIVED': ['Recibido por el SRI', 'Received by the SRI'],
  'status.RETURNED': ['Devuelto', 'Returned'],
  'status.AUTHORIZED': ['Autorizado', 'Authorized'],
  'status.NOT_AUTHORIZED': ['No autorizado', 'Not authorized'],
  'status.VOIDED': ['Anulado', 'Voided'],
  'status.PENDING': ['Pendiente', 'Pending'],
  'status.DELIVERED': ['Entregado', 'Delivered'],
  'status.FAILED': ['Fallido', 'Failed'],
  all: ['Todos', 'All'],
  from: ['Desde', 'From'],
  to: ['Hasta', 'To'],
  buyerName: ['Nombre del comprador', "Buyer's name"],
  sequentialPart: ['Parte del secuencial', 'Part of the number'],
  search: ['Buscar', 'Search'],
  found: ['{total} encontrados', '{total} found'],
  page: ['Página {page} de {pages}', 'Page {page} of {pages}'],
  before: ['Anterior', 'Previous'],
  after: ['Siguiente', 'Next'],

  accessKey: ['Clave de acceso', 'Access key'],
  authorizationNumber: ['Número de autorización', 'Authorization number'],
  authorizationDate: ['Fecha de autorización', 'Authorization date'],
  buyer: ['Comprador', 'Buyer'],
  mailStatus: ['Correo al comprador', 'Mail to the buyer'],
  timeline: ['Historia', 'History'],
  sriMessages: ['Respuestas del SRI', "The SRI's answers"],
  sriSilent: ['El SRI todavía no ha respondido.', 'The SRI has not answered yet.'],
  whatToDo: ['Qué hacer', 'What to do'],
  'who.ISSUER': ['Le toca al emisor.', 'The issuer has to act.'],
  'who.SOFTWARE': [
    'Le toca a este programa: avise a quien lo opera.',
    'This software has to act: tell whoever runs it.',
  ],
  'who.SRI': ['Le toca al SRI.', 'The SRI has to act.'],
  'who.NOBODY': ['No hay nada que hacer.', 'There is nothing to do.'],
  files: ['Archivos', 'Files'],
  previewRide: ['Ver el RIDE', 'Show the RIDE'],
  downloadRide: ['Descargar RIDE (PDF)', 'Download RIDE (PDF)'],
  downloadXml: ['Descargar XML', 'Download XML'],
  showXml: ['Ver el XML', 'Show the XML'],
  send: ['Enviar al SRI', 'Send to the SRI'],
  askNow: ['Consultar la autorización ahora', 'Ask for the authorization now'],
  retry: ['Reintentar el envío', 'Try again'],
  rebuild: ['Corregir y reconstruir', 'Correct and rebuild'],
  rebuildHint: [
    'Corrija lo que el SRI señala. El número se conserva; el comprobante se firma otra vez.',
    'Correct what the SRI points at. The number stays; the document is signed again.',
  ],
  redate: ['Ponerle la fecha de hoy', "Give it today's date"],
  resequence: ['Darle un número nuevo', 'Give it a new number'],
  content: ['Contenido (JSON)', 'Content (JSON)'],
  contentWrong: ['El contenido no es JSON válido.', 'The content is not valid JSON.'],
  void: ['Anular', 'Void'],
  voidIntro: [
    'Anule primero en el portal del SRI: aquí solo se registra que ya se hizo. No se puede deshacer.',
    'Void it at the SRI’s portal first: here it is only recorded. It cannot be undone.',
  ],
  voidConfirmed: ['Ya está anulado en el portal del SRI', 'It has been voided at the SRI’s portal'],
  voidAsk: [
    '¿Marcar este comprobante como anulado? No se puede deshacer.',
    'Mark this document as voided? It cannot be undone.',
  ],
  reason: ['Motivo', 'Reason'],
  resendMail: ['Enviar otra vez el correo', 'Send the mail again'],
  sent: ['Puesto en cola.', 'Queued.'],
  done: ['Hecho.', 'Done.'],
  newCreditNoteOn: ['Nota de crédito sobre esta factura', 'Credit note on this invoice'],
  creditable: ['Por acreditar', 'Left to credit'],

  idType: ['Tipo de identificación', 'Kind of id'],
  id: ['Identificación', 'Id'],
  name: ['Nombre', 'Name'],
  address: ['Dirección', 'Address'],
  items: ['Detalle', 'Items'],
  mainCode: ['Código', 'Code'],
  description: ['Descripción', 'Description'],
  quantity: ['Cantidad', 'Quantity'],
  unitPrice: ['Precio unitario', 'Unit price'],
  discount: ['Descuento', 'Discount'],
  iva: ['IVA', 'IVA'],
  lineTotal: ['Subtotal', 'Subtotal'],
  addItem: ['Añadir línea', 'Add a line'],
  removeItem: ['Quitar la línea {n}', 'Remove line {n}'],
  subtotal: ['Subtotal sin impuestos', 'Subtotal before tax'],
  ivaTotal: ['IVA {rate} % sobre {base}', 'IVA {rate} % on {base}'],
  grandTotal: ['Total', 'Total'],
  paymentMethod: ['Forma de pago', 'Means of payment'],
  originalNumber: ['Número de la factura', "Invoice's number"],
  originalNumberHint: ['Como 001-001-000000001.', 'Such as 001-001-000000001.'],
  originalDate: ['Fecha de la factura', "Invoice's date"],
  motive: ['Motivo de la nota', 'Reason of the note'],
  createAndSend: ['Emitir y enviar al SRI', 'Issue and send to the SRI'],
  incomplete: ['Complete cantidad y precio de cada línea.', 'Complete quantity and price of each line.'],
  warnings: ['Advertencias', 'Warnings'],
  finalConsumer: ['Consumidor final', 'Final consumer'],

  canIssue: ['Puede emitir', 'May issue'],
  pause: ['Pausar', 'Pause'],
  resume: ['Reanudar', 'Resume'],
  renew: ['Renovar certificado', 'Renew certificate'],
  applyToAll: ['También para los demás emisores de este RUC', 'Also for the other issuers of this RUC'],
  changeLogo: ['Cambiar logotipo', 'Change logo'],
  nextNumbers: ['Próximos números', 'Next numbers'],
  addIssuer: ['Añadir establecimiento o punto', 'Add a branch or point'],
  sourceIssuer: ['Certificado', 'Certificate'],
  sourceInherit: ['El mismo de {issuer}', 'The same as {issuer}'],

  label: ['Nombre de la clave', "Key's name"],
  scopes: ['Permisos', 'Scopes'],
  lastUsed: ['Último uso', 'Last used'],
  requests: ['Solicitudes', 'Requests'],
  newKey: ['Crear clave', 'Make a key'],
  revoke: ['Revocar', 'Revoke'],
  revokeAsk: ['¿Revocar la clave «{label}»? Deja de servir al instante.', 'Revoke the key «{label}»? It ends at once.'],
  keyPlaces: ['{used} de {max} claves del plan', "{used} of the plan's {max} keys"],

  url: ['Dirección (https)', 'Address (https)'],
  eventTypes: ['Eventos', 'Events'],
  everyEvent: ['todos', 'all'],
  newWebhook: ['Añadir webhook', 'Add a webhook'],
  secret: ['Secreto para verificar las firmas.', 'Secret to verify signatures.'],
  deliveries: ['Entregas', 'Deliveries'],
  redeliver: ['Entregar otra vez', 'Deliver again'],
  testWebhook: ['Enviar una prueba', 'Send a test'],
  rotateSecret: ['Cambiar el secreto', 'Rotate the secret'],
  rotateAsk: [
    '¿Cambiar el secreto? El anterior vale todavía un tiempo.',
    'Rotate the secret? The former one still holds for a while.',
  ],
  remove: ['Eliminar', 'Remove'],
  removeAsk: ['¿Eliminar este webhook con sus entregas?', 'Remove this webhook and its deliveries?'],
  attempts: ['Intentos', 'Attempts'],
  lastError: ['Último error', 'Last error'],
  event: ['Evento', 'Event'],

  unread: ['{count} sin leer', '{count} unread'],
  markRead: ['Marcar como leído', 'Mark as read'],
  subject: ['Asunto', 'Subject'],
  recipient: ['Para', 'To'],
  mailsIntro: [
    'Sin servidor de correo configurado, cada correo se escribe aquí en vez de enviarse. Solo se ve en esta misma máquina y fuera de producción.',
    'Without a mail server each mail is written here instead of being sent. Shown on this very machine only, and never in production.',
  ],
  attachments: ['Adjuntos', 'Attachments'],
  'event.CREATED': ['Creado y firmado', 'Created and signed'],
  'event.STATUS_CHANGED': ['Cambió de estado', 'Changed its status'],
  'event.SENT': ['Enviado al SRI', 'Sent to the SRI'],
  'event.ERROR': ['Intento fallido', 'Failed attempt'],
  'event.REBUILT': ['Corregido y firmado otra vez', 'Corrected and signed again'],
  'event.RETRY_REQUESTED': ['Se pidió reintentar', 'A retry was asked for'],
  'event.EMAIL_SENT': ['Correo enviado', 'Mail sent'],
  'event.EMAIL_DELIVERED': ['Correo entregado', 'Mail delivered'],
  'event.EMAIL_FAILED': ['Correo fallido', 'Mail failed'],
  'event.EMAIL_TEMP_FAILED': ['Correo demorado', 'Mail delayed'],
  'event.EMAIL_COMPLAINED': ['Correo marcado como no deseado', 'Mail reported as spam'],
  'mail.PENDING': ['por enviar', 'to be sent'],
  'mail.SENT': ['enviado', 'sent'],
  'mail.DELIVERED': ['entregado', 'delivered'],
  'mail.FAILED': ['no se pudo enviar', 'could not be sent'],
  'mail.COMPLAINED': ['marcado como no deseado', 'reported as spam'],
  'mail.SKIPPED': ['no se envía', 'not sent'],
  'operation.RECEPTION': ['Recepción', 'Reception'],
  'operation.AUTHORIZATION': ['Autorización', 'Authorization'],
  allow: ['Permitir {type}', 'Allow {type}'],
  forbid: ['Quitar {type}', 'Forbid {type}'],
  inFlight: ['En camino: esta página se actualiza sola.', 'On its way: this page updates by itself.'],
  notHere: ['Esa página no existe.', 'There is no such page.'],
};

/** @typedef {keyof typeof TEXTS} TextName */

/** @returns {Language} */
export function language() {
  return chosen;
}

/** @param {Language} wanted */
export function setLanguage(wanted) {
  chosen = wanted;
  document.documentElement.lang = wanted;
  document.title = t('title');
}

/**
 * A text in the language that is shown; a name without a text shows itself, such as a status of a later version.
 *
 * @param {TextName | (string & {})} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const entry = /** @type {Record<string, readonly string[] | undefined>} */ (TEXTS)[name];
  const text = entry ? (entry[chosen === 'es' ? 0 : 1] ?? name) : (name.split('.').at(-1) ?? name);
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}

/** Whether there is a text of that name. @param {string} name */
export function hasText(name) {
  return Object.hasOwn(TEXTS, name);
}

// --- internal ---

/** @type {Language} */
let chosen = navigator.language.startsWith('en') ? 'en' : 'es';
