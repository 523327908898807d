import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a program runs with that word; prints what is skipped without it. */
export function hasProgram(program: string, word: string): boolean {
  try {
    execFileSync(program, [word], { stdio: 'ignore' });
    return true;
  } catch {
    process.stdout.write(`${program} is not installed: the tests that need it are skipped.\n`);
    return false;
  }
}

/**
 * Writes a site of `deploy/` for a test: with that port, the certificate `cert.pem` and `key.pem` of the folder, and
 * these upstream addresses instead of its own.
 * @returns the arguments of nginx.
 */
export function configureNginx(
  text: string,
  { folder, port, upstreams }: { folder: string; port: number; upstreams: Readonly<Record<string, string>> },
): string[] {
  const site = Object.entries(upstreams)
    .reduce((changed, [own, upstream]) => changed.replace(own, upstream), text)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('/etc/letsencrypt/live/api.example.com/fullchain.pem', `${folder}/cert.pem`)
    .replace('/etc/letsencrypt/live/api.example.com/privkey.pem', `${folder}/key.pem`);
  // Run by root, it would switch to a user without write access.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off;
    client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
    uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${site}}`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  return ['-e', 'stderr', '-c', join(folder, 'nginx.conf')];
}
