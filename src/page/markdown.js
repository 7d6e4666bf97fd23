import { h } from './dom.js';
import { visible } from './invisible.js';

// A small part of Markdown, built from elements: no markup of the text ever becomes markup of the page, nothing is loaded,
// and only http and https links can be followed.

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TABLE = /^\s*\|.*\|\s*$/;
const DIVIDER = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
// Each span has a longest length, so that no text takes long to read.
const INLINE =
  /(`+)(.{1,999}?)\1|\*\*(.{1,999}?)\*\*|__(.{1,999}?)__|\*(?!\s)(.{1,999}?)\*|(?<![\w_])_(?!\s)(.{1,999}?)_(?![\w_])|!?\[([^\]]{0,999})\]\(([^\s)]{1,1999})[^)]{0,199}\)|(https?:\/\/[^\s<>"'`]+[^\s<>"'`.,:;!?)\]}])/gsu;
const DEEPEST = 8;

/** @typedef {{ lines: string[], at: number, depth: number }} Reader */

/** What a Markdown text says, as elements. @param {string} text */
export function markdown(text) {
  return h('div', { class: 'prose', dir: 'auto' }, blocks(text.split(/\r\n|\n|\r/), 0));
}

/** @param {string[]} lines @param {number} depth @returns {HTMLElement[]} */
function blocks(lines, depth) {
  /** @type {Reader} */
  const reader = { lines, at: 0, depth };
  const made = [];
  while (reader.at < lines.length) {
    const block = blockAt(reader);
    if (block) made.push(block);
  }
  return made;
}

/** @param {Reader} reader @returns {HTMLElement | undefined} */
function blockAt(reader) {
  const line = /** @type {string} */ (reader.lines[reader.at]);
  if (line.trim() === '') return void reader.at++;
  if (FENCE.test(line)) return fenced(reader);
  const heading = HEADING.exec(line);
  if (heading) {
    reader.at++;
    // The page's own headings are h1 to h3.
    return h('h4', { class: `level-${/** @type {string} */ (heading[1]).length}` }, inline(heading[2] ?? ''));
  }
  if (RULE.test(line)) {
    reader.at++;
    return h('hr');
  }
  if (reader.depth < DEEPEST && QUOTE.test(line)) {
    const inner = taken(reader, (next) => QUOTE.test(next)).map((next) => next.replace(QUOTE, ''));
    return h('blockquote', {}, blocks(inner, reader.depth + 1));
  }
  if (reader.depth < DEEPEST && ITEM.test(line)) return list(reader);
  if (TABLE.test(line) && DIVIDER.test(reader.lines[reader.at + 1] ?? '')) return table(reader);
  return paragraph(reader);
}

/** Takes lines as long as they fit. @param {Reader} reader @param {(line: string) => boolean} fits */
function taken(reader, fits) {
  const from = reader.at;
  while (reader.at < reader.lines.length && fits(/** @type {string} */ (reader.lines[reader.at]))) reader.at++;
  return reader.lines.slice(from, reader.at);
}

/** @param {Reader} reader */
function fenced(reader) {
  const fence = /** @type {string} */ (FENCE.exec(/** @type {string} */ (reader.lines[reader.at++]))?.[1]);
  const code = taken(reader, (line) => !line.trimStart().startsWith(fence));
  reader.at++;
  return h('pre', { tabindex: 0 }, h('code', {}, visible(code.join('\n'))));
}

/** @param {Reader} reader */
function list(reader) {
  const first = /** @type {RegExpExecArray} */ (ITEM.exec(/** @type {string} */ (reader.lines[reader.at])));
  const indent = /** @type {string} */ (first[1]).length;
  const marker = /** @type {string} */ (first[2]);
  const ordered = /\d/.test(marker);
  const items = [];
  for (;;) {
    const item = ITEM.exec(reader.lines[reader.at] ?? '');
    if (!item || item[1]?.length !== indent || /\d/.test(/** @type {string} */ (item[2])) !== ordered) break;
    reader.at++;
    const more = taken(reader, (line) => line.trim() !== '' && /** @type {RegExpExecArray} */ (/^ */.exec(line))[0].length > indent);
    items.push(h('li', {}, itemContent([/** @type {string} */ (item[3]), ...more], reader.depth)));
    if (reader.lines[reader.at]?.trim() === '' && ITEM.exec(reader.lines[reader.at + 1] ?? '')?.[1]?.length === indent) reader.at++;
  }
  return ordered ? h('ol', { start: Number.parseInt(marker, 10) }, items) : h('ul', {}, items);
}

/** One paragraph of an item stands without a box of its own. @param {string[]} lines @param {number} depth */
function itemContent(lines, depth) {
  const [first = '', ...rest] = lines;
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /** @type {RegExpExecArray} */ (/^ */.exec(line))[0].length);
  const least = indents.length > 0 ? Math.min(...indents) : 0;
  const made = blocks([first, ...rest.map((line) => line.slice(least))], depth + 1);
  return made.flatMap((block, index) => (index === 0 && block.tagName === 'P' ? [...block.childNodes] : [block]));
}

/** @param {Reader} reader */
function table(reader) {
  const rows = taken(reader, (line) => TABLE.test(line));
  const cells = (/** @type {string} */ row) =>
    row
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [head = '', , ...body] = rows;
  return h(
    'div',
    { class: 'scrolls', tabindex: 0 },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          cells(head).map((cell) => h('th', {}, inline(cell))),
        ),
      ),
      h(
        'tbody',
        {},
        body.map((row) =>
          h(
            'tr',
            {},
            cells(row).map((cell) => h('td', {}, inline(cell))),
          ),
        ),
      ),
    ),
  );
}

/** @param {Reader} reader */
function paragraph(reader) {
  const begins = (/** @type {string} */ line) =>
    line.trim() === '' || FENCE.test(line) || HEADING.test(line) || (reader.depth < DEEPEST && (QUOTE.test(line) || ITEM.test(line)));
  const [first = ''] = reader.lines.slice(reader.at++);
  return h('p', {}, inline([first, ...taken(reader, (line) => !begins(line))].join('\n')));
}

/** @param {string} text @param {number} [depth] @returns {(string | HTMLElement)[]} */
function inline(text, depth = 0) {
  if (depth > DEEPEST) return visible(text);
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(...visible(text.slice(from, found.index)), ...span(found, depth));
    from = found.index + found[0].length;
  }
  return [...parts, ...visible(text.slice(from))];
}

/** @param {RegExpMatchArray} found @param {number} depth @returns {(string | HTMLElement)[]} */
function span(found, depth) {
  const [whole, , code, strong, strong2, emphasis, emphasis2, label, target, url] = found;
  if (code !== undefined) return [h('code', {}, visible(code))];
  if (strong !== undefined || strong2 !== undefined) return [h('strong', {}, inline(/** @type {string} */ (strong ?? strong2), depth + 1))];
  if (emphasis !== undefined || emphasis2 !== undefined)
    return [h('em', {}, inline(/** @type {string} */ (emphasis ?? emphasis2), depth + 1))];
  if (url !== undefined) return link(url, url) ?? visible(whole);
  return link(/** @type {string} */ (label), /** @type {string} */ (target)) ?? visible(whole);
}

/**
 * A link that says where it leads, whatever its text claims. Undefined for anything but the web.
 * @param {string} label @param {string} target
 * @returns {(string | HTMLElement)[] | undefined}
 */
export function link(label, target) {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const url = new URL(target);
  const anchor = h('a', { href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' }, visible(label || url.href));
  return label === target ? [anchor] : [anchor, h('span', { class: 'host' }, ` (${url.host})`)];
}
