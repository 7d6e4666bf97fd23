import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Prisma } from '../../src/db/generated/client.ts';

const SRC = path.resolve(import.meta.dirname, '../../src');
const TABLE = `"?(?:${Object.keys(Prisma.ModelName).join('|')})"?`;

/** What a `*` in the text takes from a table: a WITH of our own names its columns itself. */
function taken(sql: string): string[] {
  const stars = [...sql.matchAll(/\b(?:SELECT|RETURNING)\s+(?:DISTINCT\s+)?(?:("?\w+"?)\.)?\*(?:\s+FROM\s+("?\w+"?))?/gi)];
  return stars
    .filter(([, alias, from]) => {
      if (!alias) return from === undefined || new RegExp(`^${TABLE}$`).test(from);
      return (
        new RegExp(`^${TABLE}$`).test(alias) ||
        new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+${TABLE}\\s+(?:AS\\s+)?${alias}\\b`, 'i').test(sql)
      );
    })
    .map(([text]) => text);
}

it.each([
  ['SELECT * FROM "Run" WHERE true', ['SELECT * FROM "Run"']],
  ['SELECT r.* FROM "Run" r', ['SELECT r.* FROM "Run"']],
  ['UPDATE "Run" SET x = 1 RETURNING *', ['RETURNING *']],
  ['WITH a AS (SELECT "id" FROM "Run" r) SELECT a.* FROM a', []],
  ['WITH a AS (SELECT "id" FROM "Run") SELECT * FROM a', []],
])('%s', (sql, found) => {
  expect(taken(sql)).toEqual(found);
});

it('no statement takes the columns of a table by *: it would break beside a newer schema', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('db/generated'),
  );
  const texts = files.flatMap((file) =>
    readFileSync(path.join(SRC, file), 'utf8')
      .split('`')
      .map((text) => ({ file, text })),
  );
  expect(texts.flatMap(({ file, text }) => taken(text).map((found) => `${file}: ${found}`))).toEqual([]);
});
