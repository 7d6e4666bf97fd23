import { setClock } from './time.js';

/** An error that the service answered, or `unreachable` when no answer came. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {any} [details] */
  constructor(code, message, details) {
    super(message);
    this.code = code;
    this.details = details ?? {};
  }
}

/** How long an answer may take, in milliseconds. */
const PATIENCE = 20_000;

const UNREACHABLE = 'No answer came from the service. Look at your connection, then try again.';

/** @param {string} path @param {string} method @param {unknown} body @returns {Promise<{ response: Response, answer: any }>} */
async function send(path, method, body) {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
    });
    setClock(response);
    return { response, answer: response.status === 204 ? undefined : await response.json() };
  } catch {
    throw new Refusal('unreachable', UNREACHABLE);
  }
}

/**
 * One query or mutation with the session in the cookie.
 * @param {string} query @param {Record<string, unknown>} [variables]
 * @returns {Promise<any>} its data
 * @throws {Refusal}
 */
export async function ask(query, variables = {}) {
  const { answer } = await send('graphql', 'POST', { query, variables });
  const [error] = answer.errors ?? [];
  if (error) throw refusalOf(error);
  return answer.data;
}

/** @param {{ message: string, extensions?: { code?: string, details?: any } }} error */
export const refusalOf = ({ message, extensions }) => new Refusal(extensions?.code ?? 'INTERNAL', message, extensions?.details);

/** Begins a session. @param {string} token of a sign-in link or of a session @throws {Refusal} */
export const signIn = (token) => session('POST', { token });

/** Ends the session. @throws {Refusal} */
export const signOut = () => session('DELETE', {});

/** @param {string} method @param {object} body */
async function session(method, body) {
  const { response, answer } = await send('session', method, body);
  if (response.ok) return;
  const { code, message, details } = answer?.error ?? {};
  throw new Refusal(code ?? 'INTERNAL', message ?? `The service answered ${response.status}.`, details);
}
