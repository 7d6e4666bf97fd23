import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { told } from '../graphql/errors.ts';
import { ToolError } from '../kernel/errors.ts';
import { checkHandshake, credentialOf } from './session-cookie.ts';

type Public = Pick<Config, 'publicUrl'>;

/** Refuses a POST by cookie of a foreign page before its body is read. @throws {GraphQLError} csrf_refused */
export function requireOwnPage(config: Public, { headers, method }: IncomingMessage): void {
  try {
    credentialOf(config, headers, method!);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'csrf_refused') throw told(error);
  }
}

/** Answers a handshake by cookie of a foreign page. Whether it did: then there is no socket to open. */
export function refusedHandshake(config: Public, { headers }: IncomingMessage, socket: Duplex): boolean {
  try {
    checkHandshake(config, headers);
    return false;
  } catch (error) {
    const { code, message } = error as ToolError;
    const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
    const lines = ['HTTP/1.1 403 Forbidden', 'Connection: close', 'Content-Type: application/json; charset=utf-8'];
    socket.end(`${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return true;
  }
}
