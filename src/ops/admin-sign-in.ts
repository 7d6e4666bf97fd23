import { audit } from '../auth/audit.ts';
import { issueSignIn } from '../auth/sessions.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { chosenEnterprise, needed, parsed, personWith } from './admin-arguments.ts';

const OPTIONS = { email: { type: 'string' } } as const;

/** `sign-in --email <address>`: a link that signs this person in, once. The secret is a fragment, which no log of a server sees. */
export async function signInCommand(kernel: Kernel, args: string[]): Promise<string> {
  const { values } = parsed(args, OPTIONS);
  const email = needed(values.email, '--email');
  const enterpriseId = await chosenEnterprise(kernel.db.prisma, values.enterprise);
  const person = await personWith(kernel.db.prisma, enterpriseId, email);
  const at = kernel.now();
  const secret = await kernel.db.transaction(async (tx) => {
    const details = { name: person.name };
    await audit(tx, { operator: true, enterpriseId }, { action: 'sign_in.issued', subjectId: person.id, at, details });
    return issueSignIn(tx, enterpriseId, person.id, at);
  });
  return `${kernel.publicUrl}/#sign-in=${secret}\nSigns ${person.name} in, once, within 15 minutes.\n`;
}
