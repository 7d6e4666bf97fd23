import { ask, Refusal } from './api.js';
import { app } from './app.js';
import { fill, h } from './dom.js';
import { VIEWER } from './queries.js';
import { signInPage, takeLinkToken } from './sign-in.js';
import { startTicking } from './time.js';

const root = /** @type {HTMLElement} */ (document.getElementById('page'));

/** @type {ReturnType<typeof app> | undefined} */
let running;

/** @param {string} why @param {string} [token] @param {boolean} [asked] whether a person asked for it: otherwise the focus is not moved into a field */
function showSignIn(why, token, asked = true) {
  running?.close();
  running = undefined;
  const page = signInPage({ why, token, onSignedIn: () => void start() });
  fill(root, page.element);
  document.title = 'Sign in · Gatehouse';
  if (asked) page.focus();
}

/** @param {string} text */
function showFailure(text) {
  const again = h('button', { type: 'button', class: 'button primary', onclick: () => void start() }, 'Try again');
  fill(root, h('main', { class: 'sign-in' }, h('h1', {}, 'Gatehouse cannot be shown'), h('p', { role: 'alert' }, text), again));
  again.focus();
}

/** Shows what the session may see, or where to sign in. */
async function start() {
  try {
    const { viewer } = await ask(VIEWER);
    running = app(viewer, (why, asked) => showSignIn(why, undefined, asked));
    fill(root, running.element);
    await running.load();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthenticated') return showSignIn('');
    running?.close();
    showFailure(/** @type {Error} */ (error).message);
  }
}

/** A link that was opened signs in: once nobody else is, or after asking. @param {string} token */
async function startWithLink(token) {
  const signedIn = await ask(VIEWER).then(
    ({ viewer }) => viewer.person?.name ?? 'somebody',
    () => undefined,
  );
  if (signedIn === undefined) return showSignIn('', token);
  if (window.confirm(`You are signed in as ${signedIn}. Sign in with the link that was opened instead?`)) showSignIn('', token);
  else await start();
}

startTicking();
const token = takeLinkToken();
if (token === undefined) void start();
else void startWithLink(token);
window.addEventListener('hashchange', () => {
  const opened = takeLinkToken();
  if (opened !== undefined) void startWithLink(opened);
});
