import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Seals what a browser keeps for us: it can neither be read nor be changed there. Every process with the same secret opens it. */
export class Sealed<T> {
  readonly #key: Buffer;

  /** `purpose` keeps what is sealed for one thing from being taken for another. */
  constructor(secret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  }

  /** The sealed value in base64url. */
  seal(value: T, until: Date): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG });
    const text = JSON.stringify({ value, until: until.getTime() });
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** What was sealed; undefined when it was not sealed by us, was changed, or its time is over. */
  open(sealed: string, now: Date): T | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE + TAG) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAuthTag(bytes.subarray(-TAG));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8');
      const { value, until } = JSON.parse(text) as { value: T; until: number };
      return now.getTime() < until ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
