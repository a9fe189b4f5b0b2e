import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SandboxFault } from '../../../../contract/sandbox/sandbox-control.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount } from '../use-sandbox-action.ts'

export const faultKinds = {
  error: 'Error',
  delay: 'Delay',
  lost: 'Lost response',
  delivery: 'Delivery',
} as const
export type FaultKind = keyof typeof faultKinds

const leads: Record<FaultKind, string> = {
  error: 'Matching requests are rejected and have no effect.',
  delay: 'Responses to matching requests are delayed.',
  lost: 'The connection of matching requests is cut, so the sender can’t know their outcome.',
  delivery:
    'Units aren’t delivered and return to stock. Their order is partial or failed and its money is refunded.',
}
const methods = ['any', 'GET', 'POST', 'PATCH', 'DELETE']

/** Adds one fault: the requests it matches, its effect, and how often it occurs. */
export function FaultDialog({
  kind,
  onAdd,
  onClose,
}: {
  kind: FaultKind
  onAdd: (fault: SandboxFault) => Promise<void>
  onClose: () => void
}) {
  const [method, setMethod] = useState('any')
  const [path, setPath] = useState(kind === 'delay' ? '/v1/products*' : '/v1/orders*')
  const [status, setStatus] = useState<number | string>(503)
  const [code, setCode] = useState('SERVICE_UNAVAILABLE')
  const [latency, setLatency] = useState<number | string>(1200)
  const [times, setTimes] = useState<number | string>(1)
  const [chance, setChance] = useState<number | string>('')
  const [productId, setProductId] = useState('')
  const [busy, setBusy] = useState(false)
  const pathFits = /^(\/|\*$)/.test(path) && !path.startsWith('/dashboard')
  const ready =
    kind === 'delivery'
      ? typeof times === 'number'
      : pathFits &&
        (kind !== 'error' || typeof status === 'number') &&
        (kind !== 'delay' || typeof latency === 'number')
  const match = {
    match: { ...(method === 'any' ? {} : { method }), path },
    ...(typeof times === 'number' && { times }),
    ...(typeof chance === 'number' && { probability: chance / 100 }),
  }
  const fault = (): SandboxFault => {
    switch (kind) {
      case 'error':
        return { ...match, status: Number(status), ...(code === '' ? {} : { code }) }
      case 'delay':
        return { ...match, latencyMs: Number(latency) }
      case 'lost':
        return { ...match, dropConnection: true }
      case 'delivery':
        return {
          deliver: {
            ...(productId.trim() === '' ? {} : { productId: productId.trim() }),
            failUnits: Number(times),
          },
        }
    }
  }
  const add = (): void => {
    setBusy(true)
    void onAdd(fault()).then(onClose, () => setBusy(false))
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Add a fault: ${faultKinds[kind].toLowerCase()}`}
      account={sandboxAccount}
      lead={leads[kind]}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button size="md" kind="primary" busy={busy} disabled={!ready} onClick={add}>
            Add fault
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) add()
        }}
      >
        {kind === 'delivery' ? (
          <TextInput
            label="Product id, empty for any"
            data-autofocus
            value={productId}
            onChange={(event) => setProductId(event.currentTarget.value)}
          />
        ) : (
          <div className={styles.pair}>
            <Select
              label="Method"
              data={methods}
              value={method}
              allowDeselect={false}
              onChange={(value) => setMethod(value ?? 'any')}
            />
            <TextInput
              label="Path, exact or ending in *"
              data-autofocus
              value={path}
              error={pathFits ? null : 'Starts with /, but not with a dashboard path'}
              onChange={(event) => setPath(event.currentTarget.value)}
            />
          </div>
        )}
        {kind === 'error' ? (
          <div className={styles.pair}>
            <NumberInput
              label="Status"
              min={400}
              max={599}
              clampBehavior="blur"
              allowDecimal={false}
              value={status}
              onChange={setStatus}
            />
            <TextInput
              label="Code"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          </div>
        ) : null}
        {kind === 'delay' ? (
          <NumberInput
            label="Delay in milliseconds"
            min={0}
            max={600_000}
            allowDecimal={false}
            value={latency}
            onChange={setLatency}
          />
        ) : null}
        <div className={styles.pair}>
          <NumberInput
            label={kind === 'delivery' ? 'Units' : 'Times, empty for always'}
            min={1}
            allowDecimal={false}
            value={times}
            onChange={setTimes}
          />
          {kind === 'delivery' ? null : (
            <NumberInput
              label="Chance in percent, empty for every request"
              min={0}
              max={100}
              value={chance}
              onChange={setChance}
            />
          )}
        </div>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
