import { t } from '../../../contract/localization/localized.ts'
import { SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useLocation } from 'wouter'
import type { InspectorEventDetail } from '../../../contract/webhook-inspector.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../ui/controls/buttons/copy-button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { formatClockSeconds, formatMoment } from '../../ui/format.ts'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './webhook-inspector.module.css'

const resultWords = { same: '= same', newer: 'newer', differs: 'differs' } as const
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/**
 * Shows a time as local time, unless only fractions of a second distinguish it from the other
 * value. Shows other values unchanged.
 */
function Value({ text, beside }: { text: string; beside: string }) {
  const now = useAccountNow()
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
  const told = (value: string): string =>
    new Date(value).toDateString() === new Date(now).toDateString()
      ? formatClockSeconds(Date.parse(value))
      : formatMoment(Date.parse(value), now)
  if (!isTime || (text !== beside && /^\d{4}-/.test(beside) && told(text) === told(beside)))
    return <td>{text}</td>
  return <td title={text}>{told(text)}</td>
}

/** The names, in lower case, of headers that differ from the signed body. */
const differingHeaders = ({ results }: InspectorEventDetail): Set<string> =>
  new Set(
    results.headerFields.flatMap(({ name, differs }) => (differs ? [name.toLowerCase()] : [])),
  )

/** The headers that the signature doesn't cover, next to the same values of the signed body. */
function HeaderComparison({ event }: { event: InspectorEventDetail }) {
  const { headerFields } = event.results
  const differing = headerFields.filter(({ differs }) => differs)
  return (
    <>
      {differing.length === 0 ? null : (
        <div className={styles.warning}>
          <Notice
            tone="warn"
            title={
              differing.some(({ field }) => field === 'event')
                ? 'The event name differs between header and body.'
                : 'The length differs between header and body.'
            }
          >
            The signature covers t and the body, not this header. Use the body.
          </Notice>
        </div>
      )}
      <div className={styles.head}>
        <h2>
          Header and body{' '}
          <small>
            {t('screens.webhooks-headers-differ', {
              differing: differing.length,
              count: headerFields.length,
            })}
          </small>
        </h2>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">In the header</th>
            <th scope="col">In the signed body</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {headerFields.map((field) => (
            <tr key={field.field} data-result={field.differs ? 'differs' : 'same'}>
              <td>{field.field}</td>
              <Value text={field.header} beside={field.body} />
              <Value text={field.body} beside={field.header} />
              <td>{field.note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** A received request, and its order compared with the service's current one. */
export function EventDetail({ event }: { event: InspectorEventDetail }) {
  const [form, setForm] = useState('raw')
  const headers = event.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const head = `${event.method} ${event.path}\n${headers}`
  const differing = differingHeaders(event)
  return (
    <>
      <div className={styles.head}>
        <h2>
          Request as received{' '}
          <small>
            {formatClockSeconds(event.receivedAt)}, {event.bytes.toLocaleString('en')} bytes
            {event.answered === null ? '' : `, answered ${event.answered}`}
          </small>
        </h2>
        <SegmentedControl
          aria-label="Body format"
          data={[
            { value: 'raw', label: 'Raw' },
            { value: 'pretty', label: 'Pretty' },
          ]}
          value={form}
          onChange={setForm}
        />
        <CopyButton
          label="Copy request"
          onCopy={() => navigator.clipboard.writeText(`${head}\n\n${event.body}`)}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by
          keyboard */}
      <div className={styles.request} tabIndex={0} role="region" aria-label="Headers and body">
        <pre>
          <b>{event.method}</b> {event.path}
          {event.headers.map(([name, value], index) => (
            <Fragment key={index}>
              {'\n'}
              {differing.has(name.toLowerCase()) ? (
                <mark>
                  {name}: {value}
                  <em>differs from the body</em>
                </mark>
              ) : (
                `${name}: ${value}`
              )}
            </Fragment>
          ))}
        </pre>
        <pre>{form === 'raw' ? event.body : pretty(event.body)}</pre>
      </div>
      <HeaderComparison event={event} />
      {event.orderId === null ? null : <OrderComparison event={event} orderId={event.orderId} />}
    </>
  )
}

/** The order in the event, and its current state. */
function OrderComparison({ event, orderId }: { event: InspectorEventDetail; orderId: string }) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const read = useMutation(
    api.webhookInspector.refreshOrder.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), orderId),
    }),
  )
  const differs = event.compared?.fields.filter(({ result }) => result === 'differs').length ?? 0
  return (
    <>
      <div className={styles.head}>
        <h2>
          Event and current order{' '}
          <small>
            {orderId}
            {event.compared === null
              ? ''
              : `, refreshed at ${formatClockSeconds(event.compared.readAt)}`}
          </small>
        </h2>
        <Button
          kind="quiet"
          icon={<IconRefresh size={16} stroke={1.6} />}
          busy={read.isPending}
          onClick={() => read.mutate({ accountId, eventKey: event.eventKey })}
        >
          Refresh
        </Button>
      </div>
      {event.compared === null ? null : (
        <>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">In the event</th>
                <th scope="col">On the service now</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {event.compared.fields.map((field) => (
                <tr key={field.field} data-result={field.result}>
                  <td>{field.field}</td>
                  <Value text={field.event} beside={field.now} />
                  <Value text={field.now} beside={field.event} />
                  <td>{resultWords[field.result]}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className={styles.truth}>
            <p>
              The order is the source of truth.{' '}
              {differs === 0
                ? 'Nothing in the event contradicts it.'
                : t('screens.webhooks-contradicting', { count: differs })}
            </p>
            <Button onClick={() => go(`/orders/${orderId}`)}>View order</Button>
          </div>
        </>
      )}
    </>
  )
}
