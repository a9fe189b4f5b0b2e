import { PasswordInput, Radio, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../ui/layout/submit-actions.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toastProblem } from '../../ui/feedback/toasts.tsx'

/**
 * Checks a request that a real endpoint received with its secret. Mounted only while it is open, so
 * that the typed secret is discarded with it. `start`: the request, if it was pasted on the page.
 */
export function PasteDialog({
  start,
  onClose,
  onChecked,
}: {
  start: string
  onClose: () => void
  onChecked: (eventKey: string) => void
}) {
  const account = useAccount()
  const [request, setRequest] = useState(start)
  const [secret, setSecret] = useState('')
  const [arrived, setArrived] = useState<'unknown' | 'now'>('unknown')
  const check = useMutation(
    api.webhookInspector.paste.mutationOptions({
      onSuccess: ({ eventKey }) => {
        setSecret('')
        setRequest('')
        onChecked(eventKey)
        onClose()
      },
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const ready = request.trim() !== '' && !check.isPending
  const run = (): void => {
    if (ready) check.mutate({ accountId: account.id, request, secret, arrived })
  }
  useShortcut('Ctrl+Enter', run, { where: 'dialog' })
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Check a request"
      account={account}
      width={620}
      lead={
        'Include the headers, an empty line, and the body exactly as received. ' +
        'A single changed byte changes the signature.'
      }
      note="The secret is used once and not stored"
      actions={
        <SubmitActions ready={ready} busy={check.isPending} onCancel={onClose} onSubmit={run}>
          Check request
        </SubmitActions>
      }
    >
      <Textarea
        label="Request"
        data-autofocus
        autosize
        minRows={8}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: 'kd-mono' }}
        placeholder={
          'X-SVC-Event: order.completed\nX-SVC-Delivery: dlv_…\nX-SVC-Signature: t=…,v1=…\n\n{"id":"evt_…"}'
        }
        value={request}
        onChange={(event) => setRequest(event.currentTarget.value)}
      />
      <PasswordInput
        label="Signing secret"
        description="Without it, Keydesk can’t tell whether the request is genuine."
        mt={12}
        autoComplete="off"
        placeholder="whsec_…"
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Arrival arrived={arrived} onChange={setArrived} />
    </Dialog>
  )
}

/** When the request arrived, which decides whether its age is judged. */
function Arrival({
  arrived,
  onChange,
}: {
  arrived: 'unknown' | 'now'
  onChange: (arrived: 'unknown' | 'now') => void
}) {
  return (
    <Radio.Group
      mt={14}
      label="When it arrived"
      value={arrived}
      onChange={(value) => onChange(value === 'now' ? 'now' : 'unknown')}
    >
      <Radio mt={8} value="unknown" label="I don’t know. Don’t judge its age" />
      <Radio
        mt={8}
        value="now"
        label="Just now. Compare its timestamp with this computer’s clock"
      />
    </Radio.Group>
  )
}
