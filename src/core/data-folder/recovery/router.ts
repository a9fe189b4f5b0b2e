import { implement } from '@orpc/server'
import { contract } from '../../../contract/index.ts'
import type { Clock } from '../../clock.ts'
import type { ReadOnly } from '../../core-services.ts'
import { failure } from '../../failure.ts'
import type { Host } from '../../../platform/host.ts'

/** The time between a response and the change of the core behind it, in milliseconds. */
const AFTER_RESPONSE_MS = 100

/** Implements the recovery contract for a console that has opened its data. */
export function createRecoveryRouter(parts: {
  host: Host
  clock: Clock
  readOnly: ReadOnly | undefined
  report: (where: string, error: unknown) => void
}) {
  const { readOnly } = parts
  const os = implement(contract.recovery)
  const opened = () =>
    failure('CONFLICT', 'Keydesk has opened its data.', 'Continue working.', {
      effect: 'Nothing was changed.',
    })
  const reject = (): never => {
    throw opened()
  }
  return os.router({
    state: os.state.handler(() =>
      readOnly === undefined
        ? { mode: 'normal' as const }
        : { mode: 'read-only' as const, problem: readOnly.problem },
    ),
    open: os.open.handler(() => {
      if (readOnly === undefined) throw opened()
      parts.clock.after(
        AFTER_RESPONSE_MS,
        () => void readOnly.leave().catch((error: unknown) => parts.report('recovery', error)),
      )
    }),
    repair: os.repair.handler(reject),
    openReadOnly: os.openReadOnly.handler(reject),
    exportReadable: os.exportReadable.handler(reject),
    readExport: os.readExport.handler(reject),
    quit: os.quit.handler(
      () => void parts.clock.after(AFTER_RESPONSE_MS, () => parts.host.quit?.()),
    ),
  })
}
