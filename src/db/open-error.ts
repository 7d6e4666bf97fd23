/** The records cannot be opened, for a reason outside the program. The message is one line for whoever starts it. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
}

const ADVICE: Record<string, string> = {
  '25006': 'the server accepts no writes: name one that does',
  '3F000': 'let the search_path of the service name a schema that is there',
  '42501': 'let the role of the service own its database and what is in it',
  '53100': 'make room on its disk',
  '55P03': 'another session holds a table that is to be changed: end that one, and start again',
  '57014': 'another session holds what is to be read: end that one, and start again',
};

/** What refused to open the records, if it lies outside the program; a defect stays as it is. */
export function openError(error: unknown): unknown {
  const { code, state, message } = error as { code?: string; state?: string; message: string };
  const advice = ADVICE[state ?? code ?? ''];
  return advice ? new OpenError(`The database cannot be made ready: ${message}: ${advice}.`) : error;
}
