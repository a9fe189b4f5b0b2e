import { PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProofNeeded } from '../../../contract/app/second-proof.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { purposeOf, useProofGate } from '../../lib/proof-gate.ts'
import type { ProofWaiting } from '../../lib/proof-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import styles from '../theme/forms.module.css'

const labels: Record<Exclude<ProofNeeded['method'], 'none'>, string> = {
  'vault-passphrase': 'Passphrase of the vault',
  'security-passphrase': 'Security passphrase',
}

/** Asks for the second proof of any action that the core rejected without one. */
export function ProofDialog() {
  const waiting = useProofGate((gate) => gate.waiting)
  if (waiting === null || waiting.method === 'none') return null
  return <ProofForm key={waiting.challenge} waiting={waiting} label={labels[waiting.method]} />
}

/** Mounted only while the dialog is open, so that the typed passphrase is discarded with it. */
function ProofForm({ waiting, label }: { waiting: ProofWaiting; label: string }) {
  const [passphrase, setPassphrase] = useState('')
  const prove = useMutation({
    mutationFn: () => rpc.secondProof.prove({ challenge: waiting.challenge, passphrase }),
    onSuccess: () => waiting.resolve(true),
    onError: () => setPassphrase(''),
  })
  const cancel = (): void => waiting.resolve(false)
  const submit = (): void => {
    if (passphrase !== '' && !prove.isPending) prove.mutate()
  }
  return (
    <Dialog
      opened
      onClose={cancel}
      title="Confirm that it’s you"
      lead={`Keydesk asks for your passphrase before this: ${purposeOf(waiting.action)}.`}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={cancel}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Enter']}
            disabled={passphrase === '' && !prove.isPending}
            busy={prove.isPending}
            onClick={submit}
          >
            Confirm
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PasswordInput
          size="md"
          label={label}
          data-autofocus
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <button type="submit" className="kd-hidden" tabIndex={-1} aria-hidden>
          Continue
        </button>
      </form>
      {prove.isError ? <ProblemNotice problem={problemOf(prove.error)} /> : null}
    </Dialog>
  )
}
