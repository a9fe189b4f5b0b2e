import { execFileSync } from 'node:child_process'
import path from 'node:path'

const source = path.join(import.meta.dirname, 'shim.c')
const COMPILERS = ['cc', 'gcc', 'clang']

function compiler(): string | undefined {
  return COMPILERS.find((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

/** Why power can't be cut on this computer; null if it can. */
export function missingForCuts(): string | null {
  if (process.platform !== 'linux')
    return 'Power cuts are skipped: they record the system calls of Linux.'
  if (compiler() === undefined)
    return `Power cuts are skipped: they need a C compiler (${COMPILERS.join(', ')}).`
  return null
}

/** Compiles the shim into a folder; returns its file. */
export function compileShim(folder: string): string {
  const shim = path.join(folder, 'shim.so')
  execFileSync(compiler() ?? 'cc', [
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    shim,
    source,
    '-ldl',
    '-lpthread',
  ])
  return shim
}

/** The variables of a process that records its changes of a folder. */
export const recordingEnvironment = (
  shim: string,
  { root, log, control }: { root: string; log: string; control: string },
): NodeJS.ProcessEnv => ({
  LD_PRELOAD: shim,
  // Calls of the ring would not be seen.
  UV_USE_IO_URING: '0',
  KEYDESK_POWER_ROOT: root,
  KEYDESK_POWER_LOG: log,
  KEYDESK_POWER_CONTROL: control,
})
