import { t } from '../../../../contract/localization/localized.ts'
import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconListCheck, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Effects } from '../../../ui/feedback/confirm-dialog.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatCents, formatEur } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../orders.module.css'

const maxProblems = 6

/**
 * Many orders from a table of lines: parsed and shown first, then recorded and placed one after the
 * other.
 */
export function TableDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const account = useAccount()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [name, setName] = useState('pasted table')
  const read = useMutation(
    api.orders.parseTable.mutationOptions({ onError: (error) => toastProblem(problemOf(error)) }),
  )
  const place = useMutation(
    api.orders.placeMany.mutationOptions({
      onSuccess: () => {
        close()
        go('/orders')
      },
      onError: (error) => toastProblem(problemOf(error)),
    }),
  )
  const found = read.data
  const placeable = found?.orders.filter((order) => order.problems.length === 0) ?? []
  const left = (found?.orders.length ?? 0) - placeable.length
  const problems = [
    ...new Set(
      found?.orders.flatMap((order) =>
        order.problems.map((problem) => `${order.externalId}: ${problem}`),
      ) ?? [],
    ),
  ]
  function close(): void {
    setText('')
    read.reset()
    onClose()
  }
  const parse = (value: string): void => {
    setText(value)
    if (value.trim() === '') read.reset()
    else read.mutate({ accountId: account.id, text: value })
  }
  const confirm = (): void => {
    if (placeable.length > 0 && !place.isPending)
      place.mutate({
        accountId: account.id,
        name,
        orders: placeable.map(({ externalId, lines }) => ({
          externalId,
          lines: lines.map(({ productId, qty, maxUnitCents }) => ({
            productId,
            qty,
            maxUnitCents,
          })),
        })),
      })
  }
  useShortcut('Ctrl+Enter', confirm, { enabled: opened, inDialog: true })
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Orders from a table"
      account={account}
      width={620}
      lead={
        'One line per product: reference, product ID, units, maximum price each. Lines with ' +
        'the same reference form one order. Without a maximum, Keydesk uses today’s price ' +
        'plus 1 %.'
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={close}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            disabled={placeable.length === 0}
            busy={place.isPending}
            {...(placeable.length > 0 && { keys: ['Ctrl', 'Enter'] })}
            onClick={confirm}
          >
            {t('screens.orders-place', { count: placeable.length })}
          </Button>
        </>
      }
      note="Each order is recorded before it is sent"
    >
      <Textarea
        aria-label="Table of lines"
        data-autofocus
        autosize
        minRows={6}
        maxRows={10}
        classNames={{ input: 'kd-mono' }}
        placeholder={'reference,product id,units,max\nA-1,prd_…,2,33.49'}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setName('pasted table')
          parse(event.currentTarget.value)
        }}
      />
      <label className={styles.fileField}>
        or a file (CSV){' '}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label="File with a table of lines"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined)
              void file.text().then((content) => {
                setName(file.name)
                parse(content)
              })
          }}
        />
      </label>
      {found === undefined ? null : (
        <>
          <Effects
            effects={[
              {
                icon: <IconListCheck size={16} stroke={1.6} />,
                what: t('screens.orders-placeable', {
                  placeable: placeable.length,
                  count: found.orders.length,
                }),
                ...(left > 0 && { more: `${left} left out`, tone: 'warn' as const }),
              },
              {
                icon: <IconWallet size={16} stroke={1.6} />,
                what: 'They cost at most',
                amount: formatEur(found.atMostCents),
                ...(found.balanceCents !== null && {
                  more: `of a balance of ${formatCents(found.balanceCents)}`,
                }),
                ...(found.balanceCents !== null &&
                  found.atMostCents > found.balanceCents && { tone: 'warn' as const }),
              },
            ]}
          />
          {problems.length === 0 && found.problems.length === 0 ? null : (
            <Notice tone="warn" title="Left out:">
              <ul className={styles.fields}>
                {(problems.length > 0
                  ? problems
                  : found.problems.map(({ line, problem }) => `Line ${line}: ${problem}`)
                )
                  .slice(0, maxProblems)
                  .map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                {problems.length > maxProblems ? (
                  <li>and {problems.length - maxProblems} more</li>
                ) : null}
              </ul>
            </Notice>
          )}
        </>
      )}
    </Dialog>
  )
}
