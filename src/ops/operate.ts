import { createApp } from '../app.ts';
import { type Config, configFrom } from '../config.ts';
import type { Answer } from './admin-arguments.ts';
import { asksForUsage, runAdmin, USAGE } from './admin-commands.ts';
import { askService } from './admin-socket.ts';
import { writeCredentials } from './credentials.ts';
import { openHome } from './data-folder.ts';
import { credentialsFile } from './first-start.ts';
import { startProblem } from './start-error.ts';

/** A command of the operator, from its arguments to the exit code of this process. */
export async function operate(args: string[], env: Record<string, string | undefined>): Promise<void> {
  if (asksForUsage(args)) return void console.log(USAGE);
  try {
    const config = configFrom({ LOG_LEVEL: 'warn', ...env });
    const answer = await answerTo(args, config);
    (answer.code === 0 ? process.stdout : process.stderr).write(answer.out);
    keepCredentials(answer, config);
    process.exitCode = answer.code;
  } catch (error) {
    console.error(startProblem(error) ?? error);
    process.exitCode = 1;
  }
}

/** The embedded database is open in one process: a service that runs does it, and without one this process may. */
async function answerTo(args: string[], config: Config): Promise<Answer> {
  const answered = config.databaseUrl ? null : await askService(config.dataDir, args);
  if (answered) return answered;
  const lock = await openHome(config);
  try {
    const app = await createApp(config);
    try {
      return await runAdmin(app.kernel, args);
    } finally {
      await app.close();
    }
  } finally {
    lock?.release();
  }
}

function keepCredentials({ credentials, write }: Answer, { databaseUrl, dataDir }: Config) {
  const file = write ?? (databaseUrl ? undefined : credentialsFile(dataDir));
  if (!credentials || !file) return;
  writeCredentials(file, credentials);
  console.log(`Written to ${file}`);
}
