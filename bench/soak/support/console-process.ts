import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { PowerCuts } from './power-cuts.ts'

/**
 * An environment that keeps Node's compile cache for the next process: compiling is most of the
 * start of a process that lives for a second.
 */
export const withCompileCache: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: path.join(tmpdir(), `keydesk-compiled-${process.getuid?.() ?? 0}`),
  ...process.env,
}

/** A console in a process of its own, which a soak can kill. */
export interface ConsoleProcess<Said> {
  /** What it reports, until it exits. Read it completely before {@link killed}. */
  readonly said: AsyncIterable<Said>
  /** Kills it with SIGKILL after this many milliseconds. */
  kill(afterMs?: number): void
  /** Resolves when it has exited: whether it was killed. Rejects if it failed. */
  killed(): Promise<boolean>
}

/** A cut that no change of the folder triggers strikes after this time. */
const CUT_WITHIN_MS = 250

/**
 * Starts a console's source, a file that calls `runSoakConsole`, with these options. Its errors go
 * to this process's standard error. `cuts`: its end, also an orderly one, is a power loss.
 */
export function startConsole<Said>(
  file: string,
  options: { dataDir: string },
  cuts: PowerCuts | null = null,
): ConsoleProcess<Said> {
  const supply = cuts?.supply(options.dataDir, true)
  const child = spawn(process.execPath, [file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...withCompileCache, ...supply?.env },
  })
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  // A process that is cut during its start reads nothing.
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(options)}\n`)
  async function* readSaid(): AsyncGenerator<Said, void, void> {
    for await (const line of createInterface({ input: child.stdout }))
      yield JSON.parse(line) as Said
  }
  function strike(): void {
    supply?.cutSoon()
    if (supply === undefined) child.kill('SIGKILL')
    else setTimeout(() => child.kill('SIGKILL'), CUT_WITHIN_MS)
  }
  return {
    said: readSaid(),
    kill: (afterMs = 0) => void setTimeout(strike, afterMs),
    async killed() {
      const [code, signal] = await exited
      if (code !== 0 && signal !== 'SIGKILL')
        throw new Error(`the console exited with ${code ?? signal}`)
      supply?.off()
      return signal === 'SIGKILL'
    },
  }
}
