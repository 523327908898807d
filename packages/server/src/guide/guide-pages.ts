import type { LocalizedText } from 'sri-core';

/** A page of the guide. */
export interface GuidePage {
  /** Its name in addresses: the file name without `.md`. */
  readonly name: string;
  /** Its content, in a line. */
  readonly about: LocalizedText;
}

/** Pages for one stage of a user's work. */
export interface GuideGroup {
  readonly title: LocalizedText;
  readonly pages: readonly GuidePage[];
}

/** Every page in reading order. No other file of the folder is served. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: { es: 'Empezar', en: 'Start' },
    pages: [
      entry('quick-start-server', {
        es: 'De nada a la primera factura autorizada en pruebas, y su RIDE en disco, con curl.',
        en: 'From nothing to the first authorized sandbox invoice, and its RIDE on disk, with curl.',
      }),
      entry('quick-start-library', {
        es: 'El primer XML firmado y la primera factura autorizada, desde su propio programa.',
        en: 'The first signed XML and the first authorized invoice, from a program of your own.',
      }),
      entry('quick-start-cli', {
        es: 'De un archivo de Excel a sus RIDE, sin programar.',
        en: 'From a file of Excel to its RIDEs, without programming.',
      }),
      entry('concepts', {
        es: 'Lo básico de la facturación electrónica del Ecuador que necesita aquí.',
        en: 'The basics of electronic invoicing in Ecuador that you need here.',
      }),
    ],
  },
  {
    title: { es: 'Usar', en: 'Use' },
    pages: [
      entry('server', {
        es: 'Un proceso que registra cuentas, guarda sus certificados y emite por HTTP.',
        en: 'One process that registers accounts, keeps their certificates, and issues documents over HTTP.',
      }),
      entry('lists', {
        es: 'Filtrar, buscar y descargar documentos: CSV, XLSX o ZIP.',
        en: 'Filtering, searching and downloading documents: CSV, XLSX or ZIP.',
      }),
      entry('client', {
        es: 'OpenAPI, la página para probarla y `sri-core/client`.',
        en: 'OpenAPI, the page to try it, and `sri-core/client`.',
      }),
      entry('recipes', {
        es: 'Consumidor final, descuentos, notas de crédito, correcciones, establecimientos, renovación, el mes para la contadora.',
        en: 'Unnamed consumers, discounts, credit notes, corrections, branches, renewal, the month for the accountant.',
      }),
      entry('invoice', {
        es: 'El tipo 01 y sus variantes: exportación, reembolso, combustibles y subsidio, terceros, transporte, negociable.',
        en: 'Type 01 and its variants: exports, reimbursements, fuel and subsidies, third parties, transport, negotiable ones.',
      }),
      entry('purchase-settlement', {
        es: 'El tipo 03, que emite quien compra, y los reembolsos: el cuerpo, las trampas, lo que responde el SRI.',
        en: 'Type 03, which the buyer issues for the seller, and reimbursements: the body, the traps, what the SRI answers.',
      }),
      entry('credit-note', {
        es: 'El tipo 04, que deshace una factura: quién la emite, el cuerpo, las trampas, lo que responde el SRI.',
        en: 'Type 04, which takes back an invoice: who issues it, the body, the traps, what the SRI answers.',
      }),
      entry('debit-note', {
        es: 'El tipo 05, que sube el valor de una factura: quién la emite, el cuerpo, las trampas, lo que responde el SRI.',
        en: 'Type 05, which raises the value of an invoice: who issues it, the body, the traps, what the SRI answers.',
      }),
      entry('delivery-guide', {
        es: 'El tipo 06, que acompaña a la mercadería: quién la emite, el cuerpo, las trampas, lo que responde el SRI.',
        en: 'Type 06, which goes with goods on the road: who issues it, the body, the traps, what the SRI answers.',
      }),
      entry('withholding', {
        es: 'El 07: quién lo emite, su cuerpo, los códigos que se confunden, la versión 1.0.0, lo que responde el SRI.',
        en: 'Type 07: who issues it, its body, the codes that are mistaken, version 1.0.0, what the SRI answers.',
      }),
      entry('received', {
        es: 'Del TXT del portal a cada XML, RIDE y una tabla; si un comprobante vale; el borrador de una retención.',
        en: "From the portal's TXT to every XML, RIDE and a table; whether a document is valid; the draft of a withholding.",
      }),
      entry('my-month', {
        es: 'Del TXT del portal a las retenciones y a dos tablas para los formularios.',
        en: "From the portal's TXT to the withholdings and two tables for the tax forms.",
      }),
      entry('console', { es: 'La página del servidor para personas.', en: 'The page of the server for people.' }),
      entry('cli', {
        es: 'Los programas `sri-core` y `sri-server`: init, serve, doctor, verify, batch y los comandos del operador.',
        en: '`sri-core` and `sri-server` at the command line: init, serve, doctor, verify, batch and the operator’s commands.',
      }),
      entry('library', {
        es: 'Solo firmar, o el motor que numera, guarda, envía e imprime; sus puertos; probar con el simulador.',
        en: 'Signing alone, or the engine that numbers, stores, sends and prints; its ports; testing with the simulator.',
      }),
      entry('webhooks', {
        es: 'Eventos, entregas, y cómo verificarlas en cinco lenguajes.',
        en: 'Events, deliveries, and how to verify them in five languages.',
      }),
      entry('billing', {
        es: 'Planes que se pagan por transferencia: inicio, comprobante, verificación, renovación, cambios, devoluciones.',
        en: 'Plans paid by bank transfer: start, proof, verification, renewal, changes, refunds.',
      }),
      entry('migration', {
        es: 'Desde open-factura, ec-sri-invoice-signer, comprobify y Dátil.',
        en: 'From open-factura, ec-sri-invoice-signer, comprobify and Dátil.',
      }),
    ],
  },
  {
    title: { es: 'Operar', en: 'Operate' },
    pages: [
      entry('operations', {
        es: 'systemd, contenedores, proxies, SQLite o PostgreSQL, versiones nuevas.',
        en: 'systemd, containers, proxies, SQLite or PostgreSQL, upgrades.',
      }),
      entry('configuration', {
        es: 'Cada variable del entorno, y lo que vale si falta.',
        en: 'Every variable of the environment, and what holds without it.',
      }),
      entry('going-live', {
        es: 'De la primera prueba a la primera factura que vale.',
        en: 'From the first test to the first invoice that counts.',
      }),
      entry('monitoring', {
        es: 'Métricas, registros, disponibilidad, alertas, detenerlo.',
        en: 'Metrics, logs, readiness, alerts, stopping.',
      }),
      entry('operator', {
        es: 'Quien opera el servidor cuida cuentas, pagos, precios y aquello de lo que se desistió.',
        en: 'How the operator looks after accounts, payments, prices and failed work.',
      }),
      entry('reliability', {
        es: 'Lo que este servidor promete cuando algo sale mal, y qué muestra que lo cumple.',
        en: 'What this server promises when things go wrong, and what shows that it keeps the promise.',
      }),
      entry('how-we-test', {
        es: 'Qué clases de pruebas hay, qué encuentra cada una y cómo repetirla.',
        en: 'Which kinds of tests there are, what each one finds, and how to repeat it.',
      }),
      entry('security', {
        es: 'Qué se protege de quién, y la prueba que lo muestra.',
        en: 'What is protected from whom, and the test that shows it.',
      }),
      entry('scaling', {
        es: 'Lo que hace un proceso, qué se acaba primero, y cómo llevaría el mismo servidor a un país entero.',
        en: 'What one process does, what runs out first, and how the same server would carry a whole country.',
      }),
    ],
  },
  {
    title: { es: 'Consultar', en: 'Look up' },
    pages: [
      entry('faq', {
        es: '«FIRMA INVÁLIDA», códigos 43, 45, 65 y 70, certificados, respuestas perdidas.',
        en: '«FIRMA INVÁLIDA», codes 43, 45, 65 and 70, certificates, lost answers.',
      }),
      entry('sri-codes', {
        es: 'Cada código de recepción y autorización, qué significa y qué hacer.',
        en: 'Every code of reception and authorization, what it means and what to do.',
      }),
      entry('errors', {
        es: 'Todo lo que lanza `sri-core` es un `SriError` con un `code`.',
        en: 'Everything `sri-core` throws is an `SriError` with a `code`.',
      }),
      entry('states', {
        es: 'Cada objeto que tiene un estado lo cambia según una sola tabla.',
        en: 'Every object that has a status changes it along one table.',
      }),
      entry('glossary', {
        es: 'Las palabras de la interfaz junto a las del XML y los papeles del SRI.',
        en: "The words of the interface next to those of the SRI's XML and papers.",
      }),
      entry('architecture', {
        es: 'Para quien contribuye: las capas del código, el camino de un comprobante y cómo agregar algo.',
        en: 'For contributors: the layers of the code, the way of a document, and how to add something.',
      }),
    ],
  },
];

/** The names of all pages in reading order. */
export const GUIDE_PAGE_NAMES: readonly string[] = GUIDE_GROUPS.flatMap(({ pages }) => pages.map(({ name }) => name));

// --- internal ---

function entry(name: string, about: LocalizedText): GuidePage {
  return { name, about };
}
