import { createEnterprise } from '../domain/company/create-enterprise.ts';
import { setDraining, setSpend } from '../domain/company/switches.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { chosenEnterprise, columns, needed, onOff, parsed, toggle, UsageError } from './admin-arguments.ts';

const OPTIONS = {
  name: { type: 'string' },
  timezone: { type: 'string' },
  'ceo-name': { type: 'string' },
  'ceo-email': { type: 'string' },
  spend: { type: 'string' },
  drain: { type: 'string' },
} as const;

/** `enterprise list`, `enterprise create …`, `enterprise --spend on|off --drain on|off`. */
export async function enterpriseCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values, positionals } = parsed(args, OPTIONS);
  const [verb] = positionals;
  if (verb === 'list') return list(kernel);
  if (verb === 'create') return create(kernel, values);
  if (verb !== undefined) throw new UsageError(`enterprise has no ${JSON.stringify(verb)}.`);
  return switched(kernel, values);
}

async function list({ db: { prisma } }: Kernel) {
  const rows = await prisma.enterprise.findMany({ orderBy: { id: 'asc' } });
  const cells = rows.map((row) => [row.id, row.name, row.timezone, onOff(row.spendEnabled), onOff(row.draining)]);
  return columns(['id', 'name', 'timezone', 'spend', 'drain'], cells);
}

async function create(kernel: Kernel, values: Partial<Record<keyof typeof OPTIONS, string>>) {
  const { enterpriseId, ceoId } = await kernel.db.transaction((tx) =>
    createEnterprise(tx.prisma, kernel.now(), {
      name: needed(values.name, '--name'),
      timezone: needed(values.timezone, '--timezone'),
      ceo: { name: needed(values['ceo-name'], '--ceo-name'), email: needed(values['ceo-email'], '--ceo-email') },
    }),
  );
  return `enterprise ${enterpriseId}\nCEO        ${ceoId}\nNext: npm run admin -- credentials --enterprise ${enterpriseId}\n`;
}

async function switched(kernel: Kernel, values: { spend?: string; drain?: string; enterprise?: string }) {
  const [spend, drain] = [toggle(values.spend, '--spend'), toggle(values.drain, '--drain')];
  if (spend === undefined && drain === undefined) throw new UsageError('enterprise needs list, create, --spend or --drain.');
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  if (spend !== undefined) await setSpend(kernel, enterpriseId, spend);
  if (drain !== undefined) await setDraining(kernel, enterpriseId, drain);
  const now = await kernel.db.prisma.enterprise.findFirstOrThrow({ where: { id: enterpriseId } });
  return `${now.name}: spend ${onOff(now.spendEnabled)}, drain ${onOff(now.draining)}\n`;
}
