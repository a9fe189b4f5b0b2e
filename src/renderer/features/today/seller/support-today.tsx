import { useQuery } from '@tanstack/react-query'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api, type rpc } from '../../../lib/core/rpc.ts'
import { dayEdges } from '../../../lib/days.ts'
import { reasonWord } from '../../../lib/labels/dispute-labels.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Fact, Facts, FigureStrip } from '../../../ui/data-display/facts.tsx'
import { TimeLeft } from '../../../ui/data-display/time-left.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { formatCount, formatDuration } from '../../../ui/format.ts'
import { useRowMoves } from '../../../ui/hooks/row-moves.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { RowKeys } from '../attention.tsx'
import { NumberLink, useOpenPlace } from '../open-list.tsx'
import styles from '../today.module.css'
import { escalatingCount } from './escalations.ts'
import { batch, dispute, disputesIn } from './places.ts'
import { ESCALATES_AFTER_MS } from '../../../../../server/api/limits.ts'

const SHOWN = 100

type Disputes = Awaited<ReturnType<typeof rpc.disputes.list>>

function useQueue() {
  const { id: accountId } = useAccount()
  return useQuery(
    api.disputes.list.queryOptions({
      input: { accountId, view: 'needs-answer', window: { offset: 0, limit: SHOWN } },
    }),
  )
}

function useReport(days: number) {
  const { id: accountId } = useAccount()
  const edges = dayEdges(useAccountNow(), days)
  const [from = 0] = edges
  return useQuery(
    api.disputes.report.queryOptions({ input: { accountId, from, to: edges.at(-1) ?? from } }),
  ).data
}

/** The day's disputes by deadline. */
export function SupportToday() {
  const { id: accountId } = useAccount()
  const now = useAccountNow()
  const queue = useQueue()
  const disputes = queue.data
  const report = useReport(1)
  const alarms = useQuery(api.disputes.alarms.queryOptions({ input: { accountId } })).data
  return (
    <>
      <FigureStrip
        label="Disputes today"
        figures={[
          {
            label: 'Needs a reply',
            value:
              disputes === undefined ? (
                '–'
              ) : (
                <NumberLink place={disputesIn('needs-answer')}>
                  {formatCount(needsAnswer(disputes))}
                </NumberLink>
              ),
            ...(disputes !== undefined && {
              detail: `${escalatingOf(disputes, now)} escalate within 24 h`,
            }),
          },
          {
            label: 'First reply, median today',
            value: report?.answer.medianMs == null ? '–' : formatDuration(report.answer.medianMs),
          },
          {
            label: 'Opened today',
            value: report === undefined ? '–' : report.claims,
            ...(report !== undefined && {
              detail: `${report.outcome.replaced + report.outcome.refunded + report.outcome.rejected} of them resolved`,
            }),
          },
          { label: 'Batches in alarm', value: alarms === undefined ? '–' : alarms.length },
        ]}
      />
      {disputes !== undefined ? (
        <Queue disputes={disputes} now={now} />
      ) : (
        <NotRead query={queue} padded />
      )}
    </>
  )
}

const needsAnswer = ({ views }: Disputes): number => views['needs-answer'] ?? 0

const escalatingOf = (disputes: Disputes, now: number): string =>
  escalatingCount(disputes.rows, needsAnswer(disputes), now)

/** The disputes to answer, and how many others are unresolved. */
function Queue({ disputes, now }: { disputes: Disputes; now: number }) {
  const open = useOpenPlace()
  const table = useRowMoves<HTMLTableElement>()
  const { rows, views } = disputes
  return (
    <>
      {needsAnswer(disputes) === 0 ? (
        <p className={styles.quiet}>No dispute needs a reply.</p>
      ) : (
        <table ref={table} className={styles.queue}>
          <thead>
            <tr>
              <th scope="col">Deadline</th>
              <th scope="col">Dispute</th>
              <th scope="col">Reason</th>
              <th scope="col" aria-label="Action">
                <RowKeys />
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <QueueRow
                key={row.disputeId}
                row={row}
                now={now}
                isFirst={at === 0}
                onReply={() => open(dispute(row.disputeId))}
              />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.after}>
        After these:{' '}
        <NumberLink place={disputesIn('waiting')}>
          {formatCount(views.waiting ?? 0)} waiting for the customer
        </NumberLink>
        ,{' '}
        <NumberLink place={disputesIn('snoozed')}>
          {formatCount(views.snoozed ?? 0)} snoozed
        </NumberLink>
        ,{' '}
        <NumberLink place={disputesIn('escalated')}>
          {formatCount(views.escalated ?? 0)} escalated
        </NumberLink>
      </p>
    </>
  )
}

function QueueRow({
  row,
  now,
  isFirst,
  onReply,
}: {
  row: DisputeRow
  now: number
  isFirst: boolean
  onReply: () => void
}) {
  return (
    <tr data-row>
      <td>
        {row.escalatesAt === null ? (
          '–'
        ) : (
          <TimeLeft leftMs={row.escalatesAt - now} wholeMs={ESCALATES_AFTER_MS} />
        )}
      </td>
      <td>
        <b>{row.name}</b> <span className={styles.variant}>{variantLabel(row)}</span>
      </td>
      <td>{reasonWord(row.reasonKind)}</td>
      <td>
        <Button
          kind={isFirst ? 'primary' : 'standard'}
          aria-label={`Reply: ${row.name}, ${row.disputeId}`}
          onClick={onReply}
        >
          Reply
        </Button>
      </td>
    </tr>
  )
}

/** Batches in alarm, and how the disputes of 30 days ended. */
export function SupportGlance() {
  const { id: accountId } = useAccount()
  const query = useQuery(api.disputes.alarms.queryOptions({ input: { accountId } }))
  const alarms = query.data
  const outcome = useReport(30)?.outcome
  return (
    <>
      <PanelSection title="Batches in alarm">
        {alarms === undefined ? (
          <NotRead query={query} />
        ) : alarms.length === 0 ? (
          <p className={styles.text}>No batch has more disputes than Settings allow.</p>
        ) : (
          alarms.map((alarm) => (
            <p key={alarm.batchId} className={styles.alarm}>
              <b>
                {alarm.name}, {alarm.offerName}
              </b>
              {formatCount(alarm.claimed)} of {formatCount(alarm.keys)} keys disputed
              <NumberLink place={batch(alarm.batchId)}>Open the batch</NumberLink>
            </p>
          ))
        )}
      </PanelSection>
      <PanelSection title="Outcomes" aside="opened in 30 days">
        <Facts>
          <Fact label="Key replaced">{outcome?.replaced ?? '–'}</Fact>
          <Fact label="Refunded">{outcome?.refunded ?? '–'}</Fact>
          <Fact label="Rejected by service support">{outcome?.rejected ?? '–'}</Fact>
          <Fact label="Not resolved">
            {outcome === undefined ? '–' : outcome.open + outcome.escalated}
          </Fact>
        </Facts>
      </PanelSection>
    </>
  )
}
