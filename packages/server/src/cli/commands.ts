import { CORE_COMMANDS, type Command, commandsIn } from 'sri-core/cli';
import { ADMIN_COMMANDS, DATABASE_COMMANDS } from './admin-commands.js';
import { CLIENT_COMMANDS } from './client-commands.js';
import type { ServerContext } from './frame/operator-access.js';

const START_COMMANDS: readonly Command<ServerContext>[] = [
  ...commandsIn(() => import('./init/init-command.js'), {
    initCommand: {
      name: 'init',
      es: 'Prepara una carpeta para empezar: configuración, certificado de prueba, cuenta y clave de API',
      en: 'Prepare a folder to begin with: settings, test certificate, account and API key',
    },
  }),
  ...commandsIn(() => import('./serve-command.js'), {
    serveCommand: {
      name: 'serve',
      es: 'Pone en marcha el servidor hasta que se lo detenga; es el comando por defecto',
      en: 'Run the server until it is stopped; also the default command',
    },
  }),
  ...commandsIn(() => import('./promote/promote-command.js'), {
    promoteCommand: {
      name: 'promote',
      es: 'Pasa su empresa a producción: revisa, pregunta, y pone la clave nueva en .env',
      en: 'Move your company to production: checks, asks, and puts the new key into .env',
    },
  }),
  ...commandsIn(() => import('./doctor/doctor-command.js'), {
    doctorCommand: {
      name: 'doctor',
      es: 'Revisa todo lo que hace falta para emitir, y dice qué ejecutar para arreglarlo',
      en: 'Check everything that issuing needs, and say what to run to fix it',
    },
  }),
];

const SIMULATE: readonly Command<ServerContext>[] = commandsIn(
  async () => ({ simulate: await (await import('./fill/simulate-command.js')).loadSimulateCommand() }),
  {
    simulate: {
      name: 'simulate',
      es: 'Pone en marcha un SRI simulado, o llena una cuenta de pruebas con un mes de comprobantes',
      en: 'Run a simulated SRI, or fill a sandbox account with a month of documents',
    },
  },
);

/** Everything the command line does. */
export const COMMANDS: readonly Command<ServerContext>[] = [
  ...START_COMMANDS,
  ...CLIENT_COMMANDS,
  ...CORE_COMMANDS.flatMap((command) => (command.name === 'simulate' ? SIMULATE : [command])),
  ...DATABASE_COMMANDS,
  ...ADMIN_COMMANDS,
  ...commandsIn(() => import('./openapi-command.js'), {
    openapiCommand: {
      name: 'openapi',
      es: 'Escribe la descripción OpenAPI de la interfaz HTTP',
      en: 'Write the OpenAPI description of the HTTP interface',
    },
  }),
];
