import { graphqlData } from '../support/graphql-client.ts';
import { CARD, type Card, type Decision } from './harness/calls.ts';
import { Company } from './harness/company.ts';
import { approval, effects, openGate, rejection, settledCall } from './harness/gates.ts';
import { type Asked, Findings, type Result } from './harness/property.ts';
import { operateOnSocket } from './harness/sockets.ts';
import { sharedStage } from './harness/stage.ts';

export const name = 'P16';
export const claim = 'no credential but the CEO’s own decides a gate, and who decided is what the credential says';
export const sizes = { small: 2, full: 40 };

const DECIDE = `mutation ($input: DecideGateInput!) { decideGate(input: $input) { ${CARD} } }`;
const DECIDE_MANY = `mutation ($input: [DecideGateInput!]!) { decideGates(input: $input) { gate { ${CARD} } error { code } } }`;

/** Headers by which a caller may claim to be somebody else. */
const forged = (company: Company) => ({
  ...{ 'x-person-id': company.ceoId, 'x-user': 'Cleo Example', 'x-forwarded-user': company.ceoId, 'x-enterprise-id': company.enterpriseId },
  cookie: `gatehouse_session=${company.ceo.secret}`,
  origin: company.stage.urls[0]!,
});

async function post(url: string, token: string, headers: Record<string, string>, query: string, variables: unknown) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, body: (await response.json()) as any };
}

/** Every kind of credential that must not decide, with the code of its refusal. */
async function strangers(company: Company, runToken: string): Promise<[kind: string, secret: string, code: string][]> {
  const sam = await company.addPerson('Sam Example');
  const elsewhere = await Company.found(company.stage, []);
  const everything = ['tools:read', 'gates:read', 'runs:read', 'runs:write', 'runs:work', 'tasks:write'] as const;
  return [
    ['the run’s own token', runToken, 'not_allowed'],
    ['another run’s token', (await company.run('gated')).token, 'not_allowed'],
    ['the CEO’s chat', (await company.issue({ kind: 'CHAT', name: 'chat', personId: company.ceoId })).secret, 'not_allowed'],
    ['a token of the CEO without the scope', (await company.token('no scope', [...everything])).secret, 'scope_missing'],
    ['a token without any scope', (await company.token('none', [])).secret, 'scope_missing'],
    ['another person’s token with the scope', (await company.token('sam', ['gates:decide'], sam)).secret, 'not_gate_owner'],
    ['another person’s session', (await company.issue({ kind: 'SESSION', name: 'sam', personId: sam })).secret, 'not_gate_owner'],
    ['the CEO of another enterprise', elsewhere.ceo.secret, 'not_found'],
    ['no credential', 'ghp_unknown', 'unauthenticated'],
  ];
}

/** Each kind of credential against a gate, over every way to decide; then the CEO's own token under forged headers. */
export async function run(asked: Asked): Promise<Result> {
  const stage = await sharedStage();
  const findings = new Findings();
  let tries = 0;
  for (let round = 0; round < asked.size; round++) {
    const company = await Company.found(stage);
    const mark = `p16-${asked.seed}-${company.enterpriseId}`;
    const opened = await openGate(company, 'os.set_context', mark);
    for (const [kind, secret, code] of await strangers(company, opened.run.token)) {
      for (const decision of [
        approval(opened.card),
        rejection(opened.card),
        { ...rejection(opened.card), decision: 'REQUEST_CHANGES' as const },
      ]) {
        for (const told of await everyWay(company, secret, decision)) {
          findings.same(told, code, `${kind}: how it is refused`);
          tries++;
        }
      }
      const gate = await stage.db.prisma.gate.findFirst({ where: { id: opened.card.id } });
      findings.same([gate?.status, gate?.decidedById], ['WAITING', null], `${kind}: the gate afterwards`);
      findings.same(await effects(company, 'os.set_context', mark), 0, `${kind}: effects`);
    }
    for (const origin of ['http://evil.example', undefined]) {
      const headers = { 'content-type': 'application/json', cookie: `gatehouse_session=${company.ceo.secret}`, ...(origin && { origin }) };
      const body = JSON.stringify({ query: DECIDE, variables: { input: approval(opened.card) } });
      const refused = await fetch(`${stage.urls[0]}/graphql`, { method: 'POST', headers, body });
      findings.same(refused.status, 403, 'the CEO’s cookie sent by a foreign page');
    }
    const owner = await company.token('own', ['gates:decide', 'gates:read']);
    await post(stage.urls[0]!, owner.secret, { 'x-person-id': opened.run.id, 'x-user': 'Sam' }, DECIDE, { input: approval(opened.card) });
    await settledCall(opened, () => stage.urls);
    findings.same(
      await decider(company, opened.card),
      { status: 'APPROVED', decidedVia: 'token own', decidedBy: { id: company.ceoId } },
      'who decided',
    );
    const claimed = await post(stage.urls[0]!, company.ceo.secret, {}, DECIDE, {
      input: { ...approval(opened.card), decidedBy: company.ceoId },
    });
    findings.same(claimed.body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT', 'a decider named in the body');
  }
  return findings.result(name, asked, '0 successes; the decider comes from the credential', `${tries} tries of 9 kinds: 0 successes`);
}

/** The codes with which every way to decide refuses. */
async function everyWay(company: Company, secret: string, input: Decision): Promise<string[]> {
  const url = company.stage.urls[0]!;
  const alone = await post(url, secret, {}, DECIDE, { input });
  const dressed = await post(url, secret, forged(company), DECIDE, { input });
  const many = await post(url, secret, {}, DECIDE_MANY, { input: [input] });
  const socket = await operateOnSocket(url, secret, DECIDE, { input });
  const inMany = many.body.data?.decideGates[0].error?.code ?? many.body.errors?.[0]?.extensions?.code;
  return [alone.body.errors?.[0]?.extensions?.code, dressed.body.errors?.[0]?.extensions?.code, inMany, socket];
}

const decider = async (company: Company, { id }: Card) =>
  (
    await graphqlData(
      company.stage.urls[1]!,
      company.ceo.secret,
      'query ($id: ID!) { gate(id: $id) { status decidedVia decidedBy { id } } }',
      { id },
    )
  ).gate;
