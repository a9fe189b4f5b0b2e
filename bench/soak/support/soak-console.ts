import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { workerSource } from '../../../src/core/testing/workers.ts'
import { defaultSandboxKeysFolder } from '../../../src/platform/data-folder.ts'
import type { Host } from '../../../src/platform/host.ts'
import { fileKeychain } from './file-keychain.ts'

/** Where a soak's console keeps its data and its keychain, which outlive its process. */
export type ConsoleFolder = { dataDir: string; keychainFile: string }

/** The host of a soak's console: a keychain in a file, and no bundled backend. */
export const soakHost = ({ dataDir, keychainFile }: ConsoleFolder): Host => ({
  kind: 'browser',
  version: '0.0.0',
  dataDir,
  sandboxKeysDir: defaultSandboxKeysFolder(),
  keychain: fileKeychain(keychainFile),
  backends: {
    start: () => {
      throw new Error('not used in this soak')
    },
  },
  workerPath: workerSource,
})

/** Reports to the process that started this console, as one line of JSON. */
export const createReporter =
  <Said extends object>() =>
  (said: Said): void =>
    void process.stdout.write(`${JSON.stringify(said)}\n`)

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Characters of each log that are shown after an error. */
const LOG_TAIL = 2000

/**
 * Runs a console with the options that `startConsole` sends, and exits. It also exits as soon as the
 * soak that started it has ended and closed its pipes.
 */
export function runSoakConsole<Options extends ConsoleFolder>(
  run: (options: Options) => Promise<void>,
): void {
  const end = (): void => process.exit(0)
  process.stdout.once('error', end)
  const input = createInterface({ input: process.stdin }).once('close', end)
  input.once('line', (line) => {
    const options = JSON.parse(line) as Options
    run(options).then(
      // Reports that the pipe hasn't taken yet would be lost.
      () => process.stdout.write('', () => process.exit(0)),
      (error: unknown) => {
        console.error(error)
        const logs = join(options.dataDir, 'logs')
        for (const name of existsSync(logs) ? readdirSync(logs) : [])
          console.error(readFileSync(join(logs, name), 'utf8').slice(-LOG_TAIL))
        process.exit(1)
      },
    )
  })
}
