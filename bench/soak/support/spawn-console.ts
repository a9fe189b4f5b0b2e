import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

/**
 * An environment in which what Node made of the sources stays for the next process: most of the
 * start of one that lives for a second.
 */
export const withCompiled: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: path.join(tmpdir(), `keydesk-compiled-${process.getuid?.() ?? 0}`),
  ...process.env,
}

/** Starts a console's source as a process of its own, to be killed; its errors go where ours go. */
export const spawnConsole = (file: string): ChildProcessByStdio<Writable, Readable, null> =>
  spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'], env: withCompiled })
