import { execFile } from 'node:child_process';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchServer, startBatchServer } from '../../testing/batch-server.js';
import { bundledProgram } from '../../testing/bundled-sources.js';
import { runCli, startCliProcess } from '../../testing/run-cli.js';
import { SIMPLE_INVOICE } from '../../testing/test-tenant.js';

const HEAD = 'identificacion;nombre;correo;descripcion;cantidad;precio_unitario;iva';
const row = (text: string) => `1710034065;Ana ${text};ana@example.com;Pan ${text};2;1,50;15`;

let server: BatchServer;
let folder: string;
let settings: BatchServer['settings'];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  server = await startBatchServer();
  ({ folder, settings } = server);
});
afterAll(() => server.close());

interface Summary {
  readonly ok: boolean;
  readonly code?: string;
  readonly authorized: number;
  readonly pending: number;
  readonly wrong: number;
  readonly earlier: number;
  readonly issued: readonly {
    readonly sequential: string;
    readonly accessKey: string;
    readonly lines: readonly number[];
  }[];
}

async function issue(file: string, ...options: readonly string[]) {
  const answer = await runCli(settings, 'batch', 'issue', at(file), '--json', ...options);
  expect(answer.out + answer.errors).not.toContain(settings['SRI_API_KEY']);
  const { code: failure, ...summary } = answer.json<Summary>();
  return { ...summary, failure, code: answer.code };
}

/** The documents on the server. */
async function documents(): Promise<readonly { readonly sequential: string; readonly status: string }[]> {
  const headers = {
    authorization: `Bearer ${settings['SRI_API_KEY']}`,
    'x-issuer-id': settings['SRI_ISSUER_ID'] ?? '',
  };
  const response = await fetch(`${server.url}/v1/documents?limit=100`, { headers });
  return ((await response.json()) as { data: { sequential: string; status: string }[] }).data;
}

describe('batch issue', () => {
  it('issues in the order of the file, saves the RIDEs and never issues a row twice', async () => {
    await writeFile(at('orden.csv'), `\uFEFF${[HEAD, row('A'), row('B'), row('B')].join('\r\n')}\r\n`);
    const first = await issue('orden.csv', '--ride', at('rides'), '--xml', at('xml'));
    expect(first).toMatchObject({ code: 0, ok: true, authorized: 3, earlier: 0 });
    const byLine = first.issued.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    expect(byLine.map(({ sequential }) => Number(sequential))).toEqual([1, 2, 3]);
    expect((await readdir(at('rides'))).toSorted()).toEqual(
      first.issued.map(({ accessKey }) => `${accessKey}.pdf`).toSorted(),
    );
    expect(await readdir(at('xml'))).toHaveLength(3);

    expect(await issue('orden.csv')).toMatchObject({ code: 1, failure: 'BATCH_BEGUN' });
    const begun = await runCli(settings, 'batch', 'issue', at('orden.csv'), '--lang', 'es');
    const folders = `--ride ${at('rides')} --xml ${at('xml')}`;
    expect(begun.errors).toContain(`  Para seguir: sri-server batch issue ${at('orden.csv')} ${folders} --resume`);
    const key = { ...settings, SRI_API_KEY: `sri_test_${'0'.repeat(64)}` };
    const stopped = await runCli(key, 'batch', 'issue', at('orden.csv'), '--resume', '--lang', 'es');
    expect(stopped.errors).toContain('El lote quedó en 3 de 3.');
    expect(await issue('orden.csv', '--resume')).toMatchObject({ code: 0, authorized: 3, earlier: 3 });
    // Without its journal and under another name: the same bytes are the same batch.
    await rm(at('orden.csv.sandbox.journal'));
    expect(await issue('orden.csv')).toMatchObject({ code: 0, authorized: 3, earlier: 3 });
    await writeFile(at('orden (1).csv'), await readFile(at('orden.csv')));
    expect(await issue('orden (1).csv')).toMatchObject({ code: 0, authorized: 3, earlier: 3 });
    const { SRI_ISSUER_ID: _, ...unnamed } = settings;
    expect((await runCli(unnamed, 'batch', 'issue', at('orden.csv'), '--resume')).errors).toContain('SRI_ISSUER_ID');
    expect(await documents()).toHaveLength(3);
    expect(await issue('orden.csv', '--batch', 'febrero')).toMatchObject({ code: 0, authorized: 3, earlier: 0 });
    expect(await documents()).toHaveLength(6);
  });

  it('issues the valid rows, returns the others, and issues only the returned rows after the correction', async () => {
    const before = (await documents()).length;
    const bad = row('D').replace('1,50', 'x');
    await writeFile(at('errores.csv'), [HEAD, row('C'), bad, row('E').replace('ana@', '')].join('\n'));
    expect(await issue('errores.csv')).toMatchObject({ code: 1, ok: false, authorized: 1, wrong: 2 });
    expect(await readFile(at('errores.errors.csv'), 'utf8')).toContain(bad);
    await writeFile(at('errores.csv'), [HEAD, row('nueva'), row('E'), row('D'), row('C')].join('\n'));
    expect(await issue('errores.csv', '--resume')).toMatchObject({ code: 0, authorized: 4, earlier: 1, wrong: 0 });
    expect(await readdir(folder)).not.toContain('errores.errors.csv');
    expect(await documents()).toHaveLength(before + 4);
    // A row that was issued and then edited is not issued again.
    await writeFile(at('errores.csv'), [HEAD, row('nueva'), row('E'), row('D'), row('cambiada')].join('\n'));
    expect(await issue('errores.csv', '--resume')).toMatchObject({ code: 1, failure: 'ISSUED_ROWS_CHANGED' });
    // It may be left out on purpose.
    await writeFile(at('errores.csv'), [HEAD, row('nueva'), row('E'), row('D')].join('\n'));
    const left = await issue('errores.csv', '--resume', '--allow-changed-rows');
    expect(left).toMatchObject({ code: 0, authorized: 3, earlier: 3 });
    expect(await documents()).toHaveLength(before + 4);
  });

  it('issues a line of JSON once that is mended in its file of errors, known by its reference', async () => {
    const before = (await documents()).length;
    const { items } = SIMPLE_INVOICE;
    const line = (reference: string, given: unknown) => JSON.stringify({ ...SIMPLE_INVOICE, reference, items: given });
    await writeFile(at('lineas.jsonl'), [line('L1', items), line('L2', [])].join('\n'));
    expect(await issue('lineas.jsonl')).toMatchObject({ code: 1, authorized: 1, wrong: 1 });
    await writeFile(at('lineas.errors.jsonl'), line('L2', items));
    expect(await issue('lineas.errors.jsonl')).toMatchObject({ code: 0, authorized: 1, earlier: 0 });
    await writeFile(at('lineas.jsonl'), [line('L1', items), line('L2', items)].join('\n'));
    expect((await issue('lineas.jsonl', '--resume')).failure).toBe('ISSUED_ROWS_CHANGED');
    expect(await documents()).toHaveLength(before + 2);
  });

  it('names a row by its reference and its lines, before and after issuing', async () => {
    const bad = row('mal').replace('1,50', 'x');
    await writeFile(at('nombres.csv'), [`referencia;${HEAD}`, `N1;${row('a')}`, `N2;${bad}`, `N2;${bad}`].join('\n'));
    const check = await runCli(settings, 'batch', 'issue', at('nombres.csv'), '--check', '--lang', 'en');
    expect(check.out).toMatch(/^N2 \(lines 3, 4\): precio_unitario/m);
    const done = await runCli(settings, 'batch', 'issue', at('nombres.csv'), '--lang', 'en');
    expect(done.errors).toMatch(/N1 \(line 2\): AUTHORIZED/);
    expect(done.out).toMatch(/^N2 \(lines 3, 4\): precio_unitario/m);
  });

  it('prints no control characters of a file', async () => {
    const hostile = '\u001b[2J\u0007x';
    await writeFile(at('mandos.csv'), `referencia;${HEAD}\nN1${hostile};${row('a').replace('1,50', hostile)}\n`);
    for (const option of ['--check', '--resume']) {
      const { out, errors } = await runCli(settings, 'batch', 'issue', at('mandos.csv'), option, '--lang', 'en');
      expect(out).toContain('N1 [2J x (line 2): precio_unitario: « [2J x» is not a number.');
      expect(out + errors).not.toMatch(/[\u0007\u001b]/);
    }
  });

  it('rejects a row that was edited after it was issued, with and without a reference', async () => {
    const head = `referencia;${HEAD}`;
    await writeFile(at('editada.csv'), [head, `E1;${row('uno')}`, `E2;${row('dos')}`].join('\n'));
    expect(await issue('editada.csv')).toMatchObject({ code: 0, authorized: 2 });
    const before = (await documents()).length;
    await writeFile(
      at('editada.csv'),
      [head, `E1;${row('uno').replace('1,50', '9,50')}`, `E2;${row('dos')}`].join('\n'),
    );
    for (const more of [[], ['--allow-changed-rows']]) {
      const answer = await runCli(settings, 'batch', 'issue', at('editada.csv'), '--resume', '--lang', 'es', ...more);
      expect([answer.code, answer.out]).toEqual([1, '']);
      expect(answer.errors).toContain('ISSUED_ROWS_CHANGED');
      expect(answer.errors).toMatch(/E1 \(líneas 2\)/);
    }
    await writeFile(at('editada.csv'), [head, `E2;${row('dos')}`, `E1;${row('uno')}`].join('\n'));
    expect(await issue('editada.csv', '--resume')).toMatchObject({ code: 0, authorized: 2, earlier: 2 });
    expect(await documents()).toHaveLength(before);
  });

  it('shows warnings row by row, before and after issuing', async () => {
    const digit = row('W').replace('1710034065', '1710034066');
    const free = row('Z').replace(';2;', ';0;');
    await writeFile(at('avisos.csv'), [HEAD, digit, row('bien'), free].join('\n'));
    const check = await runCli(settings, 'batch', 'issue', at('avisos.csv'), '--check', '--lang', 'es');
    expect(check.code).toBe(0);
    expect(check.out).toMatch(/con avisos +2/);
    expect(check.out).toMatch(/^línea 2: ! identificacion \(buyer\.id\): El dígito verificador/m);
    expect(check.out).toContain('línea 4: ! El total es 0.00.');
    const done = await runCli(settings, 'batch', 'issue', at('avisos.csv'), '--lang', 'es');
    expect(done.code, done.errors).toBe(0);
    expect(done.out).toMatch(/con avisos +2/);
    expect(done.out).toMatch(/^línea 2: ! identificacion/m);
    expect(done.errors).toMatch(/línea 4: AUTHORIZED \d{49} \$0\.00 — ! El total es 0\.00\./);
    const again = await runCli(settings, 'batch', 'issue', at('avisos.csv'), '--resume', '--json');
    expect(again.json()).toMatchObject({ warned: 2, warnings: [{ lines: [2] }, { lines: [4] }] });
  });

  it('a row that is corrected in its file of errors is issued once, also from its own file', async () => {
    const before = (await documents()).length;
    const bad = row('Q').replace('1,50', 'x');
    await writeFile(at('dos.csv'), [HEAD, row('P'), bad].join('\n'));
    const first = await runCli(settings, 'batch', 'issue', at('dos.csv'), '--ride', at('rides'), '--lang', 'es');
    const [own, errors] = [at('dos.csv'), at('dos.errors.csv')];
    expect(first.errors).toContain(`en ${own}, y luego: sri-server batch issue ${own} --ride ${at('rides')} --resume`);
    expect(first.errors).toContain(`en ${errors}, y luego: sri-server batch issue ${errors} --ride ${at('rides')}\n`);
    const mended = (await readFile(errors, 'utf8')).replace(';x;', ';1,50;');
    await writeFile(errors, mended);
    expect(await issue('dos.errors.csv')).toMatchObject({ code: 0, authorized: 1 });
    // The row is not requested again …
    expect(await issue('dos.csv', '--resume')).toMatchObject({ code: 0, authorized: 2, earlier: 2, wrong: 0 });
    // … and is not issued again after a correction in both files.
    await writeFile(own, [HEAD, row('P'), row('Q')].join('\n'));
    const both = await runCli(settings, 'batch', 'issue', own, '--resume', '--lang', 'es');
    expect([both.code, both.errors]).toEqual([1, expect.stringContaining('corregidas desde dos.errors.csv')]);
    expect(await documents()).toHaveLength(before + 2);
  });

  it('a row that is corrected in its own file is rejected from its file of errors', async () => {
    const bad = row('R').replace('1,50', 'x');
    await writeFile(at('tres.csv'), [HEAD, bad, row('S').replace(';15', ';14,5')].join('\n'));
    expect(await issue('tres.csv')).toMatchObject({ code: 1, wrong: 2 });
    const errors = await readFile(at('tres.errors.csv'), 'utf8');
    await writeFile(at('tres.csv'), [HEAD, row('R'), row('S').replace(';15', ';14,5')].join('\n'));
    expect(await issue('tres.csv', '--resume')).toMatchObject({ code: 1, authorized: 1, wrong: 1 });
    const before = (await documents()).length;
    await writeFile(at('tres.errors.csv'), errors.replace(';x;', ';1,50;').replace(';14,5', ';15'));
    const answer = await issue('tres.errors.csv');
    expect(answer).toMatchObject({ code: 1, authorized: 1, wrong: 1 });
    expect(await documents()).toHaveLength(before + 1);
  });

  it('starts over if nothing could be issued the first time', async () => {
    await writeFile(at('nadie.csv'), [HEAD, row('N')].join('\n'));
    const stranger = { ...settings, SRI_API_KEY: `sri_test_${'0'.repeat(64)}` };
    const path = at('nadie.csv');
    const away = await runCli(stranger, 'batch', 'issue', path, '--ride', at('rides nuevos'), '--lang', 'es');
    expect(away.code).toBe(1);
    expect(away.errors).toContain(`sri-server batch issue ${path} --ride '${at('rides nuevos')}' --resume`);
    expect(await issue('nadie.csv')).toMatchObject({ code: 0, authorized: 1, earlier: 0 });
    expect(await issue('nadie.csv')).toMatchObject({ code: 1, failure: 'BATCH_BEGUN' });
  });

  it('starts over after a disk without room for its journal', async () => {
    await writeFile(at('sin-espacio.csv'), [HEAD, row('M')].join('\n'));
    const words = [process.execPath, bundledProgram('sri-server'), 'batch', 'issue', at('sin-espacio.csv'), '--json'];
    const run = promisify(execFile)('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...words], { env: settings });
    await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('FILE_NOT_WRITABLE') });
    expect(await issue('sin-espacio.csv')).toMatchObject({ code: 0, authorized: 1, earlier: 0 });
  });

  it('names the column of a field as the file does', async () => {
    await writeFile(
      at('lugar.csv'),
      [HEAD.replace('correo', 'Correo electrónico'), row('T').replace('ana@', 'ana')].join('\n'),
    );
    const { out } = await runCli({}, 'batch', 'issue', at('lugar.csv'), '--check', '--lang', 'es');
    expect(out).toContain('2: Correo electrónico (buyer.email): Correo no válido.');
  });

  it('reports an outcome other than an authorization, with the advice', async () => {
    const magic = row('M').replace('1710034065', '06;SRI-REFUSED-39');
    await writeFile(at('magia.csv'), `tipo_identificacion;${HEAD}\n${magic}\n`);
    const answer = await runCli(settings, 'batch', 'issue', at('magia.csv'), '--lang', 'es');
    expect(answer.code, answer.errors).toBe(1);
    expect(answer.out).toMatch(/rechazados +1/);
    // The advice may point at what the SRI said, such as a detail.
    expect(answer.out).toContain('39 FIRMA INVALIDA. La firma electrónica no es válida.');
    expect(await readdir(folder)).not.toContain('magia.errors.csv');
  });

  it('a batch that is killed repeatedly issues each row once', async () => {
    const before = (await documents()).length;
    const rows = Array.from({ length: 40 }, (_, index) => row(`K${index}`));
    await writeFile(at('corte.csv'), [HEAD, ...rows].join('\r\n'));
    const codes: number[] = [];
    for (const after of [1, 6]) {
      const { child, answer } = startCliProcess(settings, ['batch', 'issue', at('corte.csv'), '--resume'], folder);
      let seen = 0;
      for await (const _line of createInterface(child.stderr)) {
        seen += 1;
        if (seen === after) child.kill('SIGKILL');
      }
      codes.push((await answer).code);
      // The journal also ends in an incomplete line.
      await appendFile(at('corte.csv.sandbox.journal'), '\n{"identity":"row:');
    }
    expect(codes).toContain(-1);
    const end = await issue('corte.csv', '--resume');
    expect(end).toMatchObject({ code: 0, authorized: 40, pending: 0, wrong: 0 });
    const headers = {
      authorization: `Bearer ${settings['SRI_API_KEY']}`,
      'x-issuer-id': settings['SRI_ISSUER_ID'] ?? '',
    };
    const response = await fetch(`${server.url}/v1/documents?limit=100&buyerName=Ana%20K`, { headers });
    const { pagination } = (await response.json()) as { pagination: { total: number } };
    expect([pagination.total, new Set(end.issued.map(({ sequential }) => sequential)).size]).toEqual([40, 40]);
    expect((await documents()).length).toBe(before + 40);
  }, 120_000);

  it('stops at Ctrl-C, and prints the pending documents and the command that resumes', async () => {
    const waiting = row('Z').replace('1710034065', '06;SRI-NEVER');
    await writeFile(at('pausa.csv'), `tipo_identificacion;${HEAD}\n${waiting}\n${waiting}\n`);
    await writeFile(at('pausa.errors.csv'), 'of the last complete run');
    const words = ['batch', 'issue', at('pausa.csv'), '--timeout', '600', '--parallel', '1', '--lang', 'es'];
    const before = (await documents()).length;
    const { child, answer } = startCliProcess(settings, words, folder);
    await vi.waitFor(async () => expect((await documents())[0]?.status).toBe('RECEIVED'), { timeout: 20_000 });
    child.kill('SIGINT');
    const { code, out, errors } = await answer;
    expect([code, out]).toEqual([1, expect.stringMatching(/pendientes +2/)]);
    expect(errors).toContain(
      `Para terminar: sri-server batch issue ${at('pausa.csv')} --parallel 1 --timeout 600 --resume`,
    );
    expect(await documents()).toHaveLength(before + 1);
    expect(await readFile(at('pausa.errors.csv'), 'utf8')).toBe('of the last complete run');
  });

  it('prints how to resume when the server rejects the key, and refuses the journal of another issuer', async () => {
    await writeFile(at('lejos.csv'), [HEAD, row('L')].join('\n'));
    const key = { ...settings, SRI_API_KEY: `sri_test_${'0'.repeat(64)}` };
    const refused = await runCli(key, 'batch', 'issue', at('lejos.csv'), '--lang', 'es');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('--resume')]);
    const other = await runCli(
      { ...settings, SRI_ISSUER_ID: 'x' },
      'batch',
      'issue',
      at('lejos.csv'),
      '--resume',
      '--json',
    );
    expect(other.json()).toMatchObject({
      ok: false,
      code: 'BATCH_OF_ANOTHER_ISSUER',
      detail: expect.stringContaining('delete it if you know that nothing was issued'),
    });
    const nothing = await runCli({}, 'batch', 'issue', at('lejos.csv'));
    expect([nothing.code, nothing.errors]).toEqual([2, expect.stringContaining('SRI_API_KEY')]);
  });

  it.each([
    ['another ending', 'orden.pdf', 2, 'USAGE'],
    ['no such file', 'nada.csv', 1, 'FILE_NOT_FOUND'],
    ['a folder', 'carpeta.csv', 1, 'FILE_IS_FOLDER'],
    ['windows-1252', 'latin.csv', 1, 'FILE_NOT_UTF8', '--encoding windows-1252'],
    ['bytes', 'bytes.csv', 1, 'FILE_BINARY'],
    ['an invalid journal', 'ajeno.csv', 1, 'JOURNAL_INVALID'],
  ])('rejects %s', async (_name, file, exit, code, reported = '') => {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(at('carpeta.csv'), { recursive: true });
    await writeFile(at('latin.csv'), Buffer.from([HEAD, row('Ñ')].join('\n'), 'latin1'));
    await writeFile(at('bytes.csv'), Buffer.from([0, 1, 2, 255]));
    await writeFile(at('ajeno.csv'), [HEAD, row('J')].join('\n'));
    await writeFile(at('ajeno.csv.sandbox.journal'), 'hola');
    const answer = await runCli(settings, 'batch', 'issue', at(file), '--json');
    expect([answer.code, answer.json()]).toMatchObject([exit, { ok: false, code }]);
    expect(answer.json()['detail']).toContain(reported);
  });

  it('reads windows-1252 and UTF-16 by option or by detection', async () => {
    await writeFile(at('latin.csv'), Buffer.from([HEAD, row('Ñ')].join('\n'), 'latin1'));
    expect(await issue('latin.csv', '--encoding', 'windows-1252', '--check')).toMatchObject({ code: 0 });
    const wide = Buffer.from(`\uFEFF${[HEAD, row('Ñ')].join('\r\n').replaceAll(';', '\t')}`, 'utf16le');
    await writeFile(at('ancho.txt'), wide);
    expect(await issue('ancho.txt', '--check')).toMatchObject({ code: 0, right: 1 });
    await writeFile(at('ancho-be.txt'), wide.swap16());
    expect(await issue('ancho-be.txt', '--check')).toMatchObject({ code: 0, right: 1 });
  });

  it('stops when the issuer has no number left, and returns no row as wrong', async () => {
    const { SRI_API_KEY: apiKey, SRI_ISSUER_ID: issuerId } = settings;
    const moved = await fetch(`${server.url}/v1/issuers/${issuerId}/sequentials/01`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ environment: 'sandbox', nextSequential: 999_999_999 }),
    });
    expect(moved.status).toBe(200);
    await writeFile(at('lleno.csv'), [HEAD, row('U'), row('V'), row('X')].join('\n'));
    const answer = await runCli(settings, 'batch', 'issue', at('lleno.csv'), '--lang', 'es');
    expect([answer.code, answer.out]).toEqual([1, '']);
    expect(answer.errors).toMatch(/SEQUENTIAL_EXHAUSTED[\s\S]*El lote quedó en 1 de 3\./);
    expect(await readdir(folder)).not.toContain('lleno.errors.csv');
  });
});
