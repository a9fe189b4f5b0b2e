import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Ready } from '../sandbox-types.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

export type Ended = {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/**
 * Starts the service as its own process, as a person or a CI does. `output`: its output so far;
 * `nodeArgs`: options of Node itself.
 */
export function startBackend(args: readonly string[], nodeArgs: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk))
  const ended: Promise<Ended> = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    ...output,
  }))
  const ready = new Promise<Ready>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [line, rest] = output.stdout.split('\n')
      if (rest !== undefined) resolve(JSON.parse(line ?? ''))
    })
    void ended.then(({ stderr }) => reject(new Error(`exited before it was ready: ${stderr}`)))
  })
  // A caller that only waits for the exit doesn't need to handle a failed start.
  ready.catch(() => undefined)
  return { child, ready, ended, output }
}
