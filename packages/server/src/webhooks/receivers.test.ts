import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWebhookSecret, signWebhook } from 'sri-core/webhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../testing/free-port.js';
import { hasProgram } from '../testing/nginx.js';

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

/** A program around an example that prints `ok`, or its refusal. Input: body, timestamp, signature and secret. */
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
  mcs: {
    file: 'receiver.cs',
    beginning: `using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

// The parts of .NET that Mono, which compiles and runs the example here, lacks.
namespace Program
{
    interface IHeaderDictionary { string this[string name] { get; } }
    class Headers : Dictionary<string, string>, IHeaderDictionary
    {
        string IHeaderDictionary.this[string name] => TryGetValue(name, out var value) ? value : "";
    }
    class JsonDocument { public static JsonDocument Parse(byte[] text) => new JsonDocument(); }
    static class Convert
    {
        public static string ToHexString(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "");
    }
    static class HMACSHA256
    {
        public static byte[] HashData(byte[] key, byte[] data) =>
            new System.Security.Cryptography.HMACSHA256(key).ComputeHash(data);
    }
    static class CryptographicOperations
    {
        public static bool FixedTimeEquals(byte[] one, byte[] other) => one.SequenceEqual(other);
    }
    static class Receiver
    {
`,
    ending: `
        static void Main(string[] words)
        {
            var headers = new Headers();
            foreach (var line in File.ReadAllLines("headers.txt")) headers[line.Split('\\t')[0]] = line.Split('\\t')[1];
            try
            {
                VerifyWebhook(File.ReadAllBytes("body"), headers, words[0]);
                Console.Write("ok");
            }
            catch (InvalidOperationException error)
            {
                Console.Write(error.Message);
            }
        }
    }
}
`,
    build: (path: string) => ['mcs', '-out:receiver.exe', path],
    run: () => ['mono', 'receiver.exe'],
  },
} as const;

describe.each(Object.entries(PROGRAMS))('the receiver in %s', (tool, program) => {
  it.skipIf(!hasProgram(tool, tool === 'go' ? 'version' : '--version'))(
    'the example receiver accepts genuine messages and rejects all others',
    { timeout: 180_000 },
    () => {
      const path = join(folder, program.file);
      const beginning = 'beginning' in program ? program.beginning : '';
      writeFileSync(path, beginning + readFileSync(join(EXAMPLES, program.file), 'utf8') + program.ending);
      const [command = '', ...parameters] = program.run(path);
      if ('build' in program) {
        const [compiler = '', ...words] = program.build(path);
        execFileSync(compiler, words, { cwd: folder });
      }
      const say = (body: string, headers: Readonly<Record<string, string>>, secret = SECRET) => {
        writeFileSync(join(folder, 'body'), body);
        writeFileSync(join(folder, 'headers.json'), JSON.stringify(headers));
        const lines = Object.entries(headers).map(([name, value]) => `${canonical(name)}\t${value}\n`);
        writeFileSync(join(folder, 'headers.txt'), lines.join(''));
        return execFileSync(command, [...parameters, secret], { cwd: folder, encoding: 'utf8' }).trim();
      };
      expect(say(BODY, signed(new Date()))).toBe('ok');
      expect(say(`${BODY} `, signed(new Date()))).toBe('signature');
      expect(say(BODY, signed(new Date()), createWebhookSecret())).toBe('signature');
      expect(say(BODY, signed(new Date(Date.now() - 301_000)))).toBe('age');
      expect(say(BODY, {})).toBe('signature');
      expect(say(BODY, { ...signed(new Date()), 'x-service-signature': 'sha256=ñ' })).toBe('signature');
    },
  );
});

describe('the receiver in Node', () => {
  it('the example receiver in Node accepts genuine messages and rejects all others', async () => {
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

/** Like ASP.NET, which finds headers case-insensitively. */
function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
