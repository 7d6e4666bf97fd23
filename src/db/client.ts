import pg from 'pg';
import { troubleOr } from './trouble.ts';

/** A connection whose errors tell the database's trouble from our mistakes, before Prisma or anybody else sees them. */
export class ServiceClient extends pg.Client {
  // Prisma and our own code use the promise forms of pg's overloads.
  override async query(...args: unknown[]): Promise<never> {
    try {
      return await (super.query as (...args: unknown[]) => Promise<never>).apply(this, args);
    } catch (error) {
      throw troubleOr(error);
    }
  }
}
