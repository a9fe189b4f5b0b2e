import type { InferContractRouterInputs } from '@orpc/contract'
import type { ResponseBody } from '../../../server/api/handlers.ts'
import {
  certificateStateSchema,
  type SandboxCertificate,
} from '../../contract/sandbox/sandbox-certificate.ts'
import type { Contract } from '../../contract/index.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { JobRegistry } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { Dashboard } from './dashboard.ts'

type StartInput = InferContractRouterInputs<Contract['sandbox']['certificate']>['start']

const jobId = 'sandbox-certificate'
/** How often a running certificate is read for the status bar. */
const readEveryMs = 500

export interface Certificate {
  state(): Promise<SandboxCertificate>
  start(input: StartInput): Promise<SandboxCertificate>
  cancel(): Promise<SandboxCertificate>
  /** The handler’s environment variables as lines. Throws Failure `NOT_FOUND` before a start. */
  variables(): Promise<string>
}

const isActive = ({ state }: SandboxCertificate): boolean =>
  state === 'waiting' || state === 'running' || state === 'shrinking'

/** Hides the variables, which contain secrets. */
const viewOf = ({ variables, ...view }: ResponseBody<'getCertificate'>): SandboxCertificate => ({
  ...view,
  state: certificateStateSchema.parse(view.state),
  hasVariables: variables !== null,
})

/** The certificate that the sandbox runs, as a job until it ends. */
export function createCertificate({
  dashboard: { call },
  jobs,
  changes,
  clock,
  learn,
}: {
  dashboard: Dashboard
  jobs: JobRegistry
  changes: Changes
  clock: Clock
  learn: (secret: string) => void
}): Certificate {
  let isFollowed = false

  function show({ state, done, schedules }: SandboxCertificate): void {
    jobs.set(
      {
        id: jobId,
        kind: 'certificate',
        accountId: null,
        title: 'Certificate',
        state: state === 'waiting' ? 'waiting' : 'running',
        done,
        total: schedules,
        leftMs: null,
      },
      { cancel: async () => void (await cancel()) },
    )
  }

  /** Reads it until it ends, or until the sandbox does. */
  async function follow(): Promise<void> {
    const view = await read().catch((error: unknown) =>
      error instanceof Failure && error.problem.code === 'SANDBOX_STOPPED' ? null : 'unread',
    )
    if (view === null || (view !== 'unread' && !isActive(view))) {
      isFollowed = false
      jobs.end(jobId)
      return changes.notify('sandbox')
    }
    if (view !== 'unread') show(view)
    clock.after(readEveryMs, () => void follow())
  }

  const read = async (): Promise<SandboxCertificate> => viewOf(await call('getCertificate', {}))
  const cancel = async (): Promise<SandboxCertificate> =>
    viewOf(await call('cancelCertificate', {}))

  return {
    state: read,
    cancel,
    async start(body) {
      const view = viewOf(await call('startCertificate', { body }))
      show(view)
      if (!isFollowed) {
        isFollowed = true
        clock.after(readEveryMs, () => void follow())
      }
      return view
    },
    async variables() {
      const { variables } = await call('getCertificate', {})
      if (variables === null)
        throw failure(
          'NOT_FOUND',
          'There are no variables yet.',
          'Run a certificate first; its variables appear while it waits for your handler.',
        )
      learn(variables.KEYDESK_API_KEY)
      learn(variables.KEYDESK_WEBHOOK_SECRET)
      return Object.entries(variables)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join('\n')
    },
  }
}
