import { PROPERTIES } from './all.ts';
import { tryProperties } from './try-properties.ts';

tryProperties(PROPERTIES.filter(({ name }) => Number(name.slice(1)) < 24));
