import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { Mode } from '../../../contract/app/accounts.ts'
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
  const change = useChangeSettings()
  const check = useKeyCheck(key, baseUrl)
  const kind = kindOfKey(key)
  const address = baseUrl === '' ? null : addressError(baseUrl)
  const proposed =
    check.found === null
      ? ''
      : (check.found.shopName ?? `${kind?.mode === 'test' ? 'Test' : 'Live'} ${check.found.role}`)
  const called = name.trim() === '' ? proposed : name.trim()
  const noKeychain = keychain !== undefined && !keychain.available
  const missing = missingStep({
    key,
    baseUrl,
    name: called,
    check: check.state,
    storage:
      keychain === undefined
        ? 'unknown'
        : noKeychain && !inMemory
          ? 'agreement missing'
          : 'possible',
  })
  const ready = missing === null
  const connect = useMutation({
    mutationFn: () =>
      rpc.accounts.connect({
        key,
        baseUrl,
        name: called,
        keep: noKeychain ? 'session' : 'keychain',
      }),
    onSuccess: async (account, _variables, _context, { client }) => {
      setKey('')
      await client.invalidateQueries({ queryKey: api.accounts.key() })
      change({ currentAccountId: account.id })
      onConnected()
    },
  })
  const problem = connect.isError ? problemOf(connect.error) : null
  return (
    <form
      className={styles.connect}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) connect.mutate()
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
        <TextInput
          size="lg"
          label="Service address"
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.currentTarget.value.trim())}
          error={address}
        />
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
          disabled={!ready}
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
