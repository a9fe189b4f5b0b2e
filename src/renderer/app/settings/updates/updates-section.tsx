import { useRef } from 'react'
import type { UpdateState } from '../../../../contract/app/updates.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatFullMoment } from '../../../ui/format.ts'
import { SettingRow } from '../setting-row.tsx'
import { UpdateCard } from './update-card.tsx'
import { type ActOnUpdate, useUpdates } from './use-updates.ts'

/** Keydesk’s own updates: their state, the offered version, and when it is applied. */
export function UpdatesSection() {
  const section = useRef<HTMLElement>(null)
  // The section is the last one of the page, so that a new card would be below its edge.
  const { state, act } = useUpdates(() =>
    requestAnimationFrame(() => section.current?.scrollIntoView({ block: 'nearest' })),
  )
  if (state === undefined) return null
  return (
    <section aria-label="Updates" ref={section}>
      <h2>Updates</h2>
      <SummaryRow state={state} act={act} />
      <UpdateCard state={state} act={act} />
    </section>
  )
}

function summaryOf({ status, checkedAt }: UpdateState): string {
  if (status === 'sources')
    return 'Keydesk doesn’t look for updates here. Install a newer version, or update the sources.'
  if (status === 'off')
    return 'Updates are off: no update address is configured, so nothing is requested.'
  if (status === 'checking') return 'Checking for updates…'
  return checkedAt === null
    ? 'Not checked since Keydesk was started.'
    : `Last checked ${formatFullMoment(checkedAt)}.${status === 'current' ? ' Keydesk is up to date.' : ''}`
}

function SummaryRow({ state, act }: { state: UpdateState; act: ActOnUpdate }) {
  const canCheck = !['sources', 'off', 'installed'].includes(state.status)
  return (
    <SettingRow name={`Keydesk ${state.current}`} text={summaryOf(state)}>
      {canCheck ? (
        <Button
          busy={state.status === 'checking'}
          disabled={state.status === 'downloading'}
          onClick={() => act(() => rpc.updates.check())}
        >
          Check for updates
        </Button>
      ) : null}
    </SettingRow>
  )
}
