import type { ActivityEntry } from '../../../contract/app/app.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { ProblemCodes } from '../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import { formatCount, formatFullMoment, formatUtc } from '../../ui/format.ts'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { outcomeWords } from './outcome.ts'

/** One entry in full, with codes to copy. */
export function ActivityPanel({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }) {
  return (
    <SidePanel
      title={formatMessage(entry.what)}
      detail={formatFullMoment(entry.at)}
      onClose={onClose}
    >
      <PanelSection>
        <Facts>
          <Fact label="Outcome" strong>
            {outcomeWords[entry.outcome]}
          </Fact>
          <Fact label="Time (UTC)">{formatUtc(entry.at)}</Fact>
          {entry.durationMs === null ? null : (
            <Fact label="Duration">{formatCount(Math.round(entry.durationMs))} ms</Fact>
          )}
          {entry.status === null ? null : <Fact label="HTTP status">{entry.status}</Fact>}
          {entry.code === null ? null : (
            <Fact label="Code" mono>
              {entry.code}
            </Fact>
          )}
          {entry.requestId === null ? null : (
            <Fact label="Request" mono>
              {entry.requestId}
            </Fact>
          )}
        </Facts>
      </PanelSection>
      {entry.detail === null ? null : (
        <PanelSection title="Detail">{formatMessage(entry.detail)}</PanelSection>
      )}
      {entry.code === null && entry.requestId === null ? null : (
        <PanelSection title="For the service’s support">
          <ProblemCodes
            problem={{ code: entry.code ?? '', status: entry.status, requestId: entry.requestId }}
          />
        </PanelSection>
      )}
    </SidePanel>
  )
}
