import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { backendStart, defaultLimits } from './backend-process.ts'
import type {
  BackendLimits,
  BackendProcesses,
  BackendReady,
  RunningBackend,
} from './backend-process.ts'

/**
 * Backends as processes of the Node that runs us. A backend exits when its standard input closes,
 * so it never outlives the console.
 */
export function createNodeBackends(
  serverPath: string,
  limits: BackendLimits = defaultLimits,
): BackendProcesses {
  return {
    start(options) {
      const { args, env } = backendStart(options, process.env)
      const child = spawn(process.execPath, [serverPath, ...args, '--exit-with-parent'], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env,
      })
      return running(child, limits)
    },
  }
}

function running(child: ChildProcess, limits: BackendLimits): Promise<RunningBackend> {
  let lastWords = ''
  child.stderr?.on('data', (part: Buffer) => {
    lastWords = (lastWords + part.toString()).slice(-2000)
  })
  // Writing to a backend that has exited fails. The handler below reports the exit.
  child.stdin?.on('error', () => {})
  const ended = new Promise<{ code: number | null; lastWords: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, lastWords: error.message }))
    child.once('close', (code) => resolve({ code, lastWords: lastWords.trim() }))
  })
  const stop = async (): Promise<void> => {
    child.stdin?.end()
    if (process.platform !== 'win32') child.kill('SIGTERM')
    const byForce = setTimeout(() => child.kill('SIGKILL'), limits.stopMs)
    await ended
    clearTimeout(byForce)
  }
  return new Promise((resolve, reject) => {
    const notReady = setTimeout(() => {
      reject(new Error(`The sandbox was not ready within ${limits.readyMs / 1000} s.`))
      void stop()
    }, limits.readyMs)
    void ended.then(() => clearTimeout(notReady))
    let output = ''
    const read = (part: Buffer): void => {
      output += part.toString()
      const end = output.indexOf('\n')
      if (end < 0) return
      clearTimeout(notReady)
      child.stdout?.off('data', read)
      child.stdout?.resume()
      try {
        resolve({ ready: readyOf(output.slice(0, end)), stop, ended })
      } catch (error) {
        void stop()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    child.stdout?.on('data', read)
    void ended.then(({ code, lastWords: words }) =>
      reject(
        new Error(
          words === ''
            ? `The sandbox exited with status ${code ?? 'none'} before it was ready.`
            : words,
        ),
      ),
    )
  })
}

/** The ready line. Only the fields that the console relies on are checked. */
function readyOf(line: string): BackendReady {
  const value: unknown = JSON.parse(line)
  if (
    typeof value !== 'object' ||
    value === null ||
    !('ready' in value) ||
    value.ready !== true ||
    !('baseUrl' in value) ||
    typeof value.baseUrl !== 'string'
  ) {
    throw new Error('The sandbox’s first line of output isn’t its ready line.')
  }
  // The backend is ours and from the same build: its ready line has this shape
  // (docs/service/sandbox.md, "Starting it").
  return value as unknown as BackendReady
}
