/**
 * Mock servers that are alternatives to the service: installed when a benchmark needs them, in
 * fixed versions, outside the project's packages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { npmCommand } from '../../scripts/lib/install.mjs'
import { modulesFolder } from '../../scripts/lib/paths.mjs'

const versions = { '@stoplight/prism-cli': '5.16.0', 'json-server': '0.17.4' } as const
/** 79 MB that no other command needs. */
const folder = path.join(modulesFolder, '.cache', 'keydesk-peers')

export type Peers = { readonly prism: string; readonly jsonServer: string }

/** The mock servers' programs, installed by npm the first time; null when installation fails. */
export function installPeers(log: (text: string) => void): Peers | null {
  const of = (name: string) => path.join(folder, 'node_modules', name)
  const prism = path.join(of('@stoplight/prism-cli'), 'dist', 'index.js')
  const jsonServer = path.join(of('json-server'), 'lib', 'cli', 'bin.js')
  if (existsSync(prism) && existsSync(jsonServer)) return { prism, jsonServer }
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: versions }),
  )
  const { program, first, shell } = npmCommand()
  try {
    execFileSync(
      program,
      [...first, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder, shell, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    return { prism, jsonServer }
  } catch (error) {
    log(
      'Prism and json-server could not be installed and are left out: ' +
        `${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    )
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
