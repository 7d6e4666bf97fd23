import { h } from './dom.js';

// What a reader cannot see: characters without a shape, those that change the direction, and control characters other than
// line breaks and tabs. Emoji are taken whole first, as they are joined with such characters.
const EMOJI =
  '(?:\\p{Extended_Pictographic}|[0-9#*](?=\\uFE0F\\u20E3))[\\uFE0F\\u20E3]{0,2}\\p{Emoji_Modifier}?(?:\\u200D\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?)*';
const UNSEEN = '[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Zl}\\p{Zp}\\uFFF9-\\uFFFB\\u2800]|(?!\\r\\n)(?![\\n\\t])\\p{Cc}';
// Combining marks beyond the four on one character that a script may need, or on none: stacked, they paint over what is around.
const STACKED = '(?:^|(?<=\\p{M}{4}))\\p{M}+';
const PARTS = new RegExp(`(${EMOJI})|(${UNSEEN})|(${STACKED})`, 'gu');

/** @type {Record<string, string>} */
const NAMES = {
  '00AD': 'soft hyphen',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'end of a change of direction',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  2060: 'word joiner',
  2066: 'left-to-right isolate',
  2067: 'right-to-left isolate',
  2068: 'first strong isolate',
  2069: 'end of an isolate',
  FEFF: 'byte order mark',
};

/** @param {string} character */
const codeOf = (character) => /** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');

/** @param {string} character */
function mark(character) {
  const code = codeOf(character);
  return h('span', { class: 'unseen', title: `A character that cannot be seen: U+${code} ${NAMES[code] ?? ''}`.trim() }, `U+${code}`);
}

/** @param {string} marks that would be stacked on a character which has four already */
function stack(marks) {
  const count = [...marks].length;
  return h(
    'span',
    { class: 'unseen', title: `Combining marks beyond the four on one character, first U+${codeOf(marks)}` },
    `+${count} marks`,
  );
}

/**
 * A text as it is shown: each character that could not be seen, or would reorder others, is replaced by a mark with its code,
 * and combining marks beyond four on one character by their number.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function visible(text) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(PARTS)) {
    const [whole, , unseen, stacked] = found;
    if (unseen === undefined && stacked === undefined) continue;
    if (found.index > from) parts.push(text.slice(from, found.index));
    parts.push(stacked === undefined ? mark(whole) : stack(whole));
    from = found.index + whole.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** JSON whose strings hold no unseen character: those are written as escapes, which mean the same. @param {unknown} value */
export function readableJson(value) {
  return JSON.stringify(value, null, 2).replace(PARTS, (whole, emoji) => (emoji === undefined ? escapesOf(whole) : whole));
}

/** @param {string} character */
const escapesOf = (character) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
