import { once } from 'node:events';
import WebSocket from 'ws';
import { inTime } from './wait.ts';

/** A bare WebSocket of the protocol: what it was sent, and how it closed. */
export interface RawSocket {
  socket: WebSocket;
  messages: any[];
  closed: Promise<{ code: number; reason: string }>;
  send(message: unknown): void;
  /** The next message that fits, from those that have come on. */
  message(fits: (message: any) => boolean): Promise<any>;
}

export interface SocketOptions {
  protocol?: string;
  headers?: Record<string, string>;
}

/** Opens a socket without saying anything. Rejects when the handshake is refused. */
export async function rawSocket(url: string, { protocol = 'graphql-transport-ws', headers = {} }: SocketOptions = {}): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, protocol === '' ? [] : [protocol], { headers });
  const messages: any[] = [];
  let arrived = () => {};
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    arrived();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  void closed.then(() => arrived());
  await once(socket, 'open');
  socket.on('error', () => {}); // told by how it closes
  async function message(fits: (message: any) => boolean): Promise<any> {
    for (let seen = 0; ; ) {
      while (seen < messages.length) {
        const next = messages[seen++];
        if (fits(next)) return next;
      }
      if (socket.readyState === WebSocket.CLOSED) throw new Error('The socket closed without the message');
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  }
  return { socket, messages, closed, send: (text) => socket.send(typeof text === 'string' ? text : JSON.stringify(text)), message };
}

/** Opens a socket with a credential and waits until it is acknowledged. Rejects when it closes instead. */
export async function greetedSocket(url: string, token: string): Promise<RawSocket> {
  const raw = await rawSocket(url);
  raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  const refused = raw.closed.then(({ code, reason }) => Promise.reject(new Error(`The socket closed with ${code} ${reason}`)));
  await inTime('acknowledgement', Promise.race([raw.message(({ type }) => type === 'connection_ack'), refused]));
  return raw;
}

/** The code with which one operation on a socket is refused; `unauthenticated` when the socket is closed for it; else its data. */
export async function operateOnSocket(url: string, token: string, query: string, variables: Record<string, unknown>): Promise<string> {
  const raw = await rawSocket(url);
  raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  try {
    await raw.message(({ type }) => type === 'connection_ack');
  } catch {
    const { code } = await raw.closed;
    return code === 4403 ? 'unauthenticated' : `closed with ${code}`;
  }
  raw.send({ id: '1', type: 'subscribe', payload: { query, variables } });
  const { payload } = await raw.message(({ type }) => type === 'next' || type === 'error');
  raw.socket.terminate();
  const errors = Array.isArray(payload) ? payload : payload.errors;
  return errors?.[0]?.extensions?.code ?? JSON.stringify(payload);
}
