import type { Command } from './command.js';

/** The commands that need no server of this project. */
export const CORE_COMMANDS: readonly Command[] = [
  {
    name: 'verify',
    summary: {
      es: 'Explica si el SRI rechazaría un comprobante y por qué («FIRMA INVÁLIDA» y lo demás)',
      en: 'Tell whether the SRI would refuse a comprobante, and why («FIRMA INVÁLIDA» and the rest)',
    },
    load: async () => (await import('./verify-command.js')).verifyCommand,
  },
  {
    name: 'sign',
    summary: {
      es: 'Firma con un P12 un XML, o el JSON de un comprobante',
      en: 'Sign an XML, or the JSON of a document, with a P12',
    },
    load: async () => (await import('./document-commands.js')).signCommand,
  },
  {
    name: 'ride',
    summary: { es: 'Imprime el RIDE de un XML en PDF', en: 'Print the RIDE of an XML as PDF' },
    load: async () => (await import('./document-commands.js')).rideCommand,
  },
  {
    name: 'key parse',
    summary: { es: 'Lee una clave de acceso', en: 'Read an access key' },
    load: async () => (await import('./key-commands.js')).parseKeyCommand,
  },
  {
    name: 'key build',
    summary: {
      es: 'Arma una clave de acceso con su dígito verificador',
      en: 'Build an access key with its check digit',
    },
    load: async () => (await import('./key-commands.js')).buildKeyCommand,
  },
  {
    name: 'key check',
    summary: {
      es: 'Pregunta al SRI si vale el comprobante de una clave de acceso',
      en: 'Ask the SRI whether the document of an access key is valid',
    },
    load: async () => (await import('./key-commands.js')).checkKeyCommand,
  },
  {
    name: 'received',
    summary: {
      es: 'Trae del SRI los comprobantes recibidos de un TXT del portal',
      en: "Fetch the received documents of the portal's TXT from the SRI",
    },
    load: async () => (await import('./received/received-command.js')).receivedCommand,
  },
  {
    name: 'cert inspect',
    summary: {
      es: 'Muestra qué hay en un P12 y si sirve para firmar',
      en: 'Show what a P12 holds and whether it can sign',
    },
    load: async () => (await import('./certificate-commands.js')).inspectCertificateCommand,
  },
  {
    name: 'cert make-test',
    summary: { es: 'Hace un P12 de prueba', en: 'Make a P12 for tests' },
    load: async () => (await import('./certificate-commands.js')).makeTestCertificateCommand,
  },
  {
    name: 'simulate',
    summary: { es: 'Pone en marcha un SRI simulado', en: 'Run a simulated SRI' },
    load: async () => (await import('./simulate-command.js')).simulateCommand,
  },
];
