import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

/**
 * The behaviour of a test's mail server. After the mail's last line `hang` is silent until `release`, `drip` answers
 * byte by byte without end, and `drop` breaks the connection; `noLogin` refuses every password.
 */
export type SinkMode = 'ok' | '4xx' | '5xx' | 'hang' | 'drip' | 'drop' | 'noRecipient' | 'noLogin';

/** A mail as received. */
export interface SunkMail {
  readonly from: string;
  readonly recipients: readonly string[];
  /** Headers and body, without dot stuffing. */
  readonly content: string;
}

/** A mail server on a loopback port that stores its mails. */
export interface SmtpSink {
  readonly url: string;
  mode: SinkMode;
  /** Other modes for mails to these addresses. */
  readonly modeByRecipient: Map<string, SinkMode>;
  readonly mails: SunkMail[];
  /** Every command line it received, in order. */
  readonly commands: string[];
  /** Connections taken so far. */
  readonly connections: number;
  /** Mails that wait for an answer. */
  readonly waiting: number;
  /** Breaks every connection, but accepts new ones. */
  hangUp(): void;
  /** Accepts the hanging mails, even those whose sender has disconnected. */
  release(): void;
  /** Accepts no connection until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Opens a sink. */
export async function openSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const held: Held[] = [];
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, sink, held);
  });
  // Outside the range of outgoing connections, so that it stays free while the server is down.
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    mode: 'ok',
    modeByRecipient: new Map(),
    mails: [],
    commands: [],
    get connections() {
      return connections;
    },
    get waiting() {
      return held.filter(({ socket }) => !socket.destroyed).length;
    },
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    release() {
      for (const { take } of held.splice(0)) take();
    },
    async down() {
      sink.hangUp();
      server.close();
      await once(server, 'close');
    },
    async up() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
  return sink;
}

// --- internal ---

const DRIP_MS = 20;

interface Held {
  readonly socket: Socket;
  readonly take: () => void;
}

function converse(socket: Socket, sink: SmtpSink, held: Held[]): void {
  let waiting = '';
  let inData = false;
  let from = '';
  let recipients: string[] = [];
  const say = (line: string) => void socket.write(`${line}\r\n`);
  const command = (line: string) => {
    sink.commands.push(line);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO' && sink.mode === 'noLogin') return say('250-sink\r\n250 AUTH PLAIN');
    if (verb === 'AUTH') return say('535 5.7.8 wrong user or password');
    if (verb === 'MAIL') {
      from = line;
      recipients = [];
    }
    if (verb === 'RCPT') {
      if (sink.mode === 'noRecipient') return say('550 5.1.1 no such mailbox');
      recipients.push(line);
    }
    if (verb === 'DATA') {
      inData = true;
      return say('354 go on');
    }
    return say(verb === 'QUIT' ? '221 bye' : '250 fine');
  };
  const finish = (content: string) => {
    const mail = { from, recipients, content: content.replace(/^\.\./gm, '.') };
    const take = () => {
      sink.mails.push(mail);
      say('250 taken');
    };
    const mode = sink.modeByRecipient.get(/<(.*?)>/.exec(recipients[0] ?? '')?.[1] ?? '') ?? sink.mode;
    if (mode === 'hang') return held.push({ socket, take });
    if (mode === 'drip') return drip(socket);
    if (mode === 'drop') return socket.destroy();
    if (mode === '4xx') return say('451 4.3.0 try later');
    if (mode === '5xx') return say('554 5.7.1 refused');
    return take();
  };
  say('220 sink');
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    waiting += chunk;
    for (;;) {
      const end = inData ? waiting.indexOf('\r\n.\r\n') : waiting.indexOf('\r\n');
      if (end < 0) return;
      const part = waiting.slice(0, end);
      waiting = waiting.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        finish(part);
      } else command(part);
    }
  });
}

/** Sends single bytes without end. */
function drip(socket: Socket): void {
  socket.write('250-');
  const timer = setInterval(() => socket.write('.'), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}
