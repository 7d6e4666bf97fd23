import { defineTool } from '../../kernel/define.ts';
import { DIRECTORY_EXAMPLE, DirectoryInput, DirectoryOutput } from './directory-schemas.ts';
import { readDirectory } from './read-directory.ts';

export const directory = defineTool({
  name: 'os.directory',
  summary: 'Says who is who: teams, members, their roles and tasks.',
  description:
    'Call this to find the right colleague for a question or a piece of work. Answers the teams (id, name, slug) and the members (id, name, ' +
    'email, persona, the slugs of their roles, and the slugs of the tasks that they do; tasks of the system itself are left out). ' +
    '`team`, an id or a slug, narrows the answer to that team and its members. Where a run’s answer would be too long, texts and lists ' +
    'are shortened, then the newest left out and counted in `membersMore` and `teamsMore`: ask for one team then. ' +
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
  handler: readDirectory,
});
