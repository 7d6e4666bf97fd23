const SECRET = /gh[rpscl]_[A-Za-z0-9_-]{43}/g;
const USER_IN_URL = /:\/\/[^\s/"\\]+@/g;

/** A text without the secrets that stand in it: credentials of ours, and whoever signs in by a URL. */
export const redacted = (text: string) => text.replaceAll(SECRET, '[redacted]').replaceAll(USER_IN_URL, '://[redacted]@');
