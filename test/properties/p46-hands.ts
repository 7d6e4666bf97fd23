import { decide } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { type Opened, openGate, rejection } from './harness/gates.ts';
import { Hands } from './harness/hands.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { Random } from './harness/random.ts';
import { sharedStage } from './harness/stage.ts';
import { passing } from './harness/wait.ts';

export const name = 'P46';
export const claim = 'hands decide nothing but what was shown when their act began, and lose nothing they wrote';
export const sizes = { small: 10, full: 600 };
export const needsChromium = true;

/** Letters that are commands elsewhere, as sentences are made of. */
const WORDS = ['going a different way this year', 'see boxes 1 and 2', 'as agreed, or rather', 'back to kites', 'x r s e a'];

/** How long after the first press of a double click the second one may come, in milliseconds. */
const GAPS = [0, 90, 250, 400, 550];

interface Scene {
  company: Company;
  hands: Hands;
  random: Random;
  /** Every gate that was opened, by its mark, which is the first thing its payload says. */
  gates: Map<string, Opened>;
  /** What was last seen written at a gate and not sent. */
  written: Map<string, string>;
  /** The gates whose decision was sent from the page. */
  decided: Set<string>;
  findings: Findings;
  network: { slow: boolean; lossy: boolean };
}

async function opens({ company, gates }: Scene) {
  const mark = `kite-${gates.size}`;
  gates.set(mark, await openGate(company, 'os.set_context', mark));
}

/** Somebody else decides the gate that is shown, or another one. */
async function decidedElsewhere({ company, hands, gates, random }: Scene) {
  const mark = random.chance(0.7) ? (await hands.shown()).mark : random.pick([...gates.keys()]);
  const gate = gates.get(mark ?? '');
  if (gate) await decide(company.stage.urls[1]!, company.ceo.secret, rejection(gate.card));
}

const happens = (scene: Scene) => (scene.random.chance(0.6) ? decidedElsewhere(scene) : opens(scene));

/** Presses twice where the button stands that decides; whatever stands there the second time is hit. */
async function doubleClick({ hands, random }: Scene) {
  const { mouse } = hands.page;
  const button = hands.page.locator('.panes:not([hidden]) .decision .buttons .button').nth(random.below(3));
  const box = (await button.count()) > 0 ? await button.boundingBox() : null;
  if (!box) return;
  const clickCount = random.chance(0.5) ? 2 : 1;
  await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await passing(random.below(150));
  await hands.passes(random.pick(GAPS));
  await mouse.down({ clickCount });
  await mouse.up({ clickCount });
}

async function heldKey({ hands, random }: Scene) {
  const { keyboard } = hands.page;
  await keyboard.press(random.pick(['a', 'r']));
  for (let repeat = random.below(12); repeat >= 0; repeat--) {
    await keyboard.down('Enter');
    await hands.passes(30);
    await passing(5);
  }
  await keyboard.up('Enter');
}

/** Keys that decide, twice in a row as fast as somebody can who expects the next one. */
async function quickKeys({ hands, random }: Scene) {
  for (const key of ['a', 'Enter', 'a', 'Enter']) {
    await hands.page.keyboard.press(key);
    await passing(random.below(30));
    await hands.passes(random.below(120));
  }
}

/** Writes in the note while gates open and end, and goes on whatever happens. */
async function writes(scene: Scene) {
  const { hands, random } = scene;
  const note = hands.page.locator('.panes:not([hidden]) .decision textarea');
  if ((await note.count()) === 0) return;
  await note.focus();
  await hands.page.keyboard.press('End');
  const before = await hands.shown();
  const words = random.pick(WORDS);
  const at = random.below(words.length);
  await hands.page.keyboard.type(words.slice(0, at));
  if (random.chance(0.5)) await happens(scene);
  await hands.page.keyboard.type(words.slice(at));
  const after = await hands.shown();
  const was = before.note ?? '';
  const [whole, text] = [was + words, after.note ?? ''];
  const isKept = after.isOpen ? text === whole : whole.startsWith(text) && text.length >= was.length;
  scene.findings.check(isKept, 'characters written in a note that are not there', { before, words, after });
}

/** Changes the payload, and closes the editor or not. */
async function edits({ hands, random }: Scene) {
  const { page } = hands;
  await page.keyboard.press('e');
  const text = page.locator('.panes:not([hidden]) textarea.code');
  if ((await text.count()) === 0 || !(await text.isEditable().catch(() => false)) || !(await text.isVisible())) return;
  const was = await text.inputValue();
  await text.fill(was.replace(/"mark": .*/, `"mark": "edited ${random.below(99)}"`));
  await page.keyboard.press('Escape');
  if (random.chance(0.7)) await page.getByRole('button', { name: 'Edit payload' }).click();
}

/** Chooses another row and decides at once, whatever is shown by then. */
async function chooses({ hands, random }: Scene) {
  const rows = hands.page.locator('.panes:not([hidden]) .list .row');
  const count = await rows.count();
  if (count === 0) return;
  await rows.nth(random.below(count)).click();
}

async function goes({ hands, random }: Scene) {
  const { page, url } = hands;
  if (random.chance(0.5)) return page.keyboard.press(random.pick(['j', 'k', 'b', 'g']));
  await (random.chance(0.7) ? page.goBack() : page.goForward());
  if (!page.url().startsWith(url)) await hands.opens('gates');
}

const refreshes = ({ hands }: Scene) => hands.opens();

const ACTS = [doubleClick, doubleClick, heldKey, quickKeys, writes, writes, edits, chooses, goes, refreshes, happens];

/** One act, begun when a form has come alive or sooner; judged by what was shown when it began. */
async function acts(scene: Scene) {
  const { hands, random, gates, written, decided, findings, network } = scene;
  network.slow = random.chance(0.4);
  network.lossy = random.chance(0.2);
  if (random.chance(0.8)) await hands.comesAlive();
  if (random.chance(0.6)) await hands.page.keyboard.press('Escape');
  // Where nothing can be decided any more people mostly look for what can.
  const act = !(await hands.shown()).isOpen && random.chance(0.6) ? chooses : random.pick(ACTS);
  const { mark: shown } = await hands.shown();
  await act(scene);
  // What is pressed before anything new has come up belongs to the next act.
  const sent = await hands.sent();
  findings.check(sent.length <= 1, `${act.name}: more than one decision`, sent);
  for (const { input, label } of sent) {
    const said = /with (\d+) change/.test(label);
    findings.same(input.gateId, gates.get(shown ?? '')?.card.id, `${act.name}: what was decided is not what was shown`);
    if (input.decision === 'APPROVE') findings.same(input.editedPayload !== undefined, said, `${act.name}: sent and said differ`);
    if (!shown) continue;
    decided.add(shown);
    written.delete(shown);
  }
  await hands.settles();
  await remembers(scene);
  if ((await hands.page.locator('.panes:not([hidden]) .list .row').count()) < 2) await opens(scene);
}

/** Notes what stands in the form now; what stood in it before must still be there. */
async function remembers({ hands, written, decided, findings }: Scene) {
  const { mark, note } = await hands.shown();
  if (!mark || note === undefined || decided.has(mark)) return;
  const before = written.get(mark);
  if (before !== undefined) findings.check(note.startsWith(before), 'a note that was lost', { mark, before, note });
  if (note) written.set(mark, note);
}

/** So many acts of two hands at a page to which gates come and from which they go. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const company = await Company.found(stage);
  const random = new Random(asked.seed);
  const findings = new Findings();
  const network = { slow: false, lossy: false };
  const hands = await Hands.at(stage.urls[0]!, company.ceo.secret, {
    delay: () => (network.slow ? random.below(250) : 0),
    isLost: () => network.lossy && random.chance(0.5),
  });
  const scene: Scene = { company, hands, random, gates: new Map(), written: new Map(), decided: new Set(), findings, network };
  try {
    for (let gate = 0; gate < 3; gate++) await opens(scene);
    await hands.page.locator('.list .row').nth(2).waitFor();
    for (let act = 0; act < asked.size; act++) await acts(scene);
    network.slow = network.lossy = false;
    for (const [mark, text] of scene.written) await isStillThere(scene, mark, text);
  } finally {
    await hands.close();
  }
  const { gates, decided, written } = scene;
  const found = `${asked.size} acts at ${gates.size} gates: ${decided.size} decided, none that was not shown; ${written.size} unsent notes read again, 0 characters lost`;
  return findings.result(name, asked, '0 decisions on what was not shown, 0 written characters lost', found);
}

/** Reads an unsent note on a page that was opened anew. */
async function isStillThere({ hands, gates, findings }: Scene, mark: string, text: string) {
  await hands.opens(`gate/${gates.get(mark)!.card.id}`);
  const shown = await hands.shown();
  findings.same([shown.mark, shown.note], [mark, text], 'an unsent note after a refresh');
}
