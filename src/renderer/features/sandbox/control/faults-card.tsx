import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBug, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { SandboxFault } from '../../../../contract/sandbox/sandbox-control.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { AddFilter } from '../../../ui/controls/filters/filter-chip.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { FaultDialog, type FaultKind, faultKinds } from './fault-dialog.tsx'
import { FaultsJson } from './faults-json.tsx'
import { ControlCard } from './control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { faultWords } from '../words.ts'

/** Faults with the number of their hits. A used-up one stays until it is removed. */
export function FaultsCard() {
  const query = useQuery({ ...api.sandbox.control.faults.queryOptions(), refetchInterval: 5_000 })
  return query.data === undefined ? (
    <ControlCard icon={IconBug} title="Faults">
      <NotRead query={query} />
    </ControlCard>
  ) : (
    <LoadedFaults faults={query.data} />
  )
}

/** Each change replaces all faults, so that it needs those that there are. */
function LoadedFaults({ faults }: { faults: readonly SandboxFault[] }) {
  const [adding, setAdding] = useState<FaultKind | null>(null)
  const [asJson, setAsJson] = useState(false)
  const set = useSandboxAction(
    (next: SandboxFault[]) => rpc.sandbox.control.setFaults(next),
    () => null,
  )
  const down = faults.some((fault) => 'supplierDown' in fault)
  const listed = faults.flatMap((fault) => {
    const words = faultWords(fault)
    return words === null ? [] : [{ fault, ...words }]
  })
  const active = listed.filter(({ isUsedUp }) => !isUsedUp).length + (down ? 1 : 0)
  const without = (gone: SandboxFault): void => set.mutate(faults.filter((fault) => fault !== gone))
  return (
    <ControlCard
      icon={IconBug}
      title="Faults"
      beside={active === 0 ? null : <StatusTag tone="warn">{active} active</StatusTag>}
      actions={
        <>
          <Button kind="quiet" onClick={() => setAsJson(true)}>
            As JSON…
          </Button>
          <Button
            kind="quiet"
            disabled={faults.length === 0 || set.isPending}
            onClick={() => set.mutate([])}
          >
            Clear all
          </Button>
        </>
      }
    >
      <ul className={styles.lines} aria-label="Faults">
        {listed.map(({ fault, subject, does, times, hits, isUsedUp }, index) => (
          <li key={index} data-used-up={isUsedUp || undefined}>
            <span title={`${subject} ${does}`}>
              {subject === '' ? null : (
                <>
                  <code>{subject}</code>{' '}
                </>
              )}
              {does}
            </span>
            <small>
              {times}, {isUsedUp ? 'used up' : t('screens.sandbox-fault-hits', { count: hits })}
            </small>
            <IconButton
              small
              label={`Remove: ${subject} ${does}`}
              disabled={set.isPending}
              onClick={() => without(fault)}
            >
              <IconX size={14} stroke={1.6} />
            </IconButton>
          </li>
        ))}
        <li>
          <span>Supplier down</span>
          <Switch
            aria-label="Supplier down"
            checked={down}
            disabled={set.isPending}
            onChange={() =>
              set.mutate(
                down
                  ? faults.filter((fault) => !('supplierDown' in fault))
                  : [...faults, { supplierDown: true }],
              )
            }
          />
        </li>
      </ul>
      <div className={styles.row}>
        <span className={styles.note}>Add</span>
        {(Object.keys(faultKinds) as FaultKind[]).map((kind) => (
          <AddFilter key={kind} label={faultKinds[kind]} onClick={() => setAdding(kind)} />
        ))}
      </div>
      {adding === null ? null : (
        <FaultDialog
          kind={adding}
          onClose={() => setAdding(null)}
          onAdd={async (fault) => {
            await set.mutateAsync([...faults, fault])
          }}
        />
      )}
      {asJson ? (
        <FaultsJson
          faults={faults}
          onClose={() => setAsJson(false)}
          onSet={async (next) => {
            await set.mutateAsync(next)
          }}
        />
      ) : null}
    </ControlCard>
  )
}
