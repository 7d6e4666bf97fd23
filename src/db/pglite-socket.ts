import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

const TERMINATE = 'X'.charCodeAt(0);

/**
 * A socket for `pg.Client` whose other end is a PGlite in this process, which answers the wire protocol itself.
 * PGlite has one session, so one such socket is open at a time.
 */
export class PGliteSocket extends Duplex {
  readonly #database: PGlite;
  readonly #settings: string;

  /** `settings`: SQL with which each session begins. */
  constructor(database: PGlite, settings: string) {
    super();
    this.#database = database;
    this.#settings = settings;
  }

  // What `pg` asks of a net.Socket.
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }

  /** The session outlives its sockets: a client that replaces a broken one must not inherit its transaction. */
  connect() {
    this.#database
      .exec('ROLLBACK')
      .then(() => this.#database.exec('DISCARD ALL'))
      .then(() => this.#database.exec(this.#settings))
      .then(
        () => this.emit('connect'),
        (error) => this.destroy(error),
      );
    return this;
  }

  override _read() {}

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    if (bytes[0] === TERMINATE) return done();
    // Collected and handed on afterwards: `pg` acts on what arrives at once, and PGlite swallows what is thrown in its callback.
    const answer: Buffer[] = [];
    const onRawData = (data: Uint8Array) => answer.push(Buffer.from(data));
    this.#database.execProtocolRawStream(bytes, { onRawData }).then(() => {
      done();
      this.push(Buffer.concat(answer));
    }, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary' as BufferEncoding, done);
  }

  override _final(done: () => void) {
    this.push(null);
    done();
  }
}
