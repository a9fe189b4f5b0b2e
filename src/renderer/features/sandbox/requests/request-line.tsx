import { Fragment } from 'react'
import type { SandboxRequest } from '../../../../contract/sandbox/sandbox-control.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ShortId } from '../../../ui/data-display/identity/short-id.tsx'
import { formatClockSeconds, formatUtc } from '../../../ui/format.ts'
import styles from '../sandbox.module.css'
import { statusTone } from '../words.ts'

/** Whether the sandbox can explain a request: it was rejected with a response. */
export const isRejected = ({ status }: SandboxRequest): boolean => status >= 400

/** One request of the log. It expands to request and response; a rejected one also has **Why**. */
export function RequestLine({
  request,
  account,
  open,
  explained,
  onOpen,
  onWhy,
}: {
  request: SandboxRequest
  account: string
  open: boolean
  /** Whether the panel beside the log explains it. */
  explained: boolean
  onOpen: () => void
  onWhy: () => void
}) {
  const { at, method, path, query = '', status, durationMs, requestId } = request
  const whole = query === '' ? path : `${path}?${query}`
  const spoken = [
    `${method} ${whole}`,
    status === 0 ? 'no response' : String(status),
    formatClockSeconds(at),
  ].join(', ')
  return (
    <Fragment>
      <tr data-open={open || explained || undefined} data-request={requestId}>
        <td data-quiet title={formatUtc(at)}>
          {formatClockSeconds(at)}
        </td>
        <td>
          <button
            type="button"
            className={styles.path}
            aria-expanded={open}
            aria-label={spoken}
            title={whole}
            onClick={onOpen}
          >
            <b>{method}</b> {whole}
          </button>
        </td>
        <td data-tone={statusTone(status)}>{status === 0 ? 'none' : status}</td>
        <td data-why>
          {isRejected(request) ? (
            <Button
              kind="quiet"
              size="xs"
              aria-label={`Why: ${spoken}`}
              aria-pressed={explained}
              onClick={onWhy}
            >
              Why
            </Button>
          ) : null}
        </td>
        <td data-end>{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)}</td>
        <td data-quiet title={account}>
          {account}
        </td>
        <td data-quiet>
          <ShortId id={requestId} />
        </td>
      </tr>
      {open ? <Exchange request={request} /> : null}
    </Fragment>
  )
}

/** It contains no controls, so make it focusable to scroll by keyboard. */
const scrolls = { tabIndex: 0, role: 'region' } as const

const bodyOf = (body: unknown): string =>
  body === null || body === undefined ? 'no body' : JSON.stringify(body, null, 1)

function Exchange({
  request: { method, path, status, fault, request, response },
}: {
  request: SandboxRequest
}) {
  return (
    <tr>
      <td colSpan={7}>
        <div
          className={styles.exchange}
          {...scrolls}
          aria-label={`${method} ${path}, request and response`}
        >
          <div>
            <h3>Request, secrets masked</h3>
            <pre>{bodyOf(request)}</pre>
          </div>
          <div>
            {fault == null ? null : <h3>Hit by the fault {fault}</h3>}
            <h3>Response{status === 0 ? ', but the connection closed first' : ''}</h3>
            <pre>{bodyOf(response)}</pre>
          </div>
        </div>
      </td>
    </tr>
  )
}
