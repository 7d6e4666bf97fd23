import { createApp } from './app.ts';
import { type Config, configFrom } from './config.ts';
import { runAdmin } from './ops/admin-commands.ts';
import { serveAdmin } from './ops/admin-socket.ts';
import { printedCredentials } from './ops/credentials.ts';
import { openHome } from './ops/data-folder.ts';
import { credentialsFile, firstStart } from './ops/first-start.ts';
import { startProblem } from './ops/start-error.ts';

type App = Awaited<ReturnType<typeof createApp>>;

endOnSignal();
try {
  const config = configFrom(process.env);
  const lock = await openHome(config);
  const app = await createApp(config);
  const url = await app.listen();
  const admin = lock && (await embeddedHome(app, config));
  closeOnSignal(async () => {
    await app.close();
    await admin?.close();
    lock?.release();
  });
  console.log(`Gatehouse is ready: ${url}`);
} catch (error) {
  const problem = startProblem(error);
  console.error(problem ? `Gatehouse cannot start: ${problem}` : error);
  process.exit(1);
}

/** What the embedded default adds: the sample company on the first start, and the way in for `npm run admin`. */
async function embeddedHome({ kernel }: App, { dataDir }: Config) {
  const credentials = await firstStart(kernel, dataDir);
  if (credentials) {
    console.log(`A sample company was made. Its credentials, also in ${credentialsFile(dataDir)}:\n${printedCredentials(credentials)}`);
  }
  return serveAdmin(dataDir, (args) => runAdmin(kernel, args));
}

/**
 * A start ends at once, at whatever point: the next one goes on from there. That is what signals do by themselves, except to
 * process 1, as which the service runs in a container.
 */
function endOnSignal() {
  if (process.pid !== 1) return;
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) process.on(signal, () => process.exit(code));
}

/** npm passes on the signal that the terminal sends as well: from the second on they change nothing. */
function closeOnSignal(close: () => Promise<void>) {
  let closing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (closing) return;
      closing = true;
      close().then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
