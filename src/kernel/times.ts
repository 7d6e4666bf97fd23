/** Times that any part of the service can store, tell and compare lie within these years, in UTC. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 9998;

/** Whether a time that a caller gave can be taken. */
export const isTakenTime = (time: Date) => time.getUTCFullYear() >= FIRST_YEAR && time.getUTCFullYear() <= LAST_YEAR;
