import { useQuery } from '@tanstack/react-query'
import { IconClock, IconPlayerTrackNext } from '@tabler/icons-react'
import { useState } from 'react'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { MomentField } from '../../../ui/controls/fields/moment-field.tsx'
import {
  formatClockSeconds,
  formatDay,
  formatDuration,
  formatFullMoment,
  formatMoment,
  formatUtc,
  formatZone,
} from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { ControlCard } from './control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { dueWords } from '../words.ts'

const hourMs = 3_600_000
const steps = [
  ['+ 1 min', 60_000],
  ['+ 1 h', hourMs],
  ['+ 1 day', 24 * hourMs],
  ['+ 7 days', 168 * hourMs],
] as const
/**
 * Milliseconds between reads of the due events, in addition to one after each change, because time
 * also passes on its own.
 */
const lookEveryMs = 20_000

/** The sandbox's clock: how far it is ahead, what falls due next, and buttons to advance it. */
export function ClockCard() {
  const machine = useNow(1000)
  const [wanted, setWanted] = useState<number | null>(null)
  const clock = useQuery(api.sandbox.control.clock.queryOptions()).data
  const due = useQuery({
    ...api.sandbox.control.due.queryOptions(),
    refetchInterval: lookEveryMs,
  }).data
  const advance = useSandboxAction(
    (by: { ms: number } | { to: number }) => rpc.sandbox.control.advance(by),
    ({ now }) => ({
      title: `The sandbox’s time is now ${formatFullMoment(now)}`,
      text: 'Everything that fell due in between happened at its own time.',
    }),
    () => setWanted(null),
  )
  const now = clock === undefined ? null : machine + clock.offsetMs
  const next = due?.find(({ at }) => now === null || at > now) ?? due?.[0]
  const forward = wanted !== null && now !== null && wanted > now
  const advanceToNext = (): void => {
    if (next !== undefined && now !== null && !advance.isPending)
      advance.mutate(next.at > now ? { to: next.at } : { ms: 1 })
  }
  useShortcut('N', advanceToNext)
  return (
    <ControlCard
      icon={IconClock}
      title="Clock"
      actions={
        <span className={styles.note} title={formatUtc(machine)}>
          computer {formatMoment(machine, machine)} {formatZone(machine)}
        </span>
      }
    >
      <div className={styles.row}>
        <span className={styles.now} role="timer" aria-label="Time in the sandbox">
          {now === null ? ' ' : `${formatDay(now)}, ${formatClockSeconds(now)}`}
        </span>
        <span className="grow" />
        <MomentField
          name="Advance to"
          value={wanted}
          disabled={advance.isPending}
          onChange={setWanted}
          onEnter={() => {
            if (forward) advance.mutate({ to: wanted })
          }}
        />
        {wanted === null ? null : (
          <Button
            disabled={!forward}
            busy={advance.isPending}
            onClick={() => {
              if (forward) advance.mutate({ to: wanted })
            }}
          >
            Advance
          </Button>
        )}
      </div>
      {wanted !== null && !forward ? (
        <p className={styles.note}>Time only moves forward. Choose a later time.</p>
      ) : null}
      <div className={styles.row}>
        {steps.map(([label, ms]) => (
          <Button key={label} disabled={advance.isPending} onClick={() => advance.mutate({ ms })}>
            {label}
          </Button>
        ))}
        <span className="grow" />
        <Button
          kind="primary"
          keys={['N']}
          icon={<IconPlayerTrackNext size={16} stroke={1.6} />}
          disabled={next === undefined}
          busy={advance.isPending}
          onClick={advanceToNext}
        >
          Advance to next event
        </Button>
      </div>
      <ul className={styles.due} aria-label="Due next">
        {due?.slice(0, 4).map((item) => (
          <li key={`${item.kind} ${item.what} ${item.at} ${item.count}`}>
            <span title={dueWords(item)}>{dueWords(item)}</span>
            <span title={formatUtc(item.at)}>
              {now === null
                ? ''
                : item.at <= now
                  ? 'now'
                  : item.at - now < hourMs
                    ? `in ${formatDuration(item.at - now)}`
                    : formatMoment(item.at, now)}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {due?.length === 0 ? 'No due events are known. ' : ''}The clock only moves forward.
        Everything due in between happens at its own time. To go back, restore a snapshot or reset.
      </p>
    </ControlCard>
  )
}
