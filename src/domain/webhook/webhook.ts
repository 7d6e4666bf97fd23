import type { WebhookSettings } from '../../config.ts';
import { after, type Kernel } from '../../kernel/kernel.ts';
import { type ClaimedDelivery, claimDeliveries, recordDelivered, recordFailed, releaseDelivery } from './deliveries.ts';
import { signedHeaders } from './signature.ts';

/** Milliseconds from each try to the next: six tries over an hour. */
const PAUSES = [60_000, 240_000, 600_000, 900_000, 1_800_000];

/** How long the receiver may take, and after which time a process that claimed a delivery is taken for dead. */
const PATIENCE = 10_000;
const CLAIM = 60_000;

const AT_ONCE = 20;

/** Tells WEBHOOK_URL of the gates in the outbox. Each process sends what it claims; a delivery keeps its id over all tries. */
export class Webhook {
  readonly #kernel: Kernel;
  readonly #settings: WebhookSettings;
  readonly #stopping = new AbortController();
  #sending = false;
  #again = false;

  constructor(kernel: Kernel, settings: WebhookSettings) {
    this.#kernel = kernel;
    this.#settings = settings;
  }

  /** Looks for what is due, unless this process is at it: then it looks once more. Never waits. */
  wake(): void {
    this.#again = true;
    if (this.#sending || this.#stopping.signal.aborted) return;
    this.#sending = true;
    const { work, log } = this.#kernel;
    const onError = (error: unknown) => log.error({ err: error }, 'Looking for webhook deliveries failed; the next round tries again');
    const sent = this.#sendAll().finally(() => {
      this.#sending = false;
    });
    work.track(sent, onError);
  }

  /** Breaks off what is being sent: the next process sends it. */
  stop(): void {
    this.#stopping.abort();
  }

  async #sendAll() {
    while (this.#again && !this.#stopping.signal.aborted) {
      const { db, now } = this.#kernel;
      const claimed = await db.query(claimDeliveries(now(), after(now(), CLAIM), AT_ONCE));
      this.#again = claimed.length > 0;
      await Promise.all(claimed.map((delivery) => this.#send(delivery)));
    }
  }

  async #send(delivery: ClaimedDelivery) {
    const { db, now } = this.#kernel;
    const { id, attempts } = delivery;
    const problem = attempts > PAUSES.length + 1 ? 'The process that tried it last ended' : await this.#post(delivery);
    if (problem === undefined) return void (await db.query(recordDelivered(id, attempts, now())));
    if (this.#stopping.signal.aborted) return void (await db.query(releaseDelivery(id, attempts, now())));
    const pause = PAUSES[attempts - 1];
    await db.query(recordFailed(id, attempts, problem, pause === undefined ? null : after(now(), pause)));
    const { enterpriseId, gateId } = delivery;
    const level = pause === undefined ? 'error' : 'warn';
    const outlook = pause === undefined ? 'given up' : 'tried again later';
    this.#kernel.log[level]({ enterpriseId, gateId, attempts, problem }, `A gate could not be told to the webhook: ${outlook}`);
  }

  /** Sends one, and answers what went wrong: never the address, which may hold a secret, nor what the receiver said. */
  async #post(delivery: ClaimedDelivery): Promise<string | undefined> {
    const body = JSON.stringify(messageOf(delivery, this.#kernel.publicUrl));
    const headers = { 'Content-Type': 'application/json', ...signedHeaders(this.#settings.secret, delivery.id, this.#kernel.now(), body) };
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE)]);
    try {
      const response = await fetch(this.#settings.url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      response.body?.cancel().catch(() => {});
      return response.ok ? undefined : `The receiver answered ${response.status}`;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      if (name === 'TimeoutError') return `The receiver did not answer within ${PATIENCE / 1_000} s`;
      return `The receiver could not be reached${cause?.code ? `: ${cause.code}` : ''}`;
    }
  }
}

/** What the receiver is told: enough to know whom to call where, and nothing of the payload. */
function messageOf({ gateId, tool, summary, openedAt, ownerId, ownerName }: ClaimedDelivery, publicUrl: string) {
  const owner = ownerId === null ? null : { id: ownerId, name: ownerName };
  return {
    type: 'gate.opened',
    timestamp: openedAt.toISOString(),
    data: { gateId, tool, summary, owner, link: `${publicUrl}/#gate/${gateId}` },
  };
}
