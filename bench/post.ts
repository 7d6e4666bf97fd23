import { Agent, request } from 'node:http';

/** Posts JSON over kept-alive connections, `connections` of them at most. */
export class Poster {
  readonly #agent: Agent;
  readonly #url: URL;

  constructor(url: string, connections: number) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** The body of the answer. @throws {Error} when its status is not 200 */
  post(token: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode} ${text}`))));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** One GraphQL operation that must succeed. */
  async send<Data>(token: string, query: string, variables: object): Promise<Data> {
    const { data, errors } = JSON.parse(await this.post(token, JSON.stringify({ query, variables })));
    if (errors) throw new Error(JSON.stringify(errors));
    return data as Data;
  }

  close() {
    this.#agent.destroy();
  }
}
