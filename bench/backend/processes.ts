/**
 * Programs that a benchmark runs: each in a separate process, ready when it has written one line of
 * JSON.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export type RunningProcess = {
  readonly pid: number
  /** Its ready line, parsed. */
  readonly ready: unknown
  /** From its start to the ready line. */
  readonly readyMs: number
  /** The next line of its standard output, parsed. */
  next(): Promise<unknown>
  stop(): Promise<void>
}

/**
 * CPU time used by a process so far, in milliseconds; null where the system doesn't report it.
 * Clock ticks are 10 ms on every common Linux.
 */
export function cpuMsOf(pid: number): number | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Starts `node ARGS`, writes `input` to it, and waits for its first line. Throws if it exits before
 * that.
 */
export async function startProgram(
  args: readonly string[],
  input?: unknown,
): Promise<RunningProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const end = (): void => void child.kill('SIGKILL')
  process.on('exit', end)
  const ended = once(child, 'close').then(() => process.off('exit', end))
  if (input !== undefined) child.stdin.end(JSON.stringify(input))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${args.join(' ')} exited before its ready line`)
    return JSON.parse(value)
  }
  const ready = await next()
  const readyMs = performance.now() - began
  return {
    pid: child.pid ?? 0,
    ready,
    readyMs,
    next,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
