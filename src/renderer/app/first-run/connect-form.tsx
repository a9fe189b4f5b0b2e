import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { KeyCheck, Mode } from '../../../contract/app/accounts.ts'
import type { KeychainState } from '../../../contract/app/app.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { kindOfKey, addressError, keyError } from '../accounts/key-field.ts'
import { KeyInput } from '../accounts/key-input.tsx'
import { useChangeSettings } from '../use-app-state.ts'
import { CheckResult } from './check-result.tsx'
import { missingStep } from './missing-step.ts'
import styles from './first-run.module.css'
import { useKeyCheck } from './use-key-check.ts'

const modeTexts: Record<Mode, string> = {
  live: 'This is a LIVE account: real stock, real money.',
  test: 'This is a TEST account: real catalogue, no money moves.',
  sandbox: 'This is a SANDBOX on this computer: test stock, test money.',
}

type Storage = Parameters<typeof missingStep>[0]['storage']

/** Whether the key can be stored: in the keychain, or in memory if the person agreed. */
function storageOf(keychain: KeychainState | undefined, inMemory: boolean): Storage {
  if (keychain === undefined) return 'unknown'
  return keychain.available || inMemory ? 'possible' : 'agreement missing'
}

/** A name for the account from the check of its key; empty before. */
const proposedName = (found: KeyCheck | null, mode: Mode | undefined): string =>
  found === null ? '' : (found.shopName ?? `${mode === 'test' ? 'Test' : 'Live'} ${found.role}`)

/**
 * Connects an account and shows it. The key isn't a variable of the mutation, which would keep it in
 * the cache.
 */
function useConnect(
  account: Parameters<typeof rpc.accounts.connect>[0],
  { clearKey, onConnected }: { clearKey: () => void; onConnected: () => void },
) {
  const change = useChangeSettings()
  return useMutation({
    mutationFn: () => rpc.accounts.connect(account),
    onSuccess: async (connected, _variables, _context, { client }) => {
      clearKey()
      await client.invalidateQueries({ queryKey: api.accounts.key() })
      change({ currentAccountId: connected.id })
      onConnected()
    },
  })
}

/** Key, address and name. The service checks the key before anything is saved. */
export function ConnectForm({
  keychain,
  onConnected,
}: {
  keychain: KeychainState | undefined
  onConnected: () => void
}) {
  const [key, setKey] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [name, setName] = useState('')
  const [inMemory, setInMemory] = useState(false)
  const check = useKeyCheck(key, baseUrl)
  const proposed = proposedName(check.found, kindOfKey(key)?.mode)
  const called = name.trim() === '' ? proposed : name.trim()
  const storage = storageOf(keychain, inMemory)
  const missing = missingStep({ key, baseUrl, name: called, check: check.state, storage })
  const keep = keychain?.available === false ? 'session' : 'keychain'
  const connect = useConnect(
    { key, baseUrl, name: called, keep },
    { clearKey: () => setKey(''), onConnected },
  )
  const problem = connect.isError ? problemOf(connect.error) : null
  return (
    <form
      className={styles.connect}
      onSubmit={(event) => {
        event.preventDefault()
        if (missing === null) connect.mutate()
      }}
    >
      <h2>Connect an account</h2>
      <KeyInput
        value={key}
        onChange={setKey}
        hint="from your seller or partner panel"
        autoFocus
        wrong={keyError(key)}
      />
      <div className={styles.pair}>
        <AddressField value={baseUrl} onChange={setBaseUrl} />
        <TextInput
          size="lg"
          label="Name in Keydesk"
          placeholder={proposed}
          maxLength={80}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div className={styles.checkSpace}>
        <CheckResult check={check} />
      </div>
      <KeyStorage keychain={keychain} inMemory={inMemory} onChange={setInMemory} />
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <div className={styles.act}>
        <Button
          type="submit"
          size="lg"
          kind="primary"
          keys={['Enter']}
          disabled={missing !== null}
          busy={connect.isPending}
        >
          {called === '' || called.length > 24 ? 'Connect' : `Connect ${called}`}
        </Button>
        <span role="status">
          {missing ?? (check.found === null ? null : modeTexts[check.found.mode])}
        </span>
      </div>
    </form>
  )
}

function AddressField({ value, onChange }: { value: string; onChange: (address: string) => void }) {
  return (
    <TextInput
      size="lg"
      label="Service address"
      placeholder="https://"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      error={value === '' ? null : addressError(value)}
    />
  )
}

/** Where the key is stored; without a keychain, the person has to accept memory. */
function KeyStorage({
  keychain,
  inMemory,
  onChange,
}: {
  keychain: KeychainState | undefined
  inMemory: boolean
  onChange: (inMemory: boolean) => void
}) {
  if (keychain === undefined)
    return (
      <p className={styles.kept}>
        <IconLock size={15} stroke={1.6} aria-hidden />
        Looking for this system’s keychain…
      </p>
    )
  return !keychain.available ? (
    <Notice
      tone="warn"
      icon={<IconAlertTriangle size={16} stroke={1.6} color="var(--kd-warn)" />}
      title="This computer has no keychain."
    >
      {keychain.reason} Keydesk never writes the key to a file instead.
      <Checkbox
        mt={8}
        label="Keep the key in memory until Keydesk quits"
        checked={inMemory}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Notice>
  ) : (
    <p className={styles.kept}>
      <IconLock size={15} stroke={1.6} aria-hidden />
      The key is stored in this system’s keychain ({keychain.name}) and nowhere else.
    </p>
  )
}
