import { CORE_COMMANDS, type Command } from 'sri-core/cli';
import { ADMIN_COMMANDS, DATABASE_COMMANDS } from './admin-commands.js';
import { CLIENT_COMMANDS } from './client-commands.js';
import type { ServerPlace } from './frame/command.js';

const START_COMMANDS: readonly Command<ServerPlace>[] = [
  {
    name: 'init',
    summary: {
      es: 'Prepara una carpeta para empezar: configuración, certificado de prueba, cuenta y clave de API',
      en: 'Prepare a folder to begin with: settings, test certificate, account and API key',
    },
    load: async () => (await import('./init/init-command.js')).initCommand,
  },
  {
    name: 'serve',
    summary: {
      es: 'Pone en marcha el servidor hasta que se lo detenga; es el comando por defecto',
      en: 'Run the server until it is stopped; also the default command',
    },
    load: async () => (await import('./serve-command.js')).serveCommand,
  },
  {
    name: 'promote',
    summary: {
      es: 'Pasa su empresa a producción: revisa, pregunta, y pone la clave nueva en .env',
      en: 'Move your company to production: checks, asks, and puts the new key into .env',
    },
    load: async () => (await import('./promote/promote-command.js')).promoteCommand,
  },
  {
    name: 'doctor',
    summary: {
      es: 'Revisa todo lo que hace falta para emitir, y dice qué ejecutar para arreglarlo',
      en: 'Check everything that issuing needs, and say what to run to fix it',
    },
    load: async () => (await import('./doctor/doctor-command.js')).doctorCommand,
  },
];

const DESCRIPTION_COMMANDS: readonly Command<ServerPlace>[] = [
  {
    name: 'openapi',
    summary: {
      es: 'Escribe la descripción OpenAPI de la interfaz HTTP',
      en: 'Write the OpenAPI description of the HTTP interface',
    },
    load: async () => (await import('./openapi-command.js')).openapiCommand,
  },
];

const SIMULATE: Command<ServerPlace> = {
  name: 'simulate',
  summary: {
    es: 'Pone en marcha un SRI simulado, o llena una cuenta de pruebas con un mes de comprobantes',
    en: 'Run a simulated SRI, or fill a sandbox account with a month of documents',
  },
  load: async () => (await import('./fill/simulate-command.js')).loadSimulateCommand(),
};

/** Everything the command line does. */
export const COMMANDS: readonly Command<ServerPlace>[] = [
  ...START_COMMANDS,
  ...CLIENT_COMMANDS,
  ...CORE_COMMANDS.map((command) => (command.name === 'simulate' ? SIMULATE : command)),
  ...DATABASE_COMMANDS,
  ...ADMIN_COMMANDS,
  ...DESCRIPTION_COMMANDS,
];
