import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

/**
 * An environment that keeps Node's compile cache for the next process: compiling is most of the
 * start of a process that lives for a second.
 */
export const withCompiled: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: path.join(tmpdir(), `keydesk-compiled-${process.getuid?.() ?? 0}`),
  ...process.env,
}

/**
 * Starts a console's source as a separate process, to be killed; its errors go to this process's
 * standard error.
 */
export const spawnConsole = (file: string): ChildProcessByStdio<Writable, Readable, null> =>
  spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'], env: withCompiled })
