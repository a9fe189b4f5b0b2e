import { TextInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Cents } from '../../../../server/api/money.ts'
import type { Batch } from '../../../contract/keys/batches.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { MoneyField } from '../../ui/controls/fields/price-field.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './batches.module.css'

/**
 * The user's notes on a batch: name, supplier, and cost per key. They are private to this computer.
 */
export function BatchForm({ batch }: { batch: Batch }) {
  const account = useAccount()
  const [name, setName] = useState(batch.named ? batch.name : '')
  const [supplier, setSupplier] = useState(batch.supplier)
  const [note, setNote] = useState(batch.note)
  const [costCents, setCost] = useState<Cents | null>(batch.costCents)
  const save = useMutation(
    api.batches.change.mutationOptions({
      onSuccess: () =>
        toast({ kind: 'ok', title: 'Notes saved', text: 'They’re private to this computer.' }),
      onError: (error) => toastProblem(problemOf(error), batch.name),
    }),
  )
  const submit = (): void =>
    save.mutate({
      accountId: account.id,
      batchId: batch.batchId,
      name,
      supplier,
      note,
      costCents,
      whole: true,
    })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label="Name"
        placeholder={`Import ${batch.importNumber}`}
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Supplier"
        maxLength={120}
        value={supplier}
        onChange={(event) => setSupplier(event.currentTarget.value)}
      />
      <MoneyField label="Cost per key, EUR" cents={costCents} onChange={setCost} />
      <Textarea
        label="Note"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <footer>
        <Button type="submit" busy={save.isPending}>
          Save notes
        </Button>
      </footer>
    </form>
  )
}
