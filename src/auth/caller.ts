import type { TokenKind } from '../db/generated/enums.ts';

/** Who sends a request: what its credential says, never what a header or an argument claims. */
export interface Caller {
  /** A sign-in link is no credential: it is only given for a session. */
  kind: Exclude<TokenKind, 'SIGN_IN'>;
  tokenId: string;
  tokenName: string;
  enterpriseId: string;
  scopes: readonly string[];
  /** Of a session and a chat the person; of an API token whoever granted it. */
  person: { id: string; name: string; isCeo: boolean } | null;
  /** Of a run token: the run, and the attempt that the token was handed out for. */
  run: { id: string; attempt: number } | null;
  /** A session that idling ends: counted from this very use. */
  expiresAt: Date | null;
}

/** How an act of this caller is told in records: `session`, `chat`, `token <name>`, `run <id>`. */
export function viaOf(caller: Caller): string {
  if (caller.kind === 'SESSION') return 'session';
  if (caller.kind === 'CHAT') return 'chat';
  return caller.run ? `run ${caller.run.id}` : `token ${caller.tokenName}`;
}
