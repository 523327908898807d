import { type Command, commandsIn } from './command.js';

/** The commands that need no server of this project. */
export const CORE_COMMANDS: readonly Command[] = [
  ...commandsIn(() => import('./verify-command.js'), {
    verifyCommand: {
      name: 'verify',
      es: 'Explica si el SRI rechazaría un comprobante y por qué («FIRMA INVÁLIDA» y lo demás)',
      en: 'Tell whether the SRI would refuse a comprobante, and why («FIRMA INVÁLIDA» and the rest)',
    },
  }),
  ...commandsIn(() => import('./document-commands.js'), {
    signCommand: {
      name: 'sign',
      es: 'Firma con un P12 un XML, o el JSON de un comprobante',
      en: 'Sign an XML, or the JSON of a document, with a P12',
    },
    rideCommand: { name: 'ride', es: 'Imprime el RIDE de un XML en PDF', en: 'Print the RIDE of an XML as PDF' },
  }),
  ...commandsIn(() => import('./key-commands.js'), {
    parseKeyCommand: { name: 'key parse', es: 'Lee una clave de acceso', en: 'Read an access key' },
    buildKeyCommand: {
      name: 'key build',
      es: 'Arma una clave de acceso con su dígito verificador',
      en: 'Build an access key with its check digit',
    },
    checkKeyCommand: {
      name: 'key check',
      es: 'Pregunta al SRI si vale el comprobante de una clave de acceso',
      en: 'Ask the SRI whether the document of an access key is valid',
    },
  }),
  ...commandsIn(() => import('./received/received-command.js'), {
    receivedCommand: {
      name: 'received',
      es: 'Trae del SRI los comprobantes recibidos de un TXT del portal',
      en: "Fetch the received documents of the portal's TXT from the SRI",
    },
  }),
  ...commandsIn(() => import('./received/draft-command.js'), {
    withholdingDraftCommand: {
      name: 'withholding draft',
      es: 'Arma el JSON de una retención sobre un comprobante recibido',
      en: 'Draft the JSON of a withholding on a received document',
    },
  }),
  ...commandsIn(() => import('./certificate-commands.js'), {
    inspectCertificateCommand: {
      name: 'cert inspect',
      es: 'Muestra qué hay en un P12 y si sirve para firmar',
      en: 'Show what a P12 holds and whether it can sign',
    },
    makeTestCertificateCommand: { name: 'cert make-test', es: 'Hace un P12 de prueba', en: 'Make a P12 for tests' },
  }),
  ...commandsIn(() => import('./simulate-command.js'), {
    simulateCommand: { name: 'simulate', es: 'Pone en marcha un SRI simulado', en: 'Run a simulated SRI' },
  }),
];
