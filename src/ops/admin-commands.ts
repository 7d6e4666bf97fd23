import { ToolError } from '../kernel/errors.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Answer, UsageError } from './admin-arguments.ts';
import { credentialsCommand, seedCommand } from './admin-credentials.ts';
import { enterpriseCommand } from './admin-enterprise.ts';
import { personCommand } from './admin-person.ts';
import { restoredCommand } from './admin-restored.ts';
import { signInCommand } from './admin-sign-in.ts';
import { teamCommand } from './admin-team.ts';
import { tierCommand } from './admin-tier.ts';
import { tokenCommand } from './admin-token.ts';

export const USAGE = `usage: npm run admin -- <command>

  enterprise list
  enterprise create --name <name> --timezone <zone> --ceo-name <name> --ceo-email <address>
  enterprise [--spend on|off] [--drain on|off]
  team list
  team retro <slug> [--every <days>|off] [--held <time>]                     what Blockers calls overdue
  tier list
  tier set <tier> [--key on|off] [--exhausted-until <time>|never]            the models that Blockers misses
  person list
  person add --name <name> --email <address> [--ceo]
  person ceo <address>                         hands the office of the CEO over
  person remove <address>                      ends their credentials
  sign-in --email <address>                    a link that signs a person in, once
  token list
  token create --name <name> --scopes <scope,scope> [--person <address>] [--days <days>]
  token revoke <id>
  credentials [--write <file>]                 a CEO session, an API token and a worker token
  restored                                     after a backup was put back: event cursors from before expire

--enterprise <id> says which one; it may be left out where there is only one.
`;

/** Commands by name. `seed` is what `npm run seed` sends. */
const COMMANDS: Record<string, (kernel: Kernel, args: string[]) => Promise<string | Omit<Answer, 'code'>>> = {
  enterprise: enterpriseCommand,
  team: teamCommand,
  tier: tierCommand,
  person: personCommand,
  'sign-in': signInCommand,
  token: tokenCommand,
  credentials: credentialsCommand,
  restored: restoredCommand,
  seed: seedCommand,
};

/** Whether the arguments ask for the usage alone. */
export const asksForUsage = ([first]: string[]) => first === undefined || first === 'help' || first === '--help' || first === '-h';

/** Runs a command of the operator. Exit codes: 0 done, 1 refused, 2 not understood. Defects are thrown. */
export async function runAdmin(kernel: Kernel, args: string[]): Promise<Answer> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return { code: 2, out: `There is no command ${JSON.stringify(name)}.\n\n${USAGE}` };
  try {
    const answer = await command(kernel, rest);
    return { code: 0, ...(typeof answer === 'string' ? { out: answer } : answer) };
  } catch (error) {
    if (error instanceof UsageError) return { code: 2, out: `${error.message}\n\n${USAGE}` };
    if (error instanceof ToolError) return { code: 1, out: `${error.message}\n` };
    throw error;
  }
}
