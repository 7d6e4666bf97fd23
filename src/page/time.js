import { h } from './dom.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far this machine's clock is behind the service's, in milliseconds. */
let behind = 0;

/** Learns the service's time from an answer of it, which tells whole seconds. @param {Response} response */
export function setClock(response) {
  const told = Date.parse(response.headers.get('date') ?? '');
  const difference = told + 500 - Date.now();
  behind = Number.isNaN(told) || Math.abs(difference) < 2_000 ? 0 : difference;
}

const now = () => Date.now() + behind;

/** @param {number} milliseconds */
function duration(milliseconds) {
  if (milliseconds < MINUTE) return `${Math.max(0, Math.floor(milliseconds / 1000))} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h ${Math.floor((milliseconds % HOUR) / MINUTE)} min`;
  const days = Math.floor(milliseconds / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** @type {Record<string, (at: number) => string>} */
const TEXTS = {
  age: (at) => (now() - at < 10_000 ? 'just now' : `${duration(now() - at)} ago`),
  wait: (at) => duration(now() - at),
  left: (at) => (at <= now() ? 'time is up' : `${at - now() < HOUR ? countdown(at - now()) : duration(at - now())} left`),
};

/** @param {number} milliseconds */
function countdown(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time as the viewer writes it, its exact value as title. @param {string} iso */
export const moment = (iso) => h('time', { datetime: iso, title: iso }, DATE.format(new Date(iso)));

/**
 * A time that goes on by itself: how long ago it was, how long that is, or how much time is left until then.
 * @param {'age' | 'wait' | 'left'} kind @param {string} iso
 */
export function ticking(kind, iso) {
  const element = h('time', { datetime: iso, title: iso, 'data-ticking': kind });
  tick(element);
  return element;
}

/** @param {HTMLTimeElement} element */
function tick(element) {
  const kind = /** @type {string} */ (element.dataset.ticking);
  const at = Date.parse(element.dateTime);
  const text = /** @type {(at: number) => string} */ (TEXTS[kind])(at);
  if (element.textContent !== text) element.textContent = text;
  if (kind === 'left') element.classList.toggle('soon', at - now() < 10 * MINUTE);
}

/** Keeps every ticking time of the document right. */
export function startTicking() {
  setInterval(() => {
    if (document.hidden) return;
    for (const element of document.querySelectorAll('time[data-ticking]')) tick(/** @type {HTMLTimeElement} */ (element));
  }, 1_000);
}
