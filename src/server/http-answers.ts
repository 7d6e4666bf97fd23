import { maxHeaderSize, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLError } from 'graphql';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with JSON. */
export function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

/** An error as a GraphQL response has it, without what it says to the transport. */
export function answerError(response: ServerResponse, error: GraphQLError, headers: Record<string, string> = {}) {
  const { http, ...extensions } = error.extensions;
  answer(response, (http as { status: number }).status, { errors: [{ message: error.message, extensions }] }, headers);
}

export const notFound = (response: ServerResponse, path: string) =>
  answer(response, 404, { error: { code: 'not_found', message: `There is nothing at ${JSON.stringify(path.slice(0, 200))}.` } });

export const notAllowed = (response: ServerResponse, allowed: string) =>
  answer(response, 405, { error: { code: 'BAD_REQUEST', message: `Only ${allowed} here.` } }, { Allow: allowed });

/** What Node cannot read as HTTP is told so, and the connection ends. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const message = large ? `The request line and headers have more than ${maxHeaderSize} bytes.` : 'This is not HTTP.';
  const details = { bytes: maxHeaderSize + 1, allowed: maxHeaderSize };
  const body = JSON.stringify({ errors: [{ message, extensions: large ? { code: 'too_large', details } : { code: 'BAD_REQUEST' } }] });
  const status = large ? '413 Content Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
