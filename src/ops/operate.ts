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
    await answered(args, config, (answer) => tell(answer, config));
  } catch (error) {
    console.error(startProblem(error) ?? error);
    process.exitCode = 1;
  }
}

/**
 * Has the command answered. The embedded database is open in one process: a service that runs does it, and without one this
 * process may. What was done is told before anything else can go wrong: secrets are shown this once.
 */
async function answered(args: string[], config: Config, told: (answer: Answer) => void): Promise<void> {
  const answer = config.databaseUrl ? null : await askService(config.dataDir, args);
  if (answer) return told(answer);
  const lock = await openHome(config);
  try {
    const app = await createApp(config);
    try {
      told(await runAdmin(app.kernel, args));
    } finally {
      await app.close();
    }
  } finally {
    lock?.release();
  }
}

function tell({ code, out, credentials, write }: Answer, { databaseUrl, dataDir }: Config) {
  process.exitCode = code;
  (code === 0 ? process.stdout : process.stderr).write(out);
  const file = write ?? (databaseUrl ? undefined : credentialsFile(dataDir));
  if (!credentials || !file) return;
  writeCredentials(file, credentials);
  console.log(`Written to ${file}`);
}
