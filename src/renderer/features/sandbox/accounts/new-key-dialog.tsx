import { Checkbox, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MomentField } from '../../../ui/controls/fields/moment-field.tsx'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NewSecret } from './new-secret.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

const scopes = ['catalog:read', 'orders:write', 'orders:read', 'balance:read'] as const
type Scope = (typeof scopes)[number]
export type NewKey = { mode: 'live' | 'test'; scopes: readonly Scope[]; expiresAt: number | null }

/**
 * Creates a key: mode and scopes for a partner, and an optional expiry. Then shows it once and
 * offers to connect it to Keydesk.
 */
export function NewKeyDialog({
  owner,
  kind,
  onMake,
  onClose,
}: {
  owner: string
  kind: 'partner' | 'seller'
  onMake: (wanted: NewKey) => Promise<string>
  onClose: () => void
}) {
  const [mode, setMode] = useState<'live' | 'test'>('test')
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes)
  const [until, setUntil] = useState<number | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const baseUrl = useQuery(api.sandbox.state.queryOptions()).data?.baseUrl ?? ''
  const available = useQuery(api.app.info.queryOptions()).data?.keychain.available ?? true
  const make = useSandboxAction(
    () => onMake({ mode, scopes: chosen, expiresAt: until }),
    () => null,
    setKey,
  )
  const connect = useSandboxAction(
    (made: string) =>
      rpc.accounts.connect({
        key: made,
        baseUrl,
        name: owner,
        keep: available ? 'keychain' : 'session',
      }),
    ({ name }) => ({ title: `Connected ${name}`, text: 'It is in the list of accounts.' }),
    onClose,
  )
  const ready = chosen.length > 0
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`New key for ${owner}`}
      account={sandboxAccount}
      {...(key === null && {
        lead:
          kind === 'partner'
            ? 'TEST and LIVE don’t share orders.'
            : 'It gives access to the complete seller API.',
      })}
      actions={
        key === null ? (
          <>
            <Button size="md" keys={['Esc']} onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="md"
              kind="primary"
              busy={make.isPending}
              disabled={!ready}
              onClick={() => make.mutate(undefined)}
            >
              Create key
            </Button>
          </>
        ) : (
          <>
            <Button size="md" busy={connect.isPending} onClick={() => connect.mutate(key)}>
              Connect to Keydesk
            </Button>
            <Button size="md" kind="primary" onClick={onClose} data-autofocus>
              Done
            </Button>
          </>
        )
      }
    >
      {key !== null ? (
        <NewSecret value={key} name="key" />
      ) : (
        <div className={styles.stack}>
          {kind === 'seller' ? null : (
            <>
              <SegmentedControl
                aria-label="Mode"
                value={mode}
                onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
                data={[
                  { value: 'test', label: 'TEST' },
                  { value: 'live', label: 'LIVE' },
                ]}
              />
              <div className={styles.pair}>
                {scopes.map((scope) => (
                  <Checkbox
                    key={scope}
                    label={scope}
                    checked={chosen.includes(scope)}
                    onChange={(event) =>
                      setChosen(
                        event.currentTarget.checked
                          ? scopes.filter((each) => each === scope || chosen.includes(each))
                          : chosen.filter((each) => each !== scope),
                      )
                    }
                  />
                ))}
              </div>
            </>
          )}
          <MomentField label name="Expires at, empty for never" value={until} onChange={setUntil} />
        </div>
      )}
    </Dialog>
  )
}
