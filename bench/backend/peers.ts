/**
 * Test doubles that are alternatives to the service: installed when a benchmark needs them, in
 * fixed versions, outside the project's packages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { npmCommand } from '../../scripts/lib/install.mjs'
import { modulesFolder } from '../../scripts/lib/paths.mjs'
import { type RunningProcess, startProgram } from './processes.ts'

/** The package and version of each, and the file that runs it. */
const peers = {
  prism: ['@stoplight/prism-cli', '5.16.0', 'dist/index.js'],
  jsonServer: ['json-server', '0.17.4', 'lib/cli/bin.js'],
  mockoon: ['@mockoon/cli', '9.9.0', 'bin/run.js'],
  wiremock: ['wiremock', '3.13.2', 'build/wiremock-standalone-3.13.2.jar'],
  // The package's newest version is an unrelated library.
  emulate: ['emulate', '0.12.2', 'dist/index.js'],
} as const
export type PeerName = keyof typeof peers

const START_LIMIT_MS = 60_000

/** The folder of a double's packages; 20 to 150 MB that no other command needs. */
export const peerFolder = (name: PeerName): string =>
  path.join(modulesFolder, '.cache', 'keydesk-peers', name)

/** The double's program, installed by npm the first time; null when installation fails. */
export function installPeer(name: PeerName, log: (text: string) => void): string | null {
  const [packageName, version, file] = peers[name]
  const folder = peerFolder(name)
  const program = path.join(folder, 'node_modules', packageName, file)
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const dependencies = { [packageName]: version }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const { program: npm, first, shell } = npmCommand()
  try {
    execFileSync(
      npm,
      [...first, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder, shell, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    return program
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    log(`${packageName} ${version} could not be installed and is left out: ${reason}`)
    return null
  }
}

/** A port that no one listens on. */
export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function untilAnswers(url: string): Promise<void> {
  const limit = performance.now() + START_LIMIT_MS
  while (performance.now() < limit) {
    const ok = await fetch(url, { headers: { authorization: 'Bearer svc_test_x' } }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    await wait(100)
  }
  throw new Error(`no response from ${url}`)
}

/**
 * Starts a double, which prints no line of JSON: it is ready when it answers `target`.
 *
 * @param command the executable and its arguments
 */
export async function startPeer(
  command: (port: number) => readonly string[],
  target: string,
): Promise<{ readonly port: number; readonly running: RunningProcess }> {
  const port = await freePort()
  const beside = path.join(import.meta.dirname, 'peer-process.ts')
  const running = await startProgram([beside, ...command(port)])
  try {
    await untilAnswers(`http://127.0.0.1:${port}${target}`)
  } catch (error) {
    await running.stop()
    throw error
  }
  return { port, running }
}
