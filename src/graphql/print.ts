import { printSchema } from 'graphql';
import type { Registry } from '../kernel/registry.ts';
import { createSchema } from './schema.ts';

/** The text of `schema.graphql`. */
export const printedSchema = (registry: Registry) => `${printSchema(createSchema(registry))}\n`;
