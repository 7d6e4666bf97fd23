import { directory as read } from '../../domain/company/directory.ts';
import { defineTool } from '../../kernel/define.ts';
import { DIRECTORY_EXAMPLE, DirectoryInput, DirectoryOutput } from './directory-schemas.ts';

export const inspectEnterprise = defineTool({
  name: 'os.inspect_enterprise',
  summary: 'Shows the teams and members of the company, with roles and tasks.',
  description:
    'Call this to learn how the company is made up before you plan or hand out work: its teams (id, name, slug) and its members (id, name, ' +
    'email, persona, the slugs of their roles, and the slugs of the tasks that they do; tasks of the system itself are left out). ' +
    '`team`, an id or a slug, narrows the answer to that team and its members: use it when the whole is too long to hand over. ' +
    'Any other field is ignored. Reading changes nothing, however often.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.inspect_enterprise', scope: 'run:self' }],
  arguments: 'any',
  input: DirectoryInput,
  output: DirectoryOutput,
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [DIRECTORY_EXAMPLE],
  handler: ({ tx, enterpriseId }, { team }) => read(tx, enterpriseId, team ?? null),
});
