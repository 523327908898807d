import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWebhookSecret, signWebhook } from 'sri-core/webhooks';
import { afterAll, describe, expect, it } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/webhooks/', import.meta.url));
const HOOKS = fileURLToPath(new URL('../testing/typescript-hooks.ts', import.meta.url));
const SECRET = createWebhookSecret();
const BODY = JSON.stringify({
  event: 'TEST',
  deliveryId: 'd-1',
  timestamp: 1,
  tenantId: 't-1',
  data: { message: 'Peñaloza & Cía. 🧾' },
});

const folder = mkdtempSync(join(tmpdir(), 'sri-receivers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program around an example that prints `ok`, or what it refused: reads body, timestamp, signature and secret. */
const PROGRAMS = {
  python3: {
    file: 'receiver.py',
    ending: `
import sys
body, headers, secret = open("body", "rb").read(), json.load(open("headers.json")), sys.argv[1]
try:
    print("ok" if verify_webhook(body, headers, secret)["event"] == "TEST" else "other")
except ValueError as error:
    print(error)
`,
    run: (path: string) => ['python3', path],
  },
  php: {
    file: 'receiver.php',
    ending: `
try {
    $event = verify_webhook(file_get_contents('body'), json_decode(file_get_contents('headers.json'), true), $argv[1]);
    echo $event['event'] === 'TEST' ? 'ok' : 'other';
} catch (Exception $error) {
    echo $error->getMessage();
}
`,
    run: (path: string) => ['php', path],
  },
  go: {
    file: 'receiver.go',
    beginning: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

`,
    ending: `
func main() {
	body, _ := os.ReadFile("body")
	text, _ := os.ReadFile("headers.json")
	given := map[string]string{}
	json.Unmarshal(text, &given)
	headers := http.Header{}
	for name, value := range given {
		headers.Set(name, value)
	}
	if err := VerifyWebhook(body, headers, os.Args[1]); err != nil {
		fmt.Print(err)
		return
	}
	fmt.Print("ok")
}
`,
    run: (path: string) => ['go', 'run', path],
  },
} as const;

describe.each(Object.entries(PROGRAMS))('the receiver in %s', (tool, program) => {
  it.skipIf(!has(tool))('takes what is genuine and refuses the rest', { timeout: 180_000 }, () => {
    const path = join(folder, program.file);
    const beginning = 'beginning' in program ? program.beginning : '';
    writeFileSync(path, beginning + readFileSync(join(EXAMPLES, program.file), 'utf8') + program.ending);
    const [command = '', ...parameters] = program.run(path);
    const say = (body: string, headers: object, secret = SECRET) => {
      writeFileSync(join(folder, 'body'), body);
      writeFileSync(join(folder, 'headers.json'), JSON.stringify(headers));
      return execFileSync(command, [...parameters, secret], { cwd: folder, encoding: 'utf8' }).trim();
    };
    expect(say(BODY, signed(new Date()))).toBe('ok');
    expect(say(`${BODY} `, signed(new Date()))).toBe('signature');
    expect(say(BODY, signed(new Date()), createWebhookSecret())).toBe('signature');
    expect(say(BODY, signed(new Date(Date.now() - 301_000)))).toBe('age');
  });
});

describe('the receiver in Node', () => {
  it('takes what is genuine and refuses the rest', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, ['--import', HOOKS, join(EXAMPLES, 'receiver.mjs')], {
      env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port), NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const post = (headers: Readonly<Record<string, string>>, body = BODY) =>
        fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(({ status }) => status);
      await expect.poll(() => post({}).catch(() => 0), { timeout: 20_000 }).toBe(400);
      expect(await post(signed(new Date()))).toBe(204);
      expect(await post(signed(new Date()), `${BODY} `)).toBe(400);
      expect(await post(signed(new Date(Date.now() - 301_000)))).toBe(400);
    } finally {
      const gone = child.exitCode === null ? once(child, 'exit') : null;
      child.kill();
      await gone;
    }
  });
});

function signed(sentAt: Date): Readonly<Record<string, string>> {
  return signWebhook({ rawBody: BODY, deliveryId: 'd-1', sentAt, secret: SECRET });
}

function has(tool: string): boolean {
  try {
    execFileSync(tool, [tool === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
