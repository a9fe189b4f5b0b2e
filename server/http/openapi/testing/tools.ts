/** Runs third-party tools as their users do: as separate programs, on files. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const programs = {
  redocly: require.resolve('@redocly/cli/bin/cli.js'),
  tsc: join(dirname(require.resolve('typescript/package.json')), 'bin/tsc'),
}

export type Ended = { status: number; output: string }

/** Disables telemetry and update checks of the tools. */
const silence = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

function runFile(args: readonly string[], folder: string): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [...args],
      { cwd: folder, env: { ...process.env, ...silence }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        done({
          status: error === null ? 0 : Number(error.code ?? -1),
          output: `${stdout}${stderr}`,
        })
      },
    )
  })
}

/** Runs one of the tools in a folder. */
export const runTool = (
  tool: keyof typeof programs,
  args: readonly string[],
  folder: string,
): Promise<Ended> => runFile([programs[tool], ...args], folder)

/** Runs a user's program in the folder. */
export const runProgram = (
  program: string,
  args: readonly string[],
  folder: string,
): Promise<Ended> => runFile([program, ...args], folder)
