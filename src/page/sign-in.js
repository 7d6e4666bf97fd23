import { Refusal, signIn } from './api.js';
import { fill, h, ICONS, icon, newId } from './dom.js';

/** The token of a one-time link, which leaves the address bar and the history at once. */
export function takeLinkToken() {
  const token = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** @param {unknown} error */
function said(error) {
  if (!(error instanceof Refusal)) return String(error);
  if (error.code === 'unauthenticated') return `${error.message} Ask for a new sign-in link, or paste a session token.`;
  return error.message;
}

/**
 * Where people sign in. `why` tells what made it come up.
 * @param {{ why: string, token: string | undefined, onSignedIn: () => void }} told
 */
export function signInPage({ why, token, onSignedIn }) {
  const [id, problemId] = [newId('token'), newId('problem')];
  const problem = h('p', { class: 'problem', id: problemId, role: 'alert' });
  const input = h('input', {
    id,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': problemId,
    required: true,
  });
  const button = h('button', { class: 'button primary' }, 'Sign in');

  /** @param {string} secret */
  async function attempt(secret) {
    fill(problem);
    button.disabled = true;
    try {
      await signIn(secret);
      onSignedIn();
    } catch (error) {
      fill(problem, said(error));
      input.focus();
    } finally {
      button.disabled = false;
    }
  }
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void attempt(input.value.trim());
  };
  const provider = document.documentElement.dataset.oidc;
  const element = h(
    'main',
    { class: 'sign-in' },
    h('div', { class: 'mark' }, icon(ICONS.gate), 'Gatehouse'),
    h('h1', {}, 'Sign in'),
    why !== '' && h('p', { class: 'why', role: 'status' }, why),
    provider && h('a', { class: 'button primary', href: 'session/oidc' }, `Sign in with ${provider}`),
    h('form', { onsubmit }, h('label', { for: id, class: 'label' }, 'Session token'), input, problem, button),
    h('p', { class: 'faint' }, 'No token? Whoever runs this service can send you a sign-in link that works once.'),
  );
  if (token !== undefined) void attempt(token);
  return { element, focus: () => input.focus() };
}
