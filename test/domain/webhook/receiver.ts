import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on loopback. `answer` is replaced by tests; 204 until then. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, request: Received) => void = (response) => void response.writeHead(204).end();
  url = '';

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const server = createServer(async (request, response) => {
      const received = { path: request.url!, headers: request.headers, body: await text(request) };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=of-the-receiver`;
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  /** What was received of one gate. */
  of(gateId: string): Received[] {
    return this.received.filter(({ body }) => JSON.parse(body).data.gateId === gateId);
  }
}
