import { t } from '../../../../contract/localization/localized.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatClock } from '../../../ui/format.ts'
import { useStopSwitch } from './stop-all.tsx'

/**
 * The status bar's segment for auto-apply: the number of rules, or since when sending is stopped.
 */
export function WatchSegment({
  render,
}: {
  render: (tone: 'bad' | undefined, children: ReactNode) => ReactNode
}) {
  const { state, stop, resume, busy } = useStopSwitch()
  if (state === undefined) return null
  if (state.stoppedAt !== null)
    return (
      <>
        {render(
          'bad',
          <>
            <i />
            Price rules stopped since {formatClock(state.stoppedAt)}
          </>,
        )}
        {render(
          undefined,
          <button type="button" disabled={busy} onClick={resume}>
            Resume sending
          </button>,
        )}
      </>
    )
  if (state.auto === 0 && state.sending === 0) return null
  return (
    <>
      {render(
        undefined,
        <Link href="/watch/rules">
          {state.sending > 0
            ? `Sending ${t('counts.prices', { count: state.sending })}`
            : `Auto-apply on ${t('counts.rules', { count: state.auto })}`}
        </Link>,
      )}
      {render(
        undefined,
        <button type="button" disabled={busy} title="Ctrl+." onClick={stop}>
          Stop all
        </button>,
      )}
    </>
  )
}
