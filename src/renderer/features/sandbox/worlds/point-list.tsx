import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconCamera, IconHistory, IconNote } from '@tabler/icons-react'
import type { SandboxPoint } from '../../../../contract/sandbox/sandbox-control.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { type Effect, Effects } from '../../../ui/feedback/confirm-dialog.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import { formatClockSeconds, formatDuration, formatUtc } from '../../../ui/format.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { Differences } from './differences-panel.tsx'

const reasons: Readonly<Record<SandboxPoint['reason'], string>> = {
  minute: 'After a change',
  clock: 'Before the clock moved',
  restore: 'Before a restore',
  reset: 'Before a reset',
  back: 'Before you went back',
}

/** Recent states of the sandbox, newest first. */
export function PointList({
  open,
  onOpen,
}: {
  open: string | null
  onOpen: (point: SandboxPoint) => void
}) {
  const now = useNow(10_000)
  const points = useQuery(api.sandbox.control.points.queryOptions()).data?.results
  if (points?.length === 0)
    return (
      <p className={styles.note}>
        None yet. Keydesk saves the state each minute in which something changed, and before you
        move the clock, restore or reset.
      </p>
    )
  return (
    <ul className={styles.lines} aria-label="Recent states">
      {points?.map((point) => (
        <li key={point.name} data-open={point.name === open || undefined}>
          <span>
            <time title={formatUtc(point.at)}>
              <b>{formatClockSeconds(point.at)}</b>
            </time>
            , {formatDuration(Math.max(0, now - point.at))} ago
          </span>
          <small>{reasons[point.reason]}</small>
          <Button
            size="xs"
            aria-label={`Go back to ${formatClockSeconds(point.at)}`}
            aria-pressed={point.name === open}
            onClick={() => onOpen(point)}
          >
            Go back…
          </Button>
        </li>
      ))}
    </ul>
  )
}

const kept: readonly Effect[] = [
  {
    icon: <IconHistory size={16} stroke={1.6} />,
    what: 'The present state',
    more: 'is saved in this list first, so you can return to it.',
  },
  {
    icon: <IconCamera size={16} stroke={1.6} />,
    what: 'Snapshots and branches',
    more: 'don’t change.',
  },
  {
    icon: <IconNote size={16} stroke={1.6} />,
    what: 'Keys and notes in Keydesk',
    more: 'that exist only on this computer stay. Accounts sync again.',
  },
]

/** What going back undoes and keeps, and the button that goes back. */
export function PointPanel({ point, onClose }: { point: SandboxPoint; onClose: () => void }) {
  const { name, at } = point
  const time = formatClockSeconds(at)
  const compared = useQuery({
    ...api.sandbox.control.compareSnapshot.queryOptions({ input: { name, to: null } }),
    staleTime: 0,
    retry: false,
  })
  const back = useSandboxAction(
    () => rpc.sandbox.control.goBack({ name }),
    () => ({
      title: `Went back to ${time}`,
      text: 'The state before is the newest one under Go back.',
    }),
    onClose,
  )
  return (
    <SidePanel
      title={`Go back to ${time}`}
      detail={reasons[point.reason]}
      width={460}
      onClose={onClose}
      footer={
        <Button
          kind="primary"
          icon={<IconArrowBackUp size={16} stroke={1.6} />}
          busy={back.isPending}
          disabled={compared.data === undefined}
          onClick={() => back.mutate(undefined)}
        >
          Go back to {time}
        </Button>
      }
    >
      <PanelSection title="What stays">
        <Effects effects={kept} />
      </PanelSection>
      {compared.isError ? (
        <ErrorState problem={problemOf(compared.error)} onRetry={() => void compared.refetch()} />
      ) : compared.data === undefined ? (
        <PanelSection title="Changes to undo">
          <ProgressRing label="Comparing" />
        </PanelSection>
      ) : (
        <Differences title="Changes to undo" {...compared.data} />
      )}
    </SidePanel>
  )
}
