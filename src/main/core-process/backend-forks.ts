import type { UtilityProcess } from 'electron'
import { backendStart, defaultLimits } from '../../platform/backends/backend-process.ts'
import type { BackendLimits, BackendReady } from '../../platform/backends/backend-process.ts'
import type { FromCore, ToCore } from './core-messages.ts'
import { stopProcess } from './stop-process.ts'

type Fork = (
  modulePath: string,
  args: string[],
  options: { stdio: 'pipe'; serviceName: string; env: Record<string, string> },
) => UtilityProcess

/**
 * Backend processes that the main process forks for the core. They stop with the main process,
 * whatever happens to the core.
 */
export function createBackendForks(
  fork: Fork,
  serverPath: string,
  tell: (message: ToCore) => void,
  limits: BackendLimits = defaultLimits,
): {
  hear(message: Extract<FromCore, { type: 'start-backend' | 'stop-backend' }>): void
  stopAll(): void
} {
  const running = new Map<number, UtilityProcess>()
  const stop = (child: UtilityProcess): void => stopProcess(child, limits.stopMs)
  return {
    hear(message) {
      if (message.type === 'stop-backend') {
        const child = running.get(message.id)
        if (child !== undefined) stop(child)
        return
      }
      const { id, options } = message
      const { args, env } = backendStart(options, process.env)
      const child = fork(serverPath, args, {
        stdio: 'pipe',
        serviceName: 'Keydesk sandbox',
        env,
      })
      running.set(id, child)
      let output = ''
      let ready = false
      let lastWords = ''
      const notReady = setTimeout(() => {
        lastWords = `The sandbox was not ready within ${limits.readyMs / 1000} s.`
        stop(child)
      }, limits.readyMs)
      child.stdout?.on('data', (part: Buffer) => {
        output += part.toString()
        const end = output.indexOf('\n')
        if (ready || end < 0) return
        ready = true
        clearTimeout(notReady)
        tell({ type: 'backend-ready', id, ready: JSON.parse(output.slice(0, end)) as BackendReady })
      })
      child.stderr?.on('data', (part: Buffer) => {
        lastWords = (lastWords + part.toString()).slice(-2000)
      })
      child.once('exit', (code) => {
        clearTimeout(notReady)
        running.delete(id)
        tell({ type: 'backend-ended', id, code, lastWords: lastWords.trim() })
      })
    },
    stopAll() {
      for (const child of running.values()) stop(child)
    },
  }
}
