import { directory as read } from '../../domain/company/directory.ts';
import { defineTool } from '../../kernel/define.ts';
import { DIRECTORY_EXAMPLE, DirectoryInput, DirectoryOutput } from './directory-schemas.ts';

export const directory = defineTool({
  name: 'os.directory',
  summary: 'Says who is who: teams, members, their roles and tasks.',
  description:
    'Call this to find the right colleague for a question or a piece of work. Answers the teams (id, name, slug) and the members (id, name, ' +
    'email, persona, the slugs of their roles, and the slugs of the tasks that they do; tasks of the system itself are left out). ' +
    '`team`, an id or a slug, narrows the answer to that team and its members: use it when the whole is too long to hand over. ' +
    'Any other field is ignored. Reading changes nothing, however often.',
  effect: 'read',
  retry: 'safe',
  calledBy: ['run', 'ceo_chat', 'api'],
  routes: [{ method: 'POST', path: '/v1/runs/self/tools/os.directory', scope: 'run:self' }],
  arguments: 'any',
  input: DirectoryInput,
  output: DirectoryOutput,
  errors: {},
  where: 'database',
  sideEffects: [],
  examples: [DIRECTORY_EXAMPLE],
  handler: ({ tx, enterpriseId }, { team }) => read(tx, enterpriseId, team ?? null),
});
