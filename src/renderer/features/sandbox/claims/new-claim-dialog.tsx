import { FileInput, Select, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { base64Of } from '../../../lib/base64.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatMoment } from '../../../ui/format.ts'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'
import { useSandboxNow } from '../sandbox-time.tsx'

/**
 * Opens a customer's claim on a delivered unit: one the demo seller sold, or any by its ids. The
 * customer's messages are yours, or simulated by the market.
 */
export function NewClaimDialog({
  onMade,
  onClose,
}: {
  onMade: (disputeId: string) => void
  onClose: () => void
}) {
  const now = useSandboxNow()
  const [unit, setUnit] = useState({ orderId: '', keyId: '' })
  const [how, setHow] = useState<'words' | 'played'>('words')
  const [message, setMessage] = useState('The code doesn’t work: already used.')
  const [picture, setPicture] = useState<File | null>(null)
  const sold =
    useQuery(api.sandbox.world.soldUnits.queryOptions({ input: { limit: 100 } })).data?.results ??
    []
  const ids = { orderId: unit.orderId.trim(), keyId: unit.keyId.trim() }
  const claim = useSandboxAction(
    async () =>
      how === 'played'
        ? rpc.sandbox.world.complain(ids)
        : rpc.sandbox.world.claim({
            ...ids,
            message: message.trim(),
            ...(picture !== null && { screenshot: await base64Of(picture) }),
          }),
    () => ({
      title: 'Claim created',
      text:
        how === 'played'
          ? 'The customer replies within a minute of sandbox time.'
          : 'Without an answer, it escalates automatically after three days.',
    }),
    ({ disputeId }) => onMade(disputeId),
  )
  const ready =
    ids.orderId !== '' && ids.keyId !== '' && (how === 'played' || message.trim() !== '')
  return (
    <Dialog
      opened
      onClose={onClose}
      title="New claim"
      account={sandboxAccount}
      width={520}
      lead="A customer can claim that a unit doesn’t work within 7 days of its delivery."
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            busy={claim.isPending}
            disabled={!ready}
            onClick={() => claim.mutate(undefined)}
          >
            Create claim
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {sold.length === 0 ? null : (
          <Select
            label="Unit sold by the demo seller"
            placeholder="Choose one, or enter its ids below"
            searchable
            data-autofocus
            value={sold.some(({ keyId }) => keyId === unit.keyId) ? unit.keyId : null}
            data={sold.map(({ keyId, name, soldAt, status }) => ({
              value: keyId,
              label: `${name}, ${soldAt === null ? '' : formatMoment(soldAt, now)}, ${status}`,
            }))}
            onChange={(value) => {
              const found = sold.find(({ keyId }) => keyId === value)
              if (found !== undefined) setUnit({ orderId: found.orderId, keyId: found.keyId })
            }}
          />
        )}
        <div className={styles.pair}>
          <TextInput
            label="Order id"
            value={unit.orderId}
            onChange={(event) => setUnit({ ...unit, orderId: event.currentTarget.value })}
          />
          <TextInput
            label="Unit id"
            value={unit.keyId}
            onChange={(event) => setUnit({ ...unit, keyId: event.currentTarget.value })}
          />
        </div>
        <SegmentedControl
          aria-label="The customer’s messages"
          value={how}
          onChange={(value) => setHow(value === 'played' ? 'played' : 'words')}
          data={[
            { value: 'words', label: 'Write them yourself' },
            { value: 'played', label: 'Simulated by the market' },
          ]}
        />
        {how === 'played' ? null : (
          <>
            <Textarea
              label="Message"
              autosize
              minRows={2}
              maxRows={6}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
            />
            <FileInput
              label="Screenshot (optional)"
              placeholder="PNG, JPEG or GIF"
              accept="image/png,image/jpeg,image/gif"
              clearable
              value={picture}
              onChange={setPicture}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}
