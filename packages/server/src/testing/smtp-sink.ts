import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** How a test's mail server behaves. `hang` says nothing after the mail's last line. */
export type SinkMode = 'ok' | '4xx' | '5xx' | 'hang' | 'noRecipient';

/** A mail as it came over the wire. */
export interface SunkMail {
  readonly from: string;
  readonly recipients: readonly string[];
  /** Headers and body, dots undone. */
  readonly content: string;
}

/** A mail server on a loopback port that keeps what it gets. */
export interface SmtpSink {
  readonly url: string;
  mode: SinkMode;
  readonly mails: SunkMail[];
  /** Takes no connection any more, until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Opens a sink. */
export async function openSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const sink: SmtpSink = {
    url: '',
    mode: 'ok',
    mails: [],
    async down() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
    async up() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, sink);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(sink, { url: `smtp://127.0.0.1:${port}` });
}

// --- internal ---

function converse(socket: Socket, sink: SmtpSink): void {
  let waiting = '';
  let inData = false;
  let from = '';
  let recipients: string[] = [];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
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
    if (sink.mode === 'hang') return;
    if (sink.mode === '4xx') return say('451 4.3.0 try later');
    if (sink.mode === '5xx') return say('554 5.7.1 refused');
    sink.mails.push({ from, recipients, content: content.replace(/^\.\./gm, '.') });
    return say('250 taken');
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
