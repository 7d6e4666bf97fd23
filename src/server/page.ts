import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Config } from '../config.ts';
import { notAllowed } from './http-answers.ts';

const FOLDER = path.resolve(import.meta.dirname, '../page');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

// Nothing but files of this service runs or is loaded, no text can become markup or a script, and no other page frames it.
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

interface File {
  type: string;
  etag: string;
  plain: Buffer;
  packed: Buffer;
}

/** The page for people at `/` and its files under `/page/`: read once, sent with a tag by which browsers keep them. */
export class Page {
  readonly #files = new Map<string, File>();

  constructor({ oidc }: Pick<Config, 'oidc'>) {
    const names = readdirSync(FOLDER).filter((name) => path.extname(name) in TYPES);
    const modules = names.filter((name) => name.endsWith('.js'));
    for (const name of names) {
      const content = readFileSync(path.join(FOLDER, name));
      if (name === 'index.html') this.#add('/', name, Buffer.from(completed(content.toString('utf8'), modules, oidc)));
      else this.#add(`/page/${name}`, name, content);
    }
  }

  has(url: string): boolean {
    return this.#files.has(url);
  }

  /** Answers with a file that `has` knows, or that it is still the same. */
  serve(url: string, { method, headers }: IncomingMessage, response: ServerResponse) {
    if (method !== 'GET' && method !== 'HEAD') return notAllowed(response, 'GET, HEAD');
    const { type, etag, plain, packed } = this.#files.get(url)!;
    const told = { ...HEADERS, ETag: etag };
    if (headers['if-none-match']?.split(/ *, */).includes(etag)) {
      response.writeHead(304, told).end();
      return;
    }
    const pack = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    const body = pack ? packed : plain;
    response.writeHead(200, { ...told, 'Content-Type': type, 'Content-Length': body.length, ...(pack && { 'Content-Encoding': 'gzip' }) });
    response.end(method === 'HEAD' ? undefined : body);
  }

  #add(url: string, name: string, plain: Buffer) {
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    this.#files.set(url, { type: TYPES[path.extname(name)]!, etag, plain, packed: gzipSync(plain, { level: 9 }) });
  }
}

/** The document with its modules named, so that they load side by side, and with whoever else signs people in. */
function completed(html: string, modules: string[], oidc: Config['oidc']): string {
  const preloads = modules.map((name) => `<link rel="modulepreload" href="page/${name}">`).join('\n    ');
  const issuer = oidc ? ` data-oidc="${new URL(oidc.issuer).host}"` : '';
  return html.replace('<!-- modules -->', preloads).replace('<html lang="en"', `<html lang="en"${issuer}`);
}
