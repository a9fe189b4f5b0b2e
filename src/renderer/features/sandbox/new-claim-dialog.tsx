import { FileInput, Select, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { base64Of } from '../../lib/base64.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatMoment } from '../../ui/format.ts'
import styles from './sandbox.module.css'
import { sandboxItself, useAct } from './use-act.ts'

/**
 * A customer claims a delivered unit: one that the demo seller sold, or any by its ids; in own
 * words, or played by the market from then on.
 */
export function NewClaimDialog({
  onMade,
  onClose,
}: {
  onMade: (disputeId: string) => void
  onClose: () => void
}) {
  const [unit, setUnit] = useState({ orderId: '', keyId: '' })
  const [how, setHow] = useState<'words' | 'played'>('words')
  const [message, setMessage] = useState('The code is refused: already used.')
  const [picture, setPicture] = useState<File | null>(null)
  const sold =
    useQuery(api.sandbox.world.soldUnits.queryOptions({ input: { limit: 100 } })).data?.results ??
    []
  const ids = { orderId: unit.orderId.trim(), keyId: unit.keyId.trim() }
  const claim = useAct(
    async () =>
      how === 'played'
        ? rpc.sandbox.world.complain(ids)
        : rpc.sandbox.world.claim({
            ...ids,
            message: message.trim(),
            ...(picture !== null && { screenshot: await base64Of(picture) }),
          }),
    () => ({
      title: 'The claim is with its seller',
      text:
        how === 'played'
          ? 'The customer answers within a minute of the sandbox.'
          : 'It escalates by itself after three days without an answer.',
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
      account={sandboxItself}
      width={520}
      lead="Within 7 days of its delivery a customer can claim that a unit does not work."
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
            Make the claim
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {sold.length === 0 ? null : (
          <Select
            label="A unit that the demo seller sold"
            placeholder="Choose one, or type its ids below"
            searchable
            data-autofocus
            value={sold.some(({ keyId }) => keyId === unit.keyId) ? unit.keyId : null}
            data={sold.map(({ keyId, name, soldAt, status }) => ({
              value: keyId,
              label: `${name}, ${soldAt === null ? '' : formatMoment(soldAt, Date.now())}, ${status}`,
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
          aria-label="How the customer goes on"
          value={how}
          onChange={(value) => setHow(value === 'played' ? 'played' : 'words')}
          data={[
            { value: 'words', label: 'In your words' },
            { value: 'played', label: 'Played by the market' },
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
              label="Screenshot, if any"
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
