import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';

/** Lower-case hex SHA-256 of a text in UTF-8. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Lower-case hex SHA-256 of the canonical JSON (RFC 8785) of a value. */
export const hashOf = (value: unknown) => sha256(canonicalJson(value));

/** What a decision is bound to: the tool and the payload as it will be executed. */
export const payloadHash = (tool: string, payload: unknown) => hashOf({ tool, payload });
