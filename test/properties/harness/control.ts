import { readFileSync } from 'node:fs';
import type { Service } from '../../support/service.ts';
import type { Point } from './points.ts';
import { eventually } from './wait.ts';

/** What a process says of itself. */
export interface ProcessState {
  rss: number;
  open: { tokens: number; streams: number; sockets: number };
  /** TCP sockets that it holds, listening ones not counted. */
  sockets: number;
  /** Where it was asked for. */
  strain?: { held: number; rss: number };
  /** After a garbage collection. */
  memory: NodeJS.MemoryUsage;
}

/** The way into a process of a stage: it can be told where to die, and asked how it is. */
export class Control {
  readonly #service: Pick<Service, 'stdout' | 'pid' | 'kill'>;

  constructor(service: Service) {
    this.#service = service;
  }

  async #ask(path: string): Promise<ProcessState> {
    const port = this.#service.stdout().match(/^Control port (\d+)$/m)![1];
    return (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<ProcessState>;
  }

  /** The process gets the signal when it reaches this point for the `nth` time from now. */
  async arm(point: Point, nth: number, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    await this.#ask(`/arm?${new URLSearchParams({ point, nth: String(nth), signal })}`);
  }

  async disarm(): Promise<void> {
    await this.#ask('/arm');
  }

  /** With a garbage collection first. */
  state(): Promise<ProcessState> {
    return this.#ask('/state');
  }

  /** Without one. */
  glance(): Promise<Omit<ProcessState, 'memory'>> {
    return this.#ask('/glance');
  }

  /** How long the event loop was held at most since this was asked last, in milliseconds, and the most memory in bytes. */
  async strain(): Promise<{ held: number; rss: number }> {
    return (await this.#ask('/strain')).strain!;
  }

  /** Resolves once the process was stopped by SIGSTOP. */
  async frozen(): Promise<void> {
    const { pid } = this.#service;
    await eventually(
      'process in the state of being stopped',
      () => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0] === 'T',
    );
  }
}
