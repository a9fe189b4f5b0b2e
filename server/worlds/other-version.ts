/** Starts another version of the service, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { instantText } from '../domain/context.ts'
import type { Options } from '../options.ts'
import type { Ready } from '../sandbox-types.ts'
import type { StartSandbox } from './replay.ts'

const argumentsFor = ({ repeatable, world, webhooks }: Options): string[] => [
  '--memory',
  '--port=0',
  '--exit-with-parent',
  `--seed=${world.seed}`,
  ...(world.seed === 'demo' ? [`--products=${world.products}`] : []),
  ...(repeatable === null
    ? []
    : [`--repeatable=${repeatable.seed}`, `--at=${instantText(repeatable.at)}`]),
  ...(webhooks ? [] : ['--no-webhooks']),
]

/** @param path the program, or the folder of an installed `keydesk-sandbox` */
export function programAt(path: string): string | null {
  const given = resolve(path)
  if (!existsSync(given)) return null
  const program = statSync(given).isDirectory() ? join(given, 'main.js') : given
  return existsSync(program) ? program : null
}

/** Starts services with a program of another version. */
export const startProgram =
  (program: string): StartSandbox =>
  async (options) => {
    const service = spawn(process.execPath, [program, ...argumentsFor(options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let said = ''
    service.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = once(service, 'close')
    const line = await Promise.race([
      once(createInterface(service.stdout), 'line'),
      ended.then(() => null),
    ])
    if (line === null) throw new Error(`${program} didn't start: ${said.trim()}`)
    return {
      ready: JSON.parse(String(line[0])) as Ready,
      async stop() {
        service.stdin.end()
        await ended
      },
    }
  }
