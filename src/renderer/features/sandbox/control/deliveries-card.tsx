import { t } from '../../../../contract/localization/localized.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconSend, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import type { SandboxDelivery } from '../../../../contract/sandbox/sandbox-money.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatDuration, formatUtc } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { ControlCard } from './control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { previousPage, usePartners } from '../use-partners.ts'
import { useSandboxNow } from '../sandbox-time.tsx'

const pageSize = 8
const readEveryMs = 4000
/** Number of attempts shown as squares. Further ones are only counted. */
const squares = 8

/**
 * Deliveries to a partner's endpoint: one mark per attempt, the last response and the next attempt.
 * Each can be resent.
 */
export function DeliveriesCard() {
  const { partners, query, chosen, choose } = usePartners()
  const [page, setPage] = useState(1)
  const [setting, setSetting] = useState(false)
  const id = chosen?.id ?? ''
  const endpoint = useQuery({
    ...api.sandbox.money.webhook.queryOptions({ input: { id } }),
    enabled: id !== '',
  })
  const webhook = endpoint.data
  const deliveries = useQuery({
    ...api.sandbox.money.deliveries.queryOptions({ input: { id, page, limit: pageSize } }),
    enabled: id !== '',
    refetchInterval: readEveryMs,
    placeholderData: previousPage(api.sandbox.money.deliveries.key({ input: { id } })),
  })
  const list = deliveries.data
  const needed = [query, ...(chosen === undefined ? [] : [endpoint, deliveries])]
  const unread = needed.find(({ data }) => data === undefined)
  const hasNone = webhook === null || (query.data !== undefined && chosen === undefined)
  const now = useSandboxNow(1000)
  const test = useSandboxAction(
    () => rpc.sandbox.money.testWebhook({ id, mode: 'live' }),
    () => ({ title: 'Test event requested' }),
  )
  const resend = useSandboxAction(
    (deliveryId: string) => rpc.sandbox.money.resend({ id, deliveryId }),
    () => ({
      title: 'Event resent',
      text: 'It keeps its delivery id, so your handler can ignore it.',
    }),
  )
  const testNow = (): void => {
    if (webhook != null && !test.isPending) test.mutate(undefined)
  }
  useShortcut('T', testNow)
  return (
    <ControlCard
      flush
      icon={IconWebhook}
      title="Webhook deliveries"
      beside={
        <span>
          {webhook != null ? (
            <>
              to <code>{webhook.url}</code>
            </>
          ) : hasNone ? (
            'no endpoint'
          ) : endpoint.isError ? (
            'endpoint unknown'
          ) : null}
        </span>
      }
      actions={
        <>
          {partners.length < 2 ? null : (
            <Select
              aria-label="Partner"
              w={170}
              searchable
              data={partners.map((partner) => ({ value: partner.id, label: partner.name }))}
              value={id}
              allowDeselect={false}
              onChange={(next) => {
                if (next !== null) {
                  choose(next)
                  setPage(1)
                }
              }}
            />
          )}
          <Button disabled={chosen === undefined} onClick={() => setSetting(true)}>
            Endpoint…
          </Button>
          <Button
            keys={['T']}
            icon={<IconSend size={15} stroke={1.6} />}
            disabled={webhook == null}
            busy={test.isPending}
            onClick={testNow}
          >
            Send test
          </Button>
        </>
      }
    >
      {list !== undefined && list.total > 0 ? (
        <DeliveryTable
          deliveries={list.results}
          now={now}
          resending={resend.isPending}
          onResend={(deliveryId) => resend.mutate(deliveryId)}
        />
      ) : unread !== undefined ? (
        <NotRead query={unread} padded />
      ) : (
        <p className={styles.empty}>
          {hasNone
            ? 'Set an endpoint. The webhook inspector of a partner account can listen on this computer.'
            : 'No deliveries yet. Place an order, or send a test.'}
        </p>
      )}
      <Pager page={page} size={pageSize} total={list?.total} onPage={setPage} />
      {chosen === undefined || !setting ? null : (
        <EndpointDialog
          partner={chosen}
          url={webhook?.url ?? null}
          onClose={() => setSetting(false)}
        />
      )}
    </ControlCard>
  )
}

function DeliveryTable({
  deliveries,
  now,
  resending,
  onResend,
}: {
  deliveries: readonly SandboxDelivery[]
  now: number
  resending: boolean
  onResend: (deliveryId: string) => void
}) {
  return (
    <table className={styles.table} aria-label="Webhook deliveries">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col" style={{ width: 108 }}>
            Attempts
          </th>
          <th scope="col" style={{ width: 150 }}>
            Last response
          </th>
          <th scope="col" style={{ width: 96 }}>
            Next attempt
          </th>
          <th scope="col" style={{ width: 88 }}>
            <span className="kd-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td title={delivery.id}>
              <code>{delivery.event}</code>
            </td>
            <td>
              <Attempts delivery={delivery} />
            </td>
            <td>
              <LastResponse delivery={delivery} />
            </td>
            <td
              data-quiet
              title={
                delivery.nextAttemptAt === null ? undefined : formatUtc(delivery.nextAttemptAt)
              }
            >
              {delivery.nextAttemptAt === null
                ? '–'
                : delivery.nextAttemptAt <= now
                  ? 'now'
                  : `in ${formatDuration(delivery.nextAttemptAt - now)}`}
            </td>
            <td data-end>
              <Button
                size="xs"
                kind="quiet"
                aria-label={`Resend ${delivery.event} ${delivery.id}`}
                disabled={resending}
                onClick={() => onResend(delivery.id)}
              >
                Resend
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Attempts({
  delivery: { attempts, nextAttemptAt, status },
}: {
  delivery: SandboxDelivery
}) {
  const outcome =
    status === 'delivered' ? 'delivered' : nextAttemptAt === null ? 'gave up' : 'retry pending'
  const words = `${t('counts.attempts', { count: attempts.length })}, ${outcome}`
  const taken = (at: number | null): boolean => at !== null && at >= 200 && at < 300
  return (
    <span className={styles.attempts} role="img" aria-label={words} title={words}>
      {attempts.slice(-squares).map((attempt) => (
        <i key={attempt.at} data-mark={taken(attempt.status) ? 'taken' : 'failed'} />
      ))}
      {nextAttemptAt === null ? null : <i data-mark="waiting" />}
    </span>
  )
}

function LastResponse({ delivery: { attempts } }: { delivery: SandboxDelivery }) {
  const last = attempts.at(-1)
  if (last === undefined) return null
  const ms =
    last.durationMs >= 1000 ? formatDuration(last.durationMs) : `${Math.round(last.durationMs)} ms`
  return last.status === null ? (
    <span title={last.error ?? undefined}>
      <b data-tone="bad">no response</b> in {ms}
    </span>
  ) : (
    <span>
      <b data-tone={last.status < 300 ? 'ok' : 'bad'}>{last.status}</b> in {ms}
    </span>
  )
}
